"""Whose code asks: the notebook's, or a library's on its own account."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator
from types import FrameType

from coursekit.grading.trust.scope import Scope

DEEPEST = 300  # frames that are looked at
# Library code that does for its caller what the caller asks of it.
HELPERS = (
    "/inspect.py",
    "/bdb.py",
    "/pdb.py",
    "/cgitb.py",
    "/code.py",
    "/trace.py",
    "/functools.py",
    "/operator.py",
    "/asyncio/base_tasks.py",
    "/IPython/utils/frame.py",
    "/IPython/core/debugger.py",
    "/IPython/core/ultratb.py",
    "/stack_data/core.py",
    "/executing/executing.py",
    "/_pytest/_code/code.py",
    "/ctypes/__init__.py",
    "/ctypes/util.py",
)
HELPING = {
    "walk_tb",
    "walk_stack",
    "currentframe",
    "get_local_scope",
    "get_stack",
    "get_frame",
    "showtraceback",
}
# Arguments that say how far out to look, and how far a library looks for itself.
DEPTHS = {"depth": 3, "stack_depth": 3, "_stack_depth": 3, "level": 5}


def _library_roots() -> tuple[str, ...]:
    paths = [*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix, sys.exec_prefix]
    here = os.path.dirname(os.path.abspath(__file__))
    paths.append(os.path.dirname(os.path.dirname(here)))
    paths += [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    # A virtual environment inside the notebook's own folder does not make the folder a library.
    return tuple({root + os.sep for path in paths for root in (path, os.path.realpath(path))})


class Frames:
    """Tells the frames of student code from those of libraries, and of test cells.

    `folder` holds the notebook's files, with a `/` at its end: what is imported from there is
    student code.
    """

    def __init__(self) -> None:
        self.roots = _library_roots()
        self.folder = os.devnull

    def of_library(self, frame: FrameType) -> bool:
        """Whether it runs code of an installed library, of Python or of a test cell."""
        name = frame.f_code.co_filename
        if name.startswith("<"):
            return name.startswith("<frozen ") or type(frame.f_globals) is Scope
        return name.startswith(self.roots) and not name.startswith(self.folder)

    def asker(self, frame: FrameType | None, words: frozenset[str]) -> FrameType | None:
        """The frame of student code that asks for what `words` name; None if a library does.

        A library that never says any of these words does not ask of its own accord: it was handed
        the function that does.
        """
        for step in _outwards(frame):
            if not self.of_library(step):
                return step
            if type(step.f_globals) is Scope:
                return None
            if _helps(step):
                words = words | {step.f_code.co_name}
            elif not words or not words.isdisjoint(step.f_code.co_names):
                return None
        return None

    def of_student(self, frame: FrameType | None) -> bool:
        """Whether student code is among the callers."""
        return any(not self.of_library(step) for step in _outwards(frame))


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    for _ in range(DEEPEST):
        if frame is None:
            return
        yield frame
        frame = frame.f_back


def _helps(frame: FrameType) -> bool:
    code = frame.f_code
    if code.co_filename.endswith(HELPERS) or code.co_name in HELPING:
        return True
    asked = frame.f_locals if code.co_argcount and code.co_flags & 3 == 3 else {}
    if asked.get("capture_locals") or asked.get("with_locals"):
        return True
    return any(type(asked.get(name)) is int and asked[name] > most for name, most in DEPTHS.items())
