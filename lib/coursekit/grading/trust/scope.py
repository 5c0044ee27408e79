"""The names that a test cell sees: the notebook's, with Python's own functions in their place."""

from __future__ import annotations

import builtins
from collections.abc import MutableMapping
from types import FunctionType
from typing import Any

_FOUND_BY_PYTHON = object()


class Scope(dict[str, Any]):
    """The globals of one test cell.

    Names of the notebook are seen as they are at the moment, so a test may read a counter that the
    student's function moves. Names that the test binds stay here: student code that the test calls
    cannot see them, such as a running check or the values it expects, nor give them others.
    A name of Python's own, such as `sum`, is Python's, whatever the notebook made of it; only a
    class or function that the test is about (`asked`) is the notebook's.

    The price: a global that the test itself sets is not seen by the student's functions.
    """

    def __init__(
        self, notebook: MutableMapping[str, Any], asked: frozenset[str] = frozenset()
    ) -> None:
        # As Python has them now: the guard has just put them back.
        self._python = dict(vars(builtins))
        seen = {
            name: value
            for name, value in notebook.items()
            if name not in self._python
            or (name in asked and isinstance(value, FunctionType | type))
        }
        super().__init__(seen)
        self["__builtins__"] = self._python
        self._seen, self._notebook = seen, notebook
        self._asked = asked

    def __getitem__(self, name: str) -> Any:
        value = self.get(name, _FOUND_BY_PYTHON)
        if value is not self._seen.get(name, _FOUND_BY_PYTHON):
            return value
        if name in self._python and name not in self._seen:
            raise KeyError(name)
        return self._notebook[name]
