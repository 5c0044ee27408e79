"""Copies of plain data, and whether something still equals its copy: without any student code."""

from __future__ import annotations

import sys
from typing import Any

LARGEST = 64 * 2**20  # bytes; larger data is only known by its identity
DEEPEST = 20
PLAIN = (type(None), bool, int, float, complex, str, bytes)


class NotPlain(Exception):
    """The value holds something else than plain data."""


def copied(value: Any, depth: int = 0) -> Any:
    """A deep copy of numbers, texts, arrays, tensors and the lists, tuples, dicts and sets of them.

    Raises NotPlain for anything else, and for data that is too large.
    """
    kind = type(value)
    if kind in PLAIN:
        return value
    if depth > DEEPEST:
        raise NotPlain
    if kind in (list, tuple, set, frozenset):
        return kind([copied(item, depth + 1) for item in value])
    if kind is dict:
        return {copied(key, depth + 1): copied(item, depth + 1) for key, item in value.items()}
    return _copied_block(value)


def _copied_block(value: Any) -> Any:
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    kind = type(value)
    if numpy and kind is numpy.ndarray and value.dtype.kind in "biufcUSmM":
        return value.copy() if value.nbytes <= LARGEST else _too_large()
    if numpy and issubclass(kind, numpy.generic) and kind in numpy.sctypeDict.values():
        return value
    if torch and kind is torch.Tensor and not value.is_sparse:
        small = value.numel() * value.element_size() <= LARGEST
        return value.detach().clone() if small else _too_large()
    raise NotPlain


def _too_large() -> Any:
    raise NotPlain


def equal(value: Any, copy: Any) -> bool:
    """Whether `value` is still what `copied` made of it."""
    kind = type(value)
    if kind is not type(copy):
        return False
    if kind in (list, tuple):
        return len(value) == len(copy) and all(map(equal, value, copy))
    if kind is dict:
        return [*value] == [*copy] and all(equal(value[key], copy[key]) for key in copy)
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy and kind is numpy.ndarray:
        same = value.shape == copy.shape and value.dtype == copy.dtype
        return same and value.tobytes() == copy.tobytes()
    if torch and kind is torch.Tensor:
        same = value.shape == copy.shape and value.dtype == copy.dtype
        return same and bool(torch.equal(value.nan_to_num(), copy.nan_to_num()))
    return bool(value == copy) or value != value


def put_back(value: Any, copy: Any) -> bool:
    """Give `value` its old content in place, where it can take it; returns whether it could."""
    kind = type(value)
    if kind is not type(copy):
        return False
    if kind in (list, dict, set):
        value.clear()
        (value.extend if kind is list else value.update)(copied(copy))
        return True
    torch = sys.modules.get("torch")
    same = getattr(value, "shape", None) == getattr(copy, "shape", ())
    if torch and kind is torch.Tensor and same and value.dtype == copy.dtype:
        value.data.copy_(copy)
        return True
    numpy = sys.modules.get("numpy")
    if numpy and kind is numpy.ndarray and same and value.flags.writeable:
        value[...] = copy
        return True
    return False
