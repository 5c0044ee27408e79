"""The state of the IPython shell that decides what becomes of a cell."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

LISTS = ("input_transformers_post", "ast_transformers")
TRANSFORMERS = ("cleanup_transforms", "line_transforms", "token_transformers")
SETTINGS = ("ast_node_interactivity", "autoawait", "displayhook", "display_formatter")


class ShellState:
    """The shell as it is now; `ours` tells a library's function from one of the notebook's."""

    def __init__(self, shell: InteractiveShell, ours: Callable[[Any], bool]) -> None:
        self._shell, self._ours = shell, ours
        self._own = dict(vars(shell))
        self._settings = {name: getattr(shell, name) for name in SETTINGS}
        self._manager = shell.input_transformer_manager
        self._lists = [(name, shell, list(getattr(shell, name))) for name in LISTS]
        self._lists += [(n, self._manager, list(getattr(self._manager, n))) for n in TRANSFORMERS]
        self._callbacks = {name: list(calls) for name, calls in shell.events.callbacks.items()}
        self._finders = {name: list(getattr(sys, name)) for name in ("meta_path", "path_hooks")}
        self._path = list(sys.path)

    def restore(self) -> list[str]:
        """Put it back; returns what a notebook has no innocent reason to change."""
        return [*self._methods(), *self._hooks(), *self._imports()]

    def _methods(self) -> list[str]:
        space, found = vars(self._shell), []
        for name in [*space]:
            new = name not in self._own or space[name] is not self._own[name]
            if new and callable(space[name]) and hasattr(type(self._shell), name):
                found.append(f"replaced `{name}` of IPython")
                del space[name]
        for name in ("custom_exceptions", "input_transformer_manager", "events"):
            if name in self._own and space.get(name) is not self._own[name]:
                found.append(f"replaced `{name}` of IPython")
                space[name] = self._own[name]
        for name, value in self._settings.items():
            if getattr(self._shell, name) is not value:
                setattr(self._shell, name, value)
        return found

    def _hooks(self) -> list[str]:
        found = []
        for name, owner, kept in self._lists:
            if list(getattr(owner, name)) != kept or type(getattr(owner, name)) is not list:
                added = [x for x in getattr(owner, name) if not any(x is y for y in kept)]
                setattr(owner, name, list(kept))
                if not all(map(self._ours, added)):
                    found.append(f"changed how IPython reads cells (`{name}`)")
        calls = self._shell.events.callbacks
        for name, kept in self._callbacks.items():
            theirs = [call for call in calls.get(name, []) if not self._ours(call)]
            if theirs:
                found.append(f"hung itself on IPython's event `{name}`")
            calls[name] = [
                *kept,
                *(c for c in calls.get(name, []) if self._ours(c) and c not in kept),
            ]
        return found

    def _imports(self) -> list[str]:
        found = []
        for name, kept in self._finders.items():
            now = [one for one in getattr(sys, name) if one not in kept]
            if not all(map(self._ours, now)):
                found.append(f"changed how modules are found (`sys.{name}`)")
            now = [one for one in now if self._ours(one)]
            setattr(sys, name, [*kept, *now])
        return found


def search_path(kept: list[str], folder: str) -> list[str]:
    """`sys.path` for tests: the libraries first, the notebook's own folder last."""
    own = {"", folder, os.curdir}
    return [*(path for path in kept if path not in own), folder]
