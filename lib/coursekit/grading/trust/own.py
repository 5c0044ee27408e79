"""The grader's own code: followed, made unchangeable, and out of student code's sight."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from coursekit.grading.trust.contents import loaded


def followed(function: Callable[..., Any], then: Callable[[], None]) -> Callable[..., Any]:
    """The function, with `then` called each time that it has ended."""

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        finally:
            then()

    functools.update_wrapper(call, function)
    del call.__wrapped__  # type: ignore[attr-defined]
    return call


def classes_of_the_grader() -> list[type]:
    """The classes that student code must not change: those of the grader and of the checks."""
    modules = loaded(["coursekit.grading.*", "coursekit.checks", "coursekit.checks.*"])
    names = {module.__name__ for module in modules}
    found = [value for module in modules for value in vars(module).values()]
    return [
        kind for kind in dict.fromkeys(v for v in found if isinstance(v, type))
        if kind.__module__ in names
    ]  # fmt: skip


def hide_the_grader() -> None:
    """Take the grader's modules out of `sys.modules` and of their package."""
    for name in [*sys.modules]:
        if name == "coursekit.grading" or name.startswith("coursekit.grading."):
            del sys.modules[name]
    course: ModuleType | None = sys.modules.get("coursekit")
    if course is not None and hasattr(course, "grading"):
        del course.grading
