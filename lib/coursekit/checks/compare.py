"""Stepwise comparison of an answer with what was expected: type, shape, dtype, finite, close."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from coursekit.checks.problem import NOT_ATTEMPTED, Problem
from coursekit.checks.show import a_kind, is_tensor, plain_tensor, show
from coursekit.checks.slips import slip

RTOL, ATOL = 1e-6, 1e-8
# Single precision keeps about seven digits, and a sum of many terms loses one or two of them.
SINGLE_RTOL, SINGLE_ATOL = 2e-5, 1e-6
# Where a whole number is expected, room for rounding but never for being off by one (below 1e9).
WHOLE_RTOL, WHOLE_ATOL = 1e-9, 1e-6


def missing(got: Any) -> Problem | None:
    """The fault of an answer that is not there at all: None or the placeholder dots."""
    if got is Ellipsis:
        return Problem.same(NOT_ATTEMPTED)
    if got is None:
        return Problem.same("returned None: is a `return` missing?")
    return None


def as_array(value: Any) -> np.ndarray | None:
    """The numbers or truth values in `value` as a NumPy array; None where it is not numeric.

    Takes numbers, nested lists and tuples, NumPy arrays and torch tensors.
    """
    bare: np.ndarray | None
    if is_tensor(value):
        return plain_tensor(value)
    if isinstance(value, np.ndarray):
        bare = np.ndarray.view(value, np.ndarray)
    elif isinstance(value, np.generic) or type(value) in (bool, int, float, complex):
        bare = np.asarray(value)
        if bare.dtype == object:
            # A whole number beyond 64 bits; where exactness counts, the number itself is compared.
            bare = np.asarray(float(value))
    elif isinstance(value, list | tuple):
        bare = _stack(value)
    else:
        return None
    if bare is None or bare.dtype.kind not in "biufc":
        return None
    return bare


def _stack(items: list | tuple) -> np.ndarray | None:
    rows = [row for item in items if (row := as_array(item)) is not None]
    if len(rows) < len(items) or len({row.shape for row in rows}) > 1:
        return None
    return np.stack(rows) if rows else np.empty(0)


def number_problem(
    got: Any,
    expected: Any,
    rtol: float | None = None,
    atol: float | None = None,
    dtype: str | None = None,
    kind: str | None = None,
) -> Problem | None:
    """The first fault of `got` against a numeric `expected`, or None where it is right.

    `kind` may ask for "numpy" or "torch", `dtype` for a type by name ("float32"); otherwise lists,
    arrays and tensors of any float type are taken alike.
    """
    target = as_array(expected)
    assert target is not None, "the expected value of a case must be numeric"
    found = as_array(got)
    problem = missing(got) or _kind_problem(got, found, target, kind)
    if problem is not None or found is None:
        return problem
    exact = rtol is None and atol is None
    if exact and _whole(expected) and _whole(got):
        return None if int(got) == int(expected) else _off(found, target, got, expected)
    return (
        _shape_problem(found, target)
        or _dtype_problem(found, target, dtype)
        or _finite_problem(found, target)
        or _value_problem(found, target, rtol, atol, got)
    )


def _kind_problem(
    got: Any, found: np.ndarray | None, target: np.ndarray, kind: str | None
) -> Problem | None:
    wanted = "a number" if target.ndim == 0 else "an array of numbers"
    if found is None:
        return Problem(
            f"returned {a_kind(got)}{_lazy(got)}, expected {wanted}",
            f"returned {a_kind(got).split(' of shape')[0]}, expected {wanted}",
        )
    if kind == "numpy" and not isinstance(got, np.ndarray | np.generic):
        return Problem.same(f"returned {a_kind(got).split(' of shape')[0]}, expected a NumPy array")
    if kind == "torch" and not is_tensor(got):
        return Problem.same(
            f"returned {a_kind(got).split(' of shape')[0]}, expected a torch tensor"
        )
    return None


def _lazy(got: Any) -> str:
    if hasattr(got, "__next__"):
        return " (nothing is computed until you write `list(...)` around it)"
    return " (written without its brackets?)" if a_kind(got) == "a function" else ""


def _shape_problem(found: np.ndarray, target: np.ndarray) -> Problem | None:
    if found.shape == target.shape:
        return None
    if target.size == 0 and target.ndim == 1:
        return Problem.same("returned something, expected an empty list")
    if target.ndim == 0:
        return Problem(
            f"shape {found.shape}, expected a single number",
            f"returned an array with {found.ndim} dimension(s), expected a single number",
        )
    if found.ndim != target.ndim:
        closed = f"the result has {found.ndim} dimension(s), expected {target.ndim}"
    else:
        closed = "the shape is wrong, though the number of dimensions is right"
    got = f"a single number, shape {found.shape}" if found.ndim == 0 else f"shape {found.shape}"
    return Problem(f"{got}, expected {target.shape}", closed)


def _dtype_problem(found: np.ndarray, target: np.ndarray, dtype: str | None) -> Problem | None:
    if dtype is not None and found.dtype != np.dtype(dtype):
        return Problem.same(f"dtype {found.dtype}, expected {dtype}")
    if target.dtype.kind == "b" and found.dtype.kind != "b":
        return Problem.same("returned numbers, expected True or False")
    if target.dtype.kind != "b" and found.dtype.kind == "b":
        return Problem.same("returned True or False, expected numbers")
    if found.dtype.kind == "c" and target.dtype.kind != "c":
        return Problem.same("returned complex numbers, expected real ones")
    return None


def _finite_problem(found: np.ndarray, target: np.ndarray) -> Problem | None:
    if found.dtype.kind not in "fc":
        return None
    for name, test in (("NaN (not a number)", np.isnan), ("infinity", np.isinf)):
        wrong = test(found) & ~test(target)
        if wrong.any():
            return Problem(f"contains {name}{_where(wrong)}", f"contains {name}")
    return None


def _where(wrong: np.ndarray) -> str:
    if wrong.ndim == 0:
        return ""
    first = tuple(int(i) for i in np.argwhere(wrong)[0])
    place = str(list(first))
    return f" at {place}" if wrong.sum() == 1 else f", first at {place}"


def _value_problem(
    found: np.ndarray, target: np.ndarray, rtol: float | None, atol: float | None, got: Any
) -> Problem | None:
    wrong = ~_close(found, target, rtol, atol)
    if not wrong.any():
        return None
    if target.size <= 12:
        return _off(found, target, got, target)
    at = tuple(np.argwhere(wrong)[0])
    shown = (
        f"{int(wrong.sum())} of {target.size} values are wrong, first at "
        f"{[int(i) for i in at]}: got {show(found[at])}, expected {show(target[at])}"
    )
    return Problem(shown + _guess(found, target), "some values are wrong" + _guess(found, target))


def _off(found: np.ndarray, target: np.ndarray, got: Any, expected: Any) -> Problem:
    """The fault of few numbers, shown in full."""
    closed = "the value is wrong" if target.ndim == 0 else "some values are wrong"
    guess = _guess(found, target)
    return Problem(f"got {show(got)}, expected {show(expected)}{guess}", closed + guess)


def _guess(found: np.ndarray, target: np.ndarray) -> str:
    named = slip(found, target)
    return f"; {named}" if named else ""


def _whole(value: Any) -> bool:
    """Whether a value is one whole number by type, so that it can be compared exactly."""
    return type(value) is int or isinstance(value, np.integer)


def _close(
    found: np.ndarray, target: np.ndarray, rtol: float | None, atol: float | None
) -> np.ndarray:
    if target.dtype.kind == "b":
        return np.asarray(found == target)
    usual = _tolerance(found, target)
    rtol, atol = usual[0] if rtol is None else rtol, usual[1] if atol is None else atol
    a, b = found.astype(complex), target.astype(complex)
    with np.errstate(all="ignore"):
        near = np.isfinite(b) & (abs(a - b) <= atol + rtol * abs(b))
    return np.asarray(near | (a == b) | (np.isnan(a) & np.isnan(b)))


def _tolerance(found: np.ndarray, target: np.ndarray) -> tuple[float, float]:
    """The relative and absolute tolerance that the types of both sides ask for."""
    if found.dtype in (np.float32, np.float16):
        return SINGLE_RTOL, SINGLE_ATOL
    return (WHOLE_RTOL, WHOLE_ATOL) if target.dtype.kind in "iu" else (RTOL, ATOL)


def text_problem(got: Any, expected: str) -> Problem | None:
    """The fault of an answer that should be the text `expected`; case and outer blanks are free."""
    absent = missing(got)
    if absent is not None:
        return absent
    if type(got) is not str:
        return Problem.same(f"expected a text in quotation marks, got {a_kind(got)}")
    if got.strip().lower() == expected.strip().lower():
        return None
    return Problem(f"got {show(got)}, expected {show(expected)}", "the text is wrong")


def is_number(value: Any) -> bool:
    """Whether `value` is one real number that is finite (truth values are not numbers)."""
    array = as_array(value)
    return (
        array is not None
        and array.ndim == 0
        and array.dtype.kind in "iuf"
        and math.isfinite(float(array))
    )


def holds_whole(value: Any) -> bool:
    """Whether a number is whole, whatever its type: 4, 4.0 and np.int64(4) are."""
    array = as_array(value)
    return array is not None and array.ndim == 0 and float(array) % 1 == 0
