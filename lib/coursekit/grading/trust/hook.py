"""The audit hook: refuses what would show the tests to student code, and tells of what it tries."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from coursekit.grading.trust.frames import Frames
from coursekit.grading.trust.reach import Reach

REFUSAL = "this is out of reach while the notebook is graded"
# What is refused to student code: how it is said, and the words of code that asks for it itself.
REFUSED = {
    "sys._getframe": ("look at the frames of its callers", "_getframe currentframe"),
    "sys._current_frames": ("look at the frames of all threads", "_current_frames"),
    "sys._current_exceptions": ("look at the errors of all threads", "_current_exceptions"),
    "gc.get_objects": ("search all objects", "get_objects"),
    "gc.get_referrers": ("search for what refers to an object", "get_referrers"),
    "gc.get_referents": ("search for what an object refers to", "get_referents"),
    "sys.settrace": ("trace the running code", "settrace"),
    "sys.setprofile": ("trace the running code", "setprofile Profile enable"),
    "sys.addaudithook": ("add an audit hook", "addaudithook"),
    "code.__new__": ("make code by hand", "replace CodeType"),
    "function.__new__": ("make a function by hand", "FunctionType function"),
    "marshal.loads": ("load code from bytes", "loads"),
    "marshal.load": ("load code from bytes", "load"),
    "ctypes.dlopen": ("use ctypes", ""),
    "ctypes.dlsym": ("use ctypes", ""),
    "ctypes.cdata": ("use ctypes to change memory", ""),
    "ctypes.cdata/buffer": ("use ctypes to change memory", ""),
    "ctypes.string_at": ("use ctypes to read memory", ""),
    "ctypes.wstring_at": ("use ctypes to read memory", ""),
    "ctypes.addressof": ("use ctypes", ""),
    "ctypes.call_function": ("use ctypes", ""),
    "ctypes.create_string_buffer": ("use ctypes", ""),
    "sys.monitoring.register_callback": ("trace the running code", "register_callback"),
}
READ = {
    "tb_frame": "look at the frames of an error",
    "gi_frame": "look at the frames of a generator",
    "cr_frame": "look at the frames of a coroutine",
    "ag_frame": "look at the frames of a generator",
    "__globals__": "look inside a function of the grader",
    "__closure__": "look inside a function of the grader",
}
WRITTEN = {"__code__", "__defaults__", "__kwdefaults__"}
STARTS = {
    "subprocess.Popen", "os.system", "os.fork", "os.forkpty", "os.exec", "os.posix_spawn",
    "os.spawn", "pty.spawn",
}  # fmt: skip
REACHES = {"socket.connect", "socket.getaddrinfo", "socket.bind", "urllib.Request"}
FILES = {
    "open": "open", "os.listdir": "list", "os.scandir": "list", "os.remove": "remove",
    "os.rename": "rename", "os.mkdir": "make", "os.rmdir": "remove", "shutil.rmtree": "remove",
    "sqlite3.connect": "open", "os.chmod": "change", "os.link": "link", "os.symlink": "link",
    "os.truncate": "change", "os.utime": "change",
}  # fmt: skip
FORGED = "run code under the name of a library's file"
_HANDLED = frozenset(["compile", *REFUSED, *STARTS, *REACHES, *FILES])
_WORDS = {event: frozenset(words.split()) for event, (_, words) in REFUSED.items()}
_COMPILING = frozenset(["compile"])
_SAID = {name: frozenset([name]) for name in READ}


def install(
    frames: Frames,
    reach: Reach,
    tell: Callable[[str], None],
    touched: Callable[[Any, str], None],
) -> None:
    """Add the hook to this process, for good.

    `tell` takes what was tried, in words that go on from "the notebook"; `touched` hears of
    functions that get another code.
    """
    getframe, asking = sys._getframe, "sys._getframe"
    getattr_event, setattr_event = "object.__getattr__", "object.__setattr__"
    handled, read, written = _HANDLED, READ, WRITTEN

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == getattr_event:
            if args[1] in read:
                _reading(args, getframe().f_back)
        elif event in handled:
            # This hook asks for its own frame too, and hears of it.
            if event != asking or args[0].f_code is not code:
                _handle(event, args, getframe().f_back)
        elif event == setattr_event and args[1] in written:
            touched(args[0], args[1])

    code = hook.__code__

    def _handle(event: str, args: tuple[Any, ...], frame: FrameType | None) -> None:
        if event == "compile":
            if type(args[1]) is str and args[1].startswith(frames.roots):
                _refuse(FORGED, _COMPILING, frame)
        elif event in REFUSED:
            _refuse(REFUSED[event][0], _WORDS[event], frame)
        elif event in FILES:
            path = reach.outside(args[0]) if args else ""
            if path and frames.of_student(frame):
                tell(f"tried to {FILES[event]} {path}")
        elif frames.of_student(frame):
            said = reach.started(event, args, frame) if event in STARTS else reach.reached(args)
            if said:
                tell(said)

    def _reading(args: tuple[Any, ...], frame: FrameType | None) -> None:
        name = args[1]
        if name.startswith("__") and not reach.of_grader(args[0]):
            return
        _refuse(READ[name], _SAID[name], frame)

    def _refuse(what: str, words: frozenset[str], frame: FrameType | None) -> None:
        if frames.asker(frame, words) is not None:
            tell(f"tried to {what}")
            raise RuntimeError(REFUSAL)

    sys.addaudithook(hook)
