"""The names that the course's own cells bind: tests find them as the course left them."""

from __future__ import annotations

import builtins
import dis
from collections.abc import Collection, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

from coursekit.grading.trust.copies import NotPlain, copied, equal, put_back

GONE: Any = object()
BUILTINS = dict(vars(builtins))
OF_THE_SHELL = {"In", "Out", "exit", "quit", "get_ipython", "open", "display"}


@dataclass
class Bound:
    """What a course cell bound a name to: the object, and a copy of its content if it is plain."""

    value: Any
    copy: Any = GONE

    @classmethod
    def of(cls, value: Any) -> Bound:
        """The record of a value."""
        try:
            return cls(value, copied(value))
        except NotPlain:
            return cls(value)


class Names:
    """The course's names in one notebook.

    `asked` has the names that the course's own answer cells give new values or contents to; those
    are the student's to change. None means that this is not known: then a name that a student's
    cell gave another value of the same kind stays the student's, as in `df = df.dropna()`.
    """

    def __init__(self, asked: Collection[str] | None = None) -> None:
        self.asked = asked
        self._bound: dict[str, Bound] = {}

    @property
    def known(self) -> Collection[str]:
        """The names that course cells have bound."""
        return self._bound.keys()

    def learn(self, before: dict[str, Any], namespace: MutableMapping[str, Any]) -> None:
        """Remember what the course cell that just ran bound since `before`, a copy of the names."""
        for name in self._bound.keys() - namespace.keys():
            del self._bound[name]
        for name, value in [*namespace.items()]:
            if name.startswith("_") or name in OF_THE_SHELL:
                continue
            kept = self._bound.get(name)
            if before.get(name, GONE) is not value or (kept and kept.value is value):
                self._bound[name] = Bound.of(value)

    def take(self, names: Mapping[str, Any]) -> None:
        """Remember names that a test of the course has bound."""
        self._bound.update((name, Bound.of(value)) for name, value in names.items())

    def restore(self, namespace: MutableMapping[str, Any]) -> list[str]:
        """Put back what the student changed; returns a sentence for each name."""
        notes = []
        for name, bound in self._bound.items():
            if self.asked is not None and name in self.asked:
                continue
            said = self._restored(namespace, name, bound)
            if said:
                notes.append(f"`{name}` {said}; the test used the course's.")
        return notes

    def _restored(self, space: MutableMapping[str, Any], name: str, bound: Bound) -> str:
        now = space.get(name, GONE)
        if now is bound.value:
            if bound.copy is GONE or equal(now, bound.copy):
                return ""
            if not put_back(now, bound.copy):
                bound.value = space[name] = copied(bound.copy)
            return "was changed in this notebook"
        if now is not GONE and self._is_the_students(now, bound):
            return ""
        if bound.copy is not GONE and not equal(bound.value, bound.copy):
            bound.value = copied(bound.copy)
        space[name] = bound.value
        return (
            "was deleted in this notebook"
            if now is GONE
            else "was given another value in this notebook"
        )

    def _is_the_students(self, now: Any, bound: Bound) -> bool:
        if bound.copy is not GONE and type(now) is type(bound.copy) and equal(now, bound.copy):
            return True
        if isinstance(bound.value, ModuleType):
            return now is bound.value
        if callable(bound.value):
            return getattr(bound.value, "__module__", "") == "__main__" and callable(now)
        return self.asked is None and type(now) is type(bound.value)


def unshadow(namespace: MutableMapping[str, Any]) -> dict[str, Any]:
    """Take names of Python's own away from values that are no functions: `sum = 0`, `float = 3`.

    A function or class of the student's with such a name stays, and so does a value that one of the
    notebook's functions reads, as in `max = 10`. Returns what was taken away.
    """
    found = [name for name, value in [*namespace.items()] if _shadows(name, value)]
    read = _read_as_values(namespace, found) if found else set()
    return {name: namespace.pop(name) for name in found if name not in read}


def _shadows(name: str, value: Any) -> bool:
    original = BUILTINS.get(name, value)
    if original is value or not callable(original) or name in OF_THE_SHELL or name[0] == "_":
        return False
    # Functions stay, the student's own as well as those of `from numpy import *`.
    from_a_library = callable(value) and getattr(value, "__module__", "") not in ("", "__main__")
    return not isinstance(value, FunctionType | type) and not from_a_library


def _read_as_values(namespace: MutableMapping[str, Any], names: Sequence[str]) -> set[str]:
    """Those of the names that a function of the notebook reads without calling them."""
    return {
        step.argval
        for function in [*namespace.values()]
        if isinstance(function, FunctionType) and function.__globals__ is namespace
        for step in dis.get_instructions(function)
        if step.opname == "LOAD_GLOBAL" and step.argval in names and "NULL" not in step.argrepr
    }
