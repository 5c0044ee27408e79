"""Looking up answers in the student's notebook, and names there that were overwritten."""

from __future__ import annotations

import ast
import builtins
import difflib
import dis
import inspect
import sys
import textwrap
import types
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from coursekit.checks.show import is_tensor

MISSING = object()
NOT_DEFINED = "not defined"
# The short names under which a course imports its libraries.
ALIASES = {
    "np": "numpy",
    "plt": "matplotlib.pyplot",
    "torch": "torch",
    "nn": "torch.nn",
    "F": "torch.nn.functional",
    "math": "math",
}


def notebook_namespace() -> MutableMapping[str, Any]:
    """The names that the student's cells have defined."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell.user_ns if shell is not None else vars(sys.modules["__main__"])


def not_found(name: str, namespace: Mapping[str, Any]) -> str:
    """A sentence for an answer that no cell has defined."""
    names = [n for n in namespace if not n.startswith("_")]
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.75)
    guess = f" There is a `{near[0]}`: is one of them misspelled?" if near else ""
    return f"{NOT_DEFINED}: run the cell that gives `{name}` a value.{guess}"


def shadowed(namespace: Mapping[str, Any]) -> dict[str, Any]:
    """Names of Python or of a library that the notebook gave another value, with their originals.

    A function of the student's own that has the name of a built-in one is left alone.
    """
    found: dict[str, Any] = {}
    for name, value in namespace.items():
        original = MISSING if name.startswith("_") else getattr(builtins, name, MISSING)
        if original is not MISSING and callable(original) and not callable(value):
            found[name] = original
    for name, module in ALIASES.items():
        value = namespace.get(name, MISSING)
        if value is not MISSING and not isinstance(value, types.ModuleType) and not callable(value):
            original = sys.modules.get(module)
            if original is not None:
                found[name] = original
    return found


@contextmanager
def restored(namespace: MutableMapping[str, Any], originals: Mapping[str, Any]) -> Iterator[None]:
    """Give overwritten names their original values for a while."""
    before = {name: namespace[name] for name in originals}
    namespace.update(originals)
    try:
        yield
    finally:
        namespace.update(before)


def code_of(function: Any) -> types.CodeType | None:
    """The code of a function, None for other callable objects."""
    code = getattr(function, "__code__", None)
    return code if isinstance(code, types.CodeType) else None


def globals_read(function: Any, namespace: Mapping[str, Any]) -> list[str]:
    """Data of the notebook that a function reads instead of its arguments."""
    code = code_of(function)
    if code is None:
        return []
    names = [
        step.argval
        for step in dis.get_instructions(code)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    ]
    return [name for name in dict.fromkeys(names) if _is_data(namespace.get(name))]


def _is_data(value: Any) -> bool:
    return isinstance(value, int | float | list | tuple | np.ndarray | np.generic) or is_tensor(
        value
    )


def only_placeholder(function: Any) -> bool:
    """Whether nothing but a docstring and the placeholder `raise` stands in a function."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return True
    body = getattr(tree, "body", [])
    return all(isinstance(step, ast.Raise) or _is_text(step) for step in body)


def _is_text(step: ast.stmt) -> bool:
    return isinstance(step, ast.Expr) and isinstance(step.value, ast.Constant)
