"""The names that a test cell sees: the notebook's, with Python's own functions in their place."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, MutableMapping
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

    `earlier` are names that tests before have bound where students do not see it.

    The price: while the test runs, a global that it sets is not seen by the student's functions.
    """

    def __init__(
        self,
        notebook: MutableMapping[str, Any],
        asked: frozenset[str] = frozenset(),
        earlier: Mapping[str, Any] | None = None,
    ) -> None:
        # As Python has them now: the guard has just put them back.
        self._python = dict(vars(builtins))
        seen = {
            name: value
            for name, value in notebook.items()
            if name not in self._python
            or name.startswith("__")
            or (name in asked and isinstance(value, FunctionType | type))
        }
        kept = {name: value for name, value in (earlier or {}).items() if name not in seen}
        super().__init__({**kept, **seen})
        self["__builtins__"] = self._python
        self._seen, self._notebook, self._earlier = seen, notebook, kept
        self._asked = asked

    @property
    def bound(self) -> dict[str, Any]:
        """The names that the test has bound."""
        before = {"__builtins__": self._python, **self._earlier, **self._seen}
        return {
            name: value
            for name, value in self.items()
            if value is not before.get(name, _FOUND_BY_PYTHON) and not name.startswith("__")
        }

    def __getitem__(self, name: str) -> Any:
        value = self.get(name, _FOUND_BY_PYTHON)
        if value is not self._seen.get(name, _FOUND_BY_PYTHON):
            return value
        if name in self._python and name not in self._seen:
            raise KeyError(name)
        return self._notebook[name]
