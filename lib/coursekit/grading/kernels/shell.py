"""An IPython shell without a Jupyter server: what cells show is recorded in nbformat's form."""

from __future__ import annotations

import builtins
import getpass
import io
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

from coursekit.grading.kernels.cells import Limits
from coursekit.grading.kernels.recorder import Recorder


class NoKeyboard(RuntimeError):
    """A cell waits for input, and nobody is there to type it."""


class _Stream(io.TextIOBase):
    encoding = "utf-8"
    errors = "replace"

    def __init__(self, shell: Shell, name: str, descriptor: int) -> None:
        self._shell, self.name, self._descriptor = shell, name, descriptor

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._shell.recorder.stream(self.name, text)
        return len(text)


class _Hook(DisplayHook):
    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: dict, md_dict: dict | None = None) -> None:
        recorder = cast("Shell", self.shell).recorder
        recorder.add(
            "execute_result",
            data=format_dict,
            metadata=md_dict or {},
            execution_count=recorder.count,
        )

    def finish_displayhook(self) -> None:
        self._is_active = False


class _Publisher(DisplayPublisher):
    def publish(
        self,
        data: Any,
        metadata: Any = None,
        source: Any = None,
        *,
        transient: Any = None,
        update: bool = False,
        **_: Any,
    ) -> None:
        name = str((transient or {}).get("display_id", ""))
        cast("Shell", self.shell).recorder.show(dict(data), dict(metadata or {}), name, update)

    def clear_output(self, wait: bool = False) -> None:
        cast("Shell", self.shell).recorder.clear(wait)


class Shell(InteractiveShell):
    """A shell without a kernel: what a cell shows is kept in `recorder` instead of being sent."""

    displayhook_class = Type(_Hook)
    display_pub_class = Type(_Publisher)

    def __init__(self, **kwargs: Any) -> None:
        self.limits = Limits()
        self.recorder = Recorder(self.limits)
        self.caught: dict[str, BinaryIO] = {}
        self.exiting = False
        super().__init__(**kwargs)

    def _showtraceback(self, etype: Any, evalue: Any, stb: Any) -> None:
        lines = stb if isinstance(stb, list) else [str(stb)]
        name = getattr(etype, "__name__", str(etype))
        self.recorder.add("error", ename=name, evalue=_said(evalue), traceback=lines)

    def enable_gui(self, gui: str | None = None) -> None:
        """Nothing: there is no event loop, so `%matplotlib inline` has nothing to start."""

    def enable_matplotlib(self, gui: str | None = None) -> tuple[str | None, str]:
        """Pictures in the notebook, whatever window or widget was asked for: nobody watches."""
        return cast("tuple[str | None, str]", super().enable_matplotlib("inline"))

    def ask_exit(self) -> None:
        """Nothing: `exit` and `quit` end their cell, never the notebook."""
        self.exiting = True

    def catch_descriptors(self) -> None:
        """Send what is written to descriptors 1 and 2 past Python to files of this process."""
        self.caught = {name: _unnamed_file(name) for name in ("stdout", "stderr")}
        for descriptor, file in enumerate(self.caught.values(), start=1):
            os.dup2(file.fileno(), descriptor)

    def outputs_of(self, source: str) -> list[dict[str, Any]]:
        """Run one cell and return its outputs; an error is an output like any other."""
        with self.recording() as recorder:
            self.run_cell(source, store_history=True)
        return recorder.outputs

    @contextmanager
    def recording(self) -> Iterator[Recorder]:
        """Record what is shown and written inside."""
        recorder = self.recorder = Recorder(self.limits, self.execution_count)
        try:
            yield recorder
        finally:
            for name, file in self.caught.items():
                _take(recorder, name, file)


def _said(error: Any) -> str:
    try:
        return str(error)
    except BaseException:
        return "an error that cannot be shown"


def _unnamed_file(name: str) -> BinaryIO:
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create(name), "r+b", buffering=0)  # noqa: SIM115
    return cast(BinaryIO, tempfile.TemporaryFile(buffering=0))  # noqa: SIM115


def _take(recorder: Recorder, name: str, file: BinaryIO) -> None:
    """Move what a file has caught to the record."""
    size = os.fstat(file.fileno()).st_size
    if size:
        raw = os.pread(file.fileno(), min(size, recorder.limits.output_chars), 0)
        os.ftruncate(file.fileno(), 0)
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        recorder.stream(name, raw.decode("utf-8", "replace"))


def _no_keyboard(*_: Any, **__: Any) -> str:
    raise NoKeyboard("this code waits for keyboard input, and nobody types while it is graded")


def _no_debugger(*_: Any, **__: Any) -> None:
    print("breakpoint() was skipped: nobody is there to use the debugger.", file=sys.stderr)


def start() -> Shell:
    """The shell of this process, known to `get_ipython()`, with stdout and stderr recorded."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.xmode = "Plain"
    shell = cast(Shell, Shell.instance(config=config))
    sys.stdout = _Stream(shell, "stdout", 1)  # type: ignore[assignment]
    sys.stderr = _Stream(shell, "stderr", 2)  # type: ignore[assignment]
    builtins.input = getpass.getpass = _no_keyboard
    sys.breakpointhook = _no_debugger
    sys.path[0] = ""  # as in a kernel: the notebook's own folder
    # A process started in the background ignores it otherwise, and cells could not be interrupted.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return shell
