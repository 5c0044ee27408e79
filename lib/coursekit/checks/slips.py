"""Names for common slips: what a wrong result has in common with the right one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def _near(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and bool((abs(a - b) <= 1e-9 + 1e-5 * abs(b)).all())


def _flipped(got: np.ndarray, target: np.ndarray) -> str:
    return "the sign is flipped" if _near(-got, target) and target.any() else ""


def _transposed(got: np.ndarray, target: np.ndarray) -> str:
    return "it looks transposed" if got.ndim == 2 and _near(got.T, target) else ""


def _reversed(got: np.ndarray, target: np.ndarray) -> str:
    return "the order is reversed" if got.ndim >= 1 and _near(got[::-1], target) else ""


def _permuted(got: np.ndarray, target: np.ndarray) -> str:
    if got.ndim != 1 or not _near(np.sort(got), np.sort(target)):
        return ""
    # Two-valued data such as labels agree after sorting far too easily to mean anything.
    return "right values in a wrong order" if np.unique(target).size > 2 else ""


def _scaled(got: np.ndarray, target: np.ndarray) -> str:
    live = target != 0
    if not live.any() or (got[~live] != 0).any():
        return ""
    ratios = np.unique(np.round(got[live] / target[live], 6))
    if ratios.size != 1 or ratios[0] in (0, 1):
        return ""
    factor = float(ratios[0])
    simple = factor in (2, 3, 4, 10, 100) or 1 / factor in (2, 3, 4, 10, 100)
    if target.size < 2 and not simple:
        return ""
    thing = "it is" if target.ndim == 0 else "every value is"
    return f"{thing} {factor:.4g} times the expected one"


def _shifted(got: np.ndarray, target: np.ndarray) -> str:
    gaps = np.unique(np.round(got - target, 6))
    if gaps.size != 1:
        return ""
    gap = float(gaps[0])
    if abs(gap) == 1 and _near(target, np.round(target)):
        return "off by one"
    if target.size < 3:
        return ""
    return f"every value is {abs(gap):.4g} too {'large' if gap > 0 else 'small'}"


def _zero(got: np.ndarray, target: np.ndarray) -> str:
    return "everything is zero" if got.size > 1 and not got.any() and target.any() else ""


SLIPS: list[Callable[[np.ndarray, np.ndarray], str]] = [
    _zero,
    _flipped,
    _transposed,
    _reversed,
    _permuted,
    _shifted,
    _scaled,
]


def slip(got: np.ndarray, target: np.ndarray) -> str:
    """The likely slip behind `got` in a few words, or "" where none is recognised.

    Both arrays have one shape and are finite or the answer is "".
    """
    if got.dtype.kind == "b" or target.dtype.kind == "b":
        return ""
    a, b = np.asarray(got, dtype=complex).real, np.asarray(target, dtype=complex).real
    if not (np.isfinite(a).all() and np.isfinite(b).all()) or a.size == 0:
        return ""
    with np.errstate(all="ignore"):
        return next((name for find in SLIPS if (name := find(a, b))), "")
