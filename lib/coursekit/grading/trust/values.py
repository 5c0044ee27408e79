"""Whether a value is what it seems: its comparisons are Python's or a library's own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from coursekit.grading.trust.pristine import HEAP_TYPE

DEEPEST, WIDEST = 6, 1_000
# What decides how a comparison ends, what an object converts to, and what libraries ask it.
_DECIDING = """
    __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __bool__ __contains__ __float__ __int__ __index__
    __complex__ __abs__ __round__ __neg__ __pos__ __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__
    __truediv__ __rtruediv__ __pow__ __rpow__ __and__ __rand__ __or__ __ror__ __xor__ __rxor__
    __invert__ __mod__ __rmod__ __matmul__ __rmatmul__ __floordiv__ __array__ __array_function__
    __array_ufunc__ __array_wrap__ __array_finalize__ __array_interface__ __array_struct__
    __torch_function__ __getattr__ __getattribute__ __class__ __instancecheck__ __subclasscheck__
"""
DECIDING = frozenset(_DECIDING.split())
SAFE_BY_NATURE = frozenset([type(None), bool, int, float, complex, str, bytes])
# Made to be equal to what they are compared with.
LENIENT = ("unittest.mock", "mock", "_pytest.", "numpy.ma")


class Values:
    """Looks for objects whose class says itself how it compares, and is none of a library.

    Made before student code runs: all classes of that moment are libraries'. `in_library` tells
    whether the code of a function stands in the file of a library.
    """

    def __init__(self, in_library: Callable[[FunctionType], bool]) -> None:
        self._in_library = in_library
        self._known = {kind: _lenient(kind) for kind in _all_classes(object)}

    def strange(self, value: Any, allowed: frozenset[str], depth: int = 0) -> type | None:
        """The class whose comparisons are the notebook's own, None where there is none.

        Looks into lists, tuples, sets, dicts and arrays of objects. Classes named in `allowed` are
        what the test is about.
        """
        kind = type(value)
        if kind in SAFE_BY_NATURE:
            return None
        if self._is_strange(kind) and allowed.isdisjoint(_names_of(kind)):
            return kind
        if depth < DEEPEST:
            for item in _items(value, kind):
                found = self.strange(item, allowed, depth + 1)
                if found is not None:
                    return found
        return None

    def _is_strange(self, kind: type) -> bool:
        known = self._known.get(kind)
        if known is None:
            bases = [base for base in type.__dict__["__mro__"].__get__(kind) if base is not object]
            known = self._known[kind] = any(self._decides(base) for base in bases)
        return known

    def _decides(self, kind: type) -> bool:
        """Whether this very class says how objects compare or convert, by the notebook's doing."""
        if kind in self._known and kind.__flags__ & HEAP_TYPE:
            return self._known[kind]
        if not kind.__flags__ & HEAP_TYPE:
            return False
        space = type.__dict__["__dict__"].__get__(kind)
        return any(not self._harmless(name, space) for name in DECIDING & space.keys())

    def _harmless(self, name: str, space: Any) -> bool:
        value = space[name]
        function = getattr(value, "__wrapped__", value)
        if not isinstance(function, FunctionType):
            return False
        made = "__dataclass_fields__" in space or "_fields" in space
        written_by_python = made and function.__code__.co_filename == "<string>"
        return written_by_python or self._in_library(function)


def _all_classes(start: type) -> Iterable[type]:
    found: set[type] = {start}
    todo = [start]
    while todo:
        below: list[type] = type.__subclasses__(todo.pop())
        for kind in below:
            if kind not in found:
                found.add(kind)
                todo.append(kind)
    return found


def _lenient(kind: type) -> bool:
    module = kind.__module__
    return type(module) is str and module.startswith(LENIENT)


def _names_of(kind: type) -> frozenset[str]:
    """What a test that means a class says: `Fraction`, `ma` for one of `numpy.ma`, `approx`."""
    name, module = kind.__name__, str(kind.__module__)
    also = ["approx"] if module.startswith("_pytest.") else []
    return frozenset([name, name.strip("_"), *module.split(".")[1:], *also])


def _items(value: Any, kind: type) -> Iterable[Any]:
    if kind in (list, tuple, set, frozenset):
        return value if len(value) <= WIDEST else [*value][:WIDEST]
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return [*tuple.__iter__(value)]
    if kind is dict:
        return [*value.keys(), *value.values()][:WIDEST]
    numpy = sys.modules.get("numpy")
    if numpy is not None and kind is numpy.ndarray and value.dtype.kind == "O":
        return [*value.ravel()[:WIDEST]]
    return ()
