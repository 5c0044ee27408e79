"""What happens around the cells of the course, in the namespace of the notebook."""

from __future__ import annotations

import contextlib
import os
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

from IPython.core.interactiveshell import InteractiveShell

from coursekit.grading.trust.names import unshadow

if TYPE_CHECKING:
    from coursekit.grading.trust.guard import Guard, Watch


# Classes, not generators: until all is put back, nothing may run that student code can replace.
class CourseCell:
    """Around a cell of the course that is no test."""

    def __init__(self, guard: Guard, namespace: MutableMapping[str, Any]) -> None:
        self._guard, self._namespace = guard, namespace

    def __enter__(self) -> None:
        self._guard.begin(self._namespace)
        self._hidden, self._before = unshadow(self._namespace), dict(self._namespace)

    def __exit__(self, *_: object) -> None:
        self._guard.learn(self._before, self._namespace)
        self._guard.go_back()
        _give_back(self._namespace, self._hidden)


class TestCell:
    """Around a test cell."""

    def __init__(self, guard: Guard, shell: InteractiveShell) -> None:
        self._guard, self._namespace = guard, shell.user_ns

    def __enter__(self) -> Watch:
        notes = self._guard.begin(self._namespace)
        self._hidden = unshadow(self._namespace)
        notes += [_shadow_note(name) for name in self._hidden]
        self._watch = self._guard.watch(self._namespace, notes)
        return self._watch

    def __exit__(self, *_: object) -> None:
        self._guard.end(self._watch)
        self._guard.go_back()
        _give_back(self._namespace, self._hidden)


def go_to(folder: str) -> str:
    """Change to a folder if it is there; returns the one before, "" where that is gone or same."""
    try:
        before = os.getcwd()
    except OSError:
        before = ""
    with contextlib.suppress(OSError):
        os.chdir(folder)
    return "" if before == folder else before


def _give_back(namespace: MutableMapping[str, Any], hidden: dict[str, Any]) -> None:
    for name, value in hidden.items():
        namespace.setdefault(name, value)


def _shadow_note(name: str) -> str:
    return f"`{name}` was given another value in this notebook; the test used Python's own."
