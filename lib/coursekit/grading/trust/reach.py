"""What student code reaches for outside its notebook, in words for the grader."""

from __future__ import annotations

import os
import sys
from types import FrameType, FunctionType
from typing import Any

# Parts of paths that belong to a course, or to the kernel itself.
TELLING = (
    "gradebook.db", "nbgrader_config", "source", "release", "autograded", "feedback", "submitted",
    "exchange", ".ssh", "passwd", "shadow",
)  # fmt: skip
PRIVATE = ("/proc/", "/sys/", "/dev/mem", "/dev/fd/")
OPEN_TO_ALL = ("/dev/", "/usr/", "/lib", "/etc/", "/proc/", "/sys/", "/opt/", "/bin", "/sbin")
GRADER = "coursekit/grading/"


class Reach:
    """What lies outside for a notebook whose files are in `folder`; libraries are in `roots`."""

    def __init__(self, folder: str, roots: tuple[str, ...], also: tuple[str, ...] = ()) -> None:
        self._folder = os.path.realpath(folder)
        self._inside = tuple({root for path in (self._folder, *also) for root in _both(path)})
        self._roots = roots

    def outside(self, path: Any) -> str:
        """The path as it is shown to the grader if it lies outside, "" if it may be opened.

        A path from another machine, where nothing is here, is a mistake and not an attempt.
        """
        text = os.fsdecode(path) if type(path) is bytes else path
        if type(text) is not str or not text:
            return ""
        full = os.path.normpath(os.path.join(self._folder, text))
        if (full + os.sep).startswith(self._inside):
            return ""
        if full.startswith(PRIVATE):
            return text if "/mem" in full or "/fd/" in full or "/environ" in full else ""
        known = full.startswith(self._roots + OPEN_TO_ALL)
        if known and not any(part in text for part in ("passwd", "shadow")):
            return ""
        told = any(part in text for part in TELLING)
        return text if told or ".." in text.split(os.sep) or os.path.lexists(full) else ""

    def started(self, event: str, args: tuple[Any, ...], frame: FrameType | None) -> str:
        """What starting a process is called, "" where a library does it on its own account."""
        if event == "os.fork" and _of_module(frame, "multiprocessing"):
            return ""
        command = args[1] if event == "subprocess.Popen" and len(args) > 1 else args[:1]
        return f"tried to start a process: {_shown(command)}".removesuffix(": ")

    def reached(self, args: tuple[Any, ...]) -> str:
        """What a connection is called, "" for one inside this machine's own processes."""
        address = args[1] if len(args) > 1 and type(args[1]) is tuple else args[0]
        host = address[0] if type(address) is tuple and address else address
        if type(host) not in (str, bytes):
            return ""
        return f"tried to reach {_shown([host])} over the network"

    def of_grader(self, thing: Any) -> bool:
        """Whether a function is the grader's own."""
        return isinstance(thing, FunctionType) and GRADER in thing.__code__.co_filename


def _both(path: str) -> tuple[str, str]:
    return path.rstrip(os.sep) + os.sep, os.path.realpath(path).rstrip(os.sep) + os.sep


def _of_module(frame: FrameType | None, name: str) -> bool:
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(name):
            return True
        frame = frame.f_back
    return False


def _shown(words: Any) -> str:
    if isinstance(words, str | bytes):
        words = [words]
    texts = [os.fsdecode(word) for word in words or () if type(word) in (str, bytes)]
    return " ".join(texts)[:120]


def own_places() -> tuple[str, ...]:
    """Folders where libraries keep what is theirs: caches and settings."""
    names = ("HOME", "TMPDIR", "MPLCONFIGDIR", "XDG_CACHE_HOME", "IPYTHONDIR", "JOBLIB_TEMP_FOLDER")
    found = [os.environ[name] for name in names if os.environ.get(name)]
    matplotlib = sys.modules.get("matplotlib")
    return (
        (*found, matplotlib.get_cachedir(), matplotlib.get_configdir()) if matplotlib else (*found,)
    )
