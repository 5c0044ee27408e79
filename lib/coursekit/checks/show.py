"""Short, safe text for values in messages."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

LONGEST = 90


def shorten(text: str, longest: int = LONGEST) -> str:
    """One line of at most `longest` characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def is_tensor(value: Any) -> bool:
    """Whether `value` is a torch tensor, without importing torch for it."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def _array(value: np.ndarray) -> str:
    if value.size > 40:
        return f"an array of shape {value.shape}"
    if value.size > 12:
        return np.array2string(value, separator=", ", precision=6, threshold=12, edgeitems=3)
    return _items(value.tolist())


def _items(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_items, value))}]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def show(value: Any) -> str:
    """`value` as a beginner would write it; objects of unknown classes by their class only.

    The `repr` of a student's own class is student code, so it is not run here.
    """
    if is_tensor(value):
        return shorten(f"tensor({_array(plain_tensor(value))})")
    if isinstance(value, np.ndarray):
        return shorten(_array(value))
    if isinstance(value, np.generic):
        return show(value.item())
    if isinstance(value, float):
        return f"{float(value):.8g}"
    if value is None or type(value) in (bool, int, str, complex, bytes):
        return shorten(repr(value))
    if type(value) in (list, tuple):
        left, right = "[]" if type(value) is list else "()"
        return shorten(left + ", ".join(show(item) for item in value[:12]) + right)
    return _model(value) or a_kind(value)


def _model(value: Any) -> str:
    """A torch model by the classes of its parts, "" for anything else."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.nn.Module):
        return ""
    parts = ", ".join(type(part).__name__ for part in value.children())
    return shorten(f"{type(value).__name__}({parts})")


def plain_tensor(value: Any) -> np.ndarray:
    """The numbers of a tensor as a NumPy array, whatever its device, gradient or subclass."""
    import torch

    with torch._C.DisableTorchFunctionSubclass():
        bare = value.detach().cpu()
        if bare.dtype in (torch.bfloat16, torch.float16):
            bare = bare.float()
        return bare.numpy()


NAMES = {
    bool: "a truth value",
    int: "a whole number",
    float: "a number",
    complex: "a complex number",
    str: "a text",
    list: "a list",
    tuple: "a tuple",
    dict: "a dictionary",
    set: "a set",
}


def a_kind(value: Any) -> str:
    """The kind of a value in words: "a list", "a NumPy array of shape (3,)"."""
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return f"a NumPy array of shape {value.shape}"
    if is_tensor(value):
        return f"a torch tensor of shape {tuple(value.shape)}"
    if isinstance(value, np.generic):
        return NAMES.get(type(value.item()), "a NumPy number")
    if type(value) in NAMES:
        return NAMES[type(value)]
    if callable(value) and hasattr(value, "__name__"):
        return "a function"
    return f"an object of type {shorten(type(value).__name__, 40)}"


def show_call(name: str, args: Iterable[Any], kwargs: Mapping[str, Any]) -> str:
    """A call as it would be typed, shortened: `predict([[2, 0]], [1, 0], 0)`."""
    parts = [shorten(show(arg), 60) for arg in args]
    parts += [f"{key}={shorten(show(value), 60)}" for key, value in kwargs.items()]
    return f"{name}({shorten(', '.join(parts), 150)})"
