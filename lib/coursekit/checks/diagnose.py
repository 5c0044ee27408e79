"""From what a call did to one sentence about what is wrong with it."""

from __future__ import annotations

import builtins
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

from coursekit.checks.call import Called, NeedsKeyboard, TimeLimit, raised_by, where_raised
from coursekit.checks.namespace import only_placeholder
from coursekit.checks.problem import NOT_ATTEMPTED, Problem
from coursekit.checks.show import shorten, show


def arity_problem(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Problem | None:
    """The fault of a function that cannot take the arguments the exercise gives it."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        names = ", ".join(signature.parameters)
        return Problem.same(
            f"takes ({names}), but the exercise calls it with "
            f"{len(args) + len(kwargs)} argument(s): {error}"
        )
    return None


def error_problem(called: Called, name: str, namespace: Mapping[str, Any], limit: float) -> Problem:
    """The fault of a call that ended in an error.

    A hidden case names the error and the student's own line, never the text of the error, which
    may quote the inputs.
    """
    error = called.error
    assert error is not None
    if isinstance(error, TimeLimit):
        return Problem.same(f"stopped after {limit:g} s: does a loop never end?")
    if isinstance(error, NeedsKeyboard):
        return Problem.same("waits for keyboard input: take out `input()` or `breakpoint()`")
    if isinstance(error, RecursionError):
        return Problem.same("never stops calling itself: is a stopping case missing?")
    if isinstance(error, SystemExit):
        return Problem.same("ends Python itself: take out `exit()` or `quit()`")
    owner = raised_by(error, namespace)
    if isinstance(error, NotImplementedError) and owner:
        return _placeholder_problem(owner, name, namespace)
    return _plain_problem(error, namespace)


def _placeholder_problem(owner: str, name: str, namespace: Mapping[str, Any]) -> Problem:
    function = namespace.get(owner)
    if owner != name and callable(function) and only_placeholder(function):
        return Problem.same(f"calls `{owner}`, which is {NOT_ATTEMPTED}")
    if only_placeholder(namespace.get(name)):
        return Problem.same(NOT_ATTEMPTED)
    return Problem.same(
        f"{NOT_ATTEMPTED}, or the placeholder line `raise NotImplementedError(...)` still stands: "
        "put your code in its place and delete it"
    )


def _plain_problem(error: BaseException, namespace: Mapping[str, Any]) -> Problem:
    line = where_raised(error, namespace)
    place = f" in your line {line.lineno}: `{shorten(line.line or '', 70)}`" if line else ""
    name = type(error).__name__
    # A class made by student code could carry hidden values in its name.
    known = getattr(builtins, name, None) is type(error) or type(error).__module__.split(".")[
        0
    ] in (
        "numpy",
        "torch",
    )
    told = shorten(_plainly(str(error)), 160) if known else ""
    hint = f" ({HINTS[name]})" if name in HINTS else ""
    return Problem(
        f"raised {name}{': ' + told if told else ''}{place}{hint}",
        f"raised {name if known else 'an error'}{place}{hint}",
    )


def _plainly(text: str) -> str:
    """NumPy's text about two arrays that `@` cannot join, in words."""
    sizes = re.search(r"matmul: .*\(size (\d+) is different from (\d+)\)", text)
    return f"sizes {sizes[2]} and {sizes[1]} do not fit together for `@`" if sizes else text


HINTS = {
    "NameError": "is it spelled right, and given a value in the function or in a cell above?",
    "UnboundLocalError": "the name is used before it gets a value inside the function",
    "IndexError": "an index is larger than the array is long",
    "ModuleNotFoundError": "only the packages of the course are there when your work is graded",
}


RETURN = "use `return` to give the result back"


def printed_instead(called: Called) -> Problem | None:
    """The fault of a function that prints its result and returns nothing."""
    if called.value is None and called.printed.strip():
        return Problem(
            f"printed {show(shorten(called.printed, 40))} but returned None: {RETURN}",
            f"printed something but returned None: {RETURN}",
        )
    return None


def changed_problem(called: Called, function: Callable[..., Any]) -> Problem | None:
    """The fault of a function that changed its inputs in place."""
    if not called.changed:
        return None
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        names = []
    which = [
        f"`{names[key]}`" if isinstance(key, int) and key < len(names) else f"argument {key}"
        for key in called.changed
    ]
    return Problem.same(
        f"changed its input {', '.join(which)} in place: work on a copy, or write "
        "`w = w + step` in place of `w += step`"
    )


def warning_notes(called: Called) -> list[Problem]:
    """What the code warned about; warnings never cost points."""
    notes = {(type(w.message).__name__, shorten(str(w.message), 100)): None for w in called.warned}
    return [
        Problem(
            f"{name}: {text}",
            f"your code warned on a hidden case{f' ({name})' if hasattr(builtins, name) else ''}",
        )
        for name, text in list(notes)[:3]
    ]
