"""What a case may expect of an answer: a value, a kind, a property, an error, or several parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from coursekit.checks.compare import (
    as_array,
    holds_whole,
    is_number,
    missing,
    number_problem,
    text_problem,
)
from coursekit.checks.problem import Problem
from coursekit.checks.show import a_kind, show


@runtime_checkable
class Expectation(Protocol):
    """Anything that can say what is wrong with an answer."""

    def problem(self, got: Any) -> Problem | None:
        """The first fault of `got`, or None where it is right."""
        ...


@dataclass(frozen=True)
class close:
    """A number or an array of numbers, to a tolerance.

    `rtol` and `atol` default to 1e-6 and 1e-8, and to 2e-5 and 1e-6 for a float32 answer. `tol`
    sets both. `dtype` ("float32") and `kind` ("numpy", "torch") are asked for only where given.
    """

    value: Any
    tol: float | None = None
    rtol: float | None = None
    atol: float | None = None
    dtype: str | None = None
    kind: str | None = None

    def problem(self, got: Any) -> Problem | None:
        """The first fault of `got`: kind, shape, dtype, finite, close."""
        rtol = self.tol if self.rtol is None else self.rtol
        atol = self.tol if self.atol is None else self.atol
        return number_problem(got, self.value, rtol, atol, self.dtype, self.kind)


@dataclass(frozen=True)
class text:
    """A text, compared without regard to case and outer blanks."""

    value: str

    def problem(self, got: Any) -> Problem | None:
        """The fault of `got` as a text."""
        return text_problem(got, self.value)


class parts:
    """Several results returned together, each with a name for the message.

    `parts(w=[1, 2], b=0.0)` expects a tuple (or list) of two; a part is a value or an expectation.
    """

    def __init__(self, **named: Any) -> None:
        self.named: Mapping[str, Expectation] = {k: expectation(v) for k, v in named.items()}

    def problem(self, got: Any) -> Problem | None:
        """The fault of the number of results, or all faults of the parts."""
        names = ", ".join(self.named)
        if missing(got) is not None:
            return missing(got)
        if not isinstance(got, list | tuple):
            return Problem.same(
                f"returned {a_kind(got)}, expected {len(self.named)} results: {names}"
            )
        if len(got) != len(self.named):
            return Problem.same(f"returned {len(got)} results, expected {len(self.named)}: {names}")
        found = [
            fault.about(f"`{name}`")
            for (name, wanted), item in zip(self.named.items(), got, strict=True)
            if (fault := wanted.problem(item)) is not None
        ]
        if not found:
            return None
        return Problem("; ".join(f.shown for f in found), "; ".join(f.closed for f in found))


class sequence:
    """A list or tuple of results that are not one block of numbers (arrays of several shapes)."""

    def __init__(self, values: list | tuple) -> None:
        self.values = [expectation(value) for value in values]

    def problem(self, got: Any) -> Problem | None:
        """The fault of the length or of the first wrong item."""
        absent = missing(got)
        if absent is not None:
            return absent
        if not isinstance(got, list | tuple):
            return Problem.same(f"returned {a_kind(got)}, expected a list or tuple")
        if len(got) != len(self.values):
            return Problem(
                f"{len(got)} items, expected {len(self.values)}", "the number of items is wrong"
            )
        for place, (wanted, item) in enumerate(zip(self.values, got, strict=True)):
            fault = wanted.problem(item)
            if fault is not None:
                return fault.about(f"item {place}")
        return None


@dataclass(frozen=True)
class holds:
    """A property: `test(got)` must be true; `says` states it ("every label is -1 or +1").

    A test that raises counts as false, so it may assume a well-formed answer. `numeric=True` first
    turns the answer into a NumPy array and reports anything that is not finite numbers.
    """

    says: str
    test: Callable[[Any], Any]
    numeric: bool = False

    def problem(self, got: Any) -> Problem | None:
        """The fault that the property does not hold."""
        absent = missing(got)
        if absent is not None:
            return absent
        value = as_array(got) if self.numeric else got
        if value is None:
            return Problem.same(f"returned {a_kind(got).split(' of shape')[0]}, expected numbers")
        if self.numeric and not np.isfinite(value).all():
            return Problem.same("contains NaN (not a number) or infinity")
        try:
            right = bool(self.test(value))
        except Exception:
            right = False
        closed = f"this should hold: {self.says}"
        return None if right else Problem(f"got {show(got)}; {closed}", closed)


@dataclass(frozen=True)
class kind:
    """A plain value of one kind: int (a whole number), float (a number), bool or str."""

    type: type

    def problem(self, got: Any) -> Problem | None:
        """The fault that `got` is of another kind."""
        absent = missing(got)
        if absent is not None:
            return absent
        if self.type is bool:
            right = type(got) is bool or isinstance(got, np.bool_)
        elif self.type in (int, float):
            right = is_number(got) and (self.type is float or holds_whole(got))
        else:
            right = type(got) is self.type
        wanted = {int: "a whole number", float: "a number", bool: "True or False", str: "a text"}
        wanted_name = wanted.get(self.type, self.type.__name__)
        return None if right else Problem.same(f"expected {wanted_name}, got {show(got)}")


class one_of:
    """Any of several values or expectations; the message is that of the first."""

    def __init__(self, *values: Any) -> None:
        self.options = [expectation(value) for value in values]

    def problem(self, got: Any) -> Problem | None:
        """The fault against the first option where none fits."""
        found = [option.problem(got) for option in self.options]
        return None if None in found else found[0]


class all_of:
    """Every one of several expectations; the first fault is told."""

    def __init__(self, *values: Any) -> None:
        self.wanted = [expectation(value) for value in values]

    def problem(self, got: Any) -> Problem | None:
        """The first fault."""
        return next((p for want in self.wanted if (p := want.problem(got)) is not None), None)


@dataclass(frozen=True)
class raises:
    """The call must raise this error (as `raise ValueError("...")` does)."""

    error: type[Exception]

    def problem(self, got: Any) -> Problem | None:
        """The fault that the call returned; called only where nothing was raised."""
        return Problem(
            f"returned {show(got)}, expected it to raise {self.error.__name__}",
            f"returned a value, expected it to raise {self.error.__name__}",
        )


class _Same:
    def __init__(self, value: Any) -> None:
        self.value = value

    def problem(self, got: Any) -> Problem | None:
        if got is self.value:
            return None
        return Problem(f"got {show(got)}, expected {show(self.value)}", "the value is wrong")


def expectation(value: Any, tol: float | None = None) -> Expectation:
    """The expectation that a plain value stands for: numbers close, texts equal, tuples by part."""
    if isinstance(value, Expectation):
        return value
    if isinstance(value, str):
        return text(value)
    if value is None:
        return _Same(None)
    if as_array(value) is not None and not _several(value):
        return close(value, tol)
    if isinstance(value, list | tuple):
        return sequence([expectation(item, tol) for item in value])
    raise TypeError(f"a case cannot expect {a_kind(value)}; use holds(...) for a property")


def _several(value: Any) -> bool:
    arrays = [as_array(item) for item in value] if isinstance(value, tuple) else []
    return any(array is not None and array.ndim for array in arrays)
