"""An IPython shell that records what cells show, as a Jupyter kernel would send it."""

from __future__ import annotations

import io
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.formatters import DisplayFormatter
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

# More than any cell means to print; keeps an endless loop of prints from filling the memory.
MOST_PRINTED = 200_000


class Recorder:
    """The outputs of the cell that runs now, in nbformat's form."""

    def __init__(self) -> None:
        self.outputs: list[dict[str, Any]] = []
        self.printed = 0

    def stream(self, name: str, text: str) -> None:
        """Add text to a stream, joined to the last output where that is the same stream."""
        text = text[: max(0, MOST_PRINTED - self.printed)]
        self.printed += len(text)
        if not text:
            return
        last = self.outputs[-1] if self.outputs else {}
        if last.get("name") == name:
            last["text"] += text
        else:
            self.outputs.append({"output_type": "stream", "name": name, "text": text})

    def add(self, kind: str, **content: Any) -> None:
        """Add an output of another kind."""
        self.outputs.append({"output_type": kind, **content})


class _Stream(io.TextIOBase):
    encoding = "utf-8"

    def __init__(self, shell: Shell, name: str, descriptor: int) -> None:
        self._shell, self._name, self._descriptor = shell, name, descriptor

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._shell.recorder.stream(self._name, text)
        return len(text)


class _Hook(DisplayHook):
    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: dict, md_dict: dict | None = None) -> None:
        shell = cast("Shell", self.shell)
        count = shell.execution_count
        shell.recorder.add("execute_result", data=format_dict, metadata={}, execution_count=count)

    def finish_displayhook(self) -> None:
        self._is_active = False


class _Publisher(DisplayPublisher):
    def publish(self, data: Any, metadata: Any = None, source: Any = None, **_: Any) -> None:
        shown = {"text/plain": data.get("text/plain", "")}
        self.shell.recorder.add("display_data", data=shown, metadata={})

    def clear_output(self, wait: bool = False) -> None:
        self.shell.recorder.outputs.clear()


class _PlainFormatter(DisplayFormatter):
    """Text only: rendering each picture would be most of the time of a run."""

    def format(self, obj: Any, include: Any = None, exclude: Any = None) -> tuple[dict, dict]:
        if self.ipython_display_formatter(obj):
            return {}, {}
        return {"text/plain": self.formatters["text/plain"](obj)}, {}


class Shell(InteractiveShell):
    """A shell without a kernel: what a cell shows is kept in `recorder` instead of being sent."""

    displayhook_class = Type(_Hook)
    display_pub_class = Type(_Publisher)

    def __init__(self, **kwargs: Any) -> None:
        self.recorder = Recorder()
        super().__init__(**kwargs)

    def init_display_formatter(self) -> None:
        """Show everything as plain text."""
        self.display_formatter = _PlainFormatter(parent=self)
        self.configurables.append(self.display_formatter)

    def _showtraceback(self, etype: Any, evalue: Any, stb: Any) -> None:
        lines = stb if isinstance(stb, list) else [str(stb)]
        name = getattr(etype, "__name__", str(etype))
        self.recorder.add("error", ename=name, evalue=str(evalue), traceback=lines)

    def enable_gui(self, gui: str | None = None) -> None:
        """Nothing: there is no event loop, so `%matplotlib inline` has nothing to start."""

    def ask_exit(self) -> None:
        """End this process, as `exit` and `quit` end a kernel."""
        os._exit(0)

    def catch_descriptors(self, folder: Path) -> None:
        """Send what is written to descriptors 1 and 2 past Python to files of this process."""
        self.caught = {
            name: tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115
            for name in ("stdout", "stderr")
        }
        for descriptor, file in enumerate(self.caught.values(), start=1):
            os.dup2(file.fileno(), descriptor)

    def outputs_of(self, source: str) -> list[dict[str, Any]]:
        """Run one cell and return its outputs; an error is an output like any other."""
        self.recorder = Recorder()
        self.run_cell(source, store_history=True)
        for name, file in self.caught.items():
            size = os.fstat(file.fileno()).st_size
            if size:
                raw = os.pread(file.fileno(), min(size, MOST_PRINTED), 0)
                os.ftruncate(file.fileno(), 0)
                os.lseek(file.fileno(), 0, os.SEEK_SET)
                self.recorder.stream(name, raw.decode("utf-8", "replace"))
        return self.recorder.outputs


def start(folder: Path) -> Shell:
    """The shell of this process, known to `get_ipython()`, with stdout and stderr recorded."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.xmode = "Plain"
    shell = Shell.instance(config=config)
    shell.catch_descriptors(folder)
    sys.stdout = _Stream(shell, "stdout", 1)  # type: ignore[assignment]
    sys.stderr = _Stream(shell, "stderr", 2)  # type: ignore[assignment]
    sys.path[0] = ""  # as in a kernel: the notebook's own folder
    # A process started in the background ignores it otherwise, and cells could not be interrupted.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return shell
