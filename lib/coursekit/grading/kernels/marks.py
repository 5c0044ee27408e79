"""The points of a test cell, from the value of its last line or from the error that it raised."""

from __future__ import annotations

import decimal
import fractions
import math
import sys
from typing import Any

from coursekit.grading.kernels.cells import Verdict

HEAP_TYPE = 1 << 9  # Python's flag of classes that a `class` statement or `type` makes
NUMBERS = (int, float, decimal.Decimal, fractions.Fraction)
UNTOUCHED = "Not attempted yet."


def from_value(value: Any, points: float) -> Verdict:
    """The verdict where the cell ran to its end.

    True and False earn all and nothing, a number of any library is points, None and anything else
    of Python or a library has no influence. An object of the notebook's own class earns nothing.
    """
    truth, number = as_truth(value), as_number(value)
    if truth is not None:
        return Verdict(
            float(points) if truth else 0.0, points, "" if truth else "The test gave False."
        )
    if number is None and made_up(type(value)):
        alert = f"the test ended in an object of the notebook's own class {type(value).__name__}"
        return Verdict(0.0, points, "The mark did not come out as a number.", [alert])
    if number is None:
        shown = type(value).__name__
        alerts = [] if value is None else [f"the test ended in a {shown}, which is no mark"]
        return Verdict(float(points), points, alerts=alerts)
    if not math.isfinite(number):
        alert = f"the test gave {number} for a mark; it counts as 0"
        return Verdict(0.0, points, "The mark did not come out as a number.", [alert])
    kept = float(min(max(number, 0.0), points))
    alerts = []
    if kept != number:
        alerts = [f"the test gave {number:g} of {points:g} points; it counts as {kept:g}"]
    return Verdict(kept, points, alerts=alerts)


def as_truth(value: Any) -> bool | None:
    """A truth value of Python, NumPy or torch; None for anything else."""
    if type(value) is bool:
        return value
    if _of_library(value) and _kind(value) == "bool":
        return bool(value)
    return None


def as_number(value: Any) -> float | None:
    """A single real number of Python, NumPy or torch; None for anything else."""
    if type(value) not in NUMBERS and not _of_library(value) or "complex" in _kind(value):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except (TypeError, ValueError, RuntimeError):
        return None


def _of_library(value: Any) -> bool:
    """Whether it is a single value of NumPy or torch, and not of a class made from theirs."""
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    kind = type(value)
    arrays = (numpy.ndarray,) if numpy else ()
    arrays += (torch.Tensor,) if torch else ()
    if kind in arrays:
        return bool(value.ndim == 0)
    return bool(numpy and issubclass(kind, numpy.generic) and kind in numpy.sctypeDict.values())


def made_up(kind: type) -> bool:
    """Whether a class is not from a module, but was made in the notebook."""
    if not kind.__flags__ & HEAP_TYPE:
        return False
    module = sys.modules.get(kind.__module__)
    outer = kind.__qualname__.split(".")[0]
    return kind.__module__ == "__main__" or not hasattr(module, outer)


def _kind(value: Any) -> str:
    return str(getattr(value, "dtype", "")).removeprefix("torch.")
