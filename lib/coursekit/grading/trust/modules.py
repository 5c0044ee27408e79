"""Modules that stand in for others: a file `fractions.py` in the notebook's folder, for example."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from types import ModuleType

INSTALLED = {"numpy", "scipy", "pandas", "torch", "sklearn", "matplotlib", "pytest", "coursekit"}


class Imported:
    """The modules that were loaded before student code ran; `folder` holds the notebook's files."""

    def __init__(self, folder: str) -> None:
        self._before = frozenset(sys.modules)
        self._tops = {name.split(".")[0] for name in self._before} | INSTALLED
        self._folder = folder
        self._libraries = [path for path in sys.path if path not in ("", ".", folder)]

    def set_aside(self) -> dict[str, ModuleType]:
        """Take out of `sys.modules` what only has the name of Python's or a library's module."""
        new = [name for name in sys.modules.keys() - self._before if self._pretends(name)]
        return {name: sys.modules.pop(name) for name in new}

    def libraries_first(self) -> None:
        """Let tests find a library before a file of that name in the notebook's folder."""
        own = [path for path in sys.path if path not in self._libraries]
        sys.path[:] = [*self._libraries, *own]

    def _pretends(self, name: str) -> bool:
        module, top = sys.modules.get(name), name.split(".")[0]
        if top not in sys.stdlib_module_names and top not in self._tops:
            return False
        file = getattr(module, "__file__", None)
        spec = getattr(module, "__spec__", None)
        made_by_hand = spec is None and file is None and _is_there_as_a_file(name)
        own = type(file) is str and not file.startswith(tuple(self._libraries))
        return made_by_hand or own


def _is_there_as_a_file(name: str) -> bool:
    """Whether an import would find the module; some exist only inside others, as pyexpat.errors."""
    parent = name.rpartition(".")[0]
    if not parent:
        return name in sys.builtin_module_names or PathFinder.find_spec(name) is not None
    places = getattr(sys.modules.get(parent), "__path__", None)
    return places is not None and PathFinder.find_spec(name, places) is not None
