"""The grader's side of the server: starting it, and handles of the executors that it forks."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import coursekit
from coursekit.errors import CourseError
from coursekit.grading.kernels import wire
from coursekit.grading.kernels.cells import Limits

# Libraries that most notebooks want; those that are not installed are left out.
PRELOAD = (
    "numpy", "numpy.testing", "scipy.linalg", "scipy.optimize", "pandas",
    "sklearn.datasets", "sklearn.linear_model", "sklearn.metrics", "sklearn.model_selection",
    "sklearn.svm", "torch", "torch.nn.functional", "matplotlib.pyplot", "matplotlib.style.core",
    "matplotlib_inline.backend_inline", "matplotlib.backends.backend_agg", "ipywidgets",
    "PIL.Image", "unittest", "collections", "itertools", "timeit", "fractions",
)  # fmt: skip
# What the server may know of its user's environment; nothing that may be a secret.
KEPT = {"PATH", "HOME", "LANG", "LANGUAGE", "TZ", "PYTHONPATH", "VIRTUAL_ENV", "MPLCONFIGDIR",
        "XDG_CACHE_HOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"}  # fmt: skip
# Threads do not survive a fork, so no library may start any; and there is a kernel for each core.
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}
SETTINGS = {
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
}
TO_START = 180.0  # seconds; a busy machine with cold disks is slow to import


class Executor:
    """One forked process, and the channel to it."""

    def __init__(self, server: Kernels, pid: int, link: socket.socket) -> None:
        self._server, self.pid, self.link = server, pid, link

    def interrupt(self) -> None:
        """Interrupt the cell that runs."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self.pid, signal.SIGINT)

    def end(self, wait: float = 0.0) -> int | None:
        """End the process and what it left running; its exit code, minus a signal, or None."""
        self.link.close()
        with contextlib.suppress(wire.Closed):
            return self._server.ask({"do": "end", "pid": self.pid, "wait": wait})["code"]
        return None


class Kernels:
    """A warm server, started when the first kernel is wanted.

    `preload` are modules that it imports, `limits` hold for kernels that ask for no others. With
    `isolate=False` kernels are not confined. `purpose` is what notebooks read in the variable
    NBGRADER_EXECUTION. May be used from several threads.
    """

    def __init__(
        self,
        preload: Sequence[str] = PRELOAD,
        limits: Limits | None = None,
        isolate: bool = True,
        purpose: str = "autograde",
    ) -> None:
        self.preload, self.limits = tuple(preload), limits or Limits()
        self.isolate, self.purpose = isolate, purpose
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._link: socket.socket | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Kernels:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def folder(self) -> Path:
        """Where the kernels' throw-away folders are."""
        self.start()
        assert self._folder is not None
        return Path(self._folder.name)

    def start(self) -> None:
        """Start the server if it does not run. Raises CourseError where it cannot be started."""
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._stop()
                self._start()

    def ask(self, message: dict[str, Any], *descriptors: int) -> dict[str, Any]:
        """Send the server a request and return its answer. Raises wire.Closed."""
        with self._lock:
            if self._link is None:
                raise wire.Closed
            wire.send(self._link, message, *descriptors)
            return wire.receive(self._link)

    def fork(self, folder: Path, limits: Limits, purpose: str | None = None) -> Executor:
        """A fresh executor that works in `folder`, which has the folders work, home and tmp.

        Raises CourseError where there is none to be had.
        """
        order = {
            "folder": str(folder),
            "limits": asdict(limits),
            "isolate": self.isolate,
            "purpose": self.purpose if purpose is None else purpose,
        }
        for _ in range(2):
            self.start()
            ours, theirs = socket.socketpair()
            try:
                pid = self.ask({"do": "fork", **order}, theirs.fileno())["pid"]
                executor = Executor(self, pid, ours)
                wire.receive(ours, time.monotonic() + TO_START)
                return executor
            except (wire.Closed, wire.Garbled, TimeoutError):
                ours.close()
            finally:
                theirs.close()
        raise CourseError(f"no kernel can be started: {_broken(folder) or self._log()}")

    def keep(self, module: str, cells: Sequence[str], files: Path, seconds: float = 120.0) -> int:
        """Let the server run the course's own cells and keep what `module` records of them.

        `files` is the folder with the files that they read. Returns how many things are kept.
        """
        with tempfile.TemporaryDirectory(prefix="example-", dir=self.folder) as name:
            shutil.copytree(files, name, dirs_exist_ok=True)
            message = {"module": module, "cells": list(cells), "folder": name, "seconds": seconds}
            with contextlib.suppress(wire.Closed):
                return int(self.ask({"do": "keep", **message})["kept"])
        return 0

    def close(self) -> None:
        """End the server and all its kernels."""
        with self._lock:
            self._stop()

    def _start(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="coursekit-", ignore_cleanup_errors=True)
        ours, theirs = socket.socketpair()
        module = "coursekit.grading.kernels.server"
        with theirs, open(Path(self._folder.name, "log"), "wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", module, str(theirs.fileno()), *self.preload],
                pass_fds=[theirs.fileno()],
                env=_environment(),
                cwd=self._folder.name,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._link = ours
        try:
            wire.receive(ours, time.monotonic() + TO_START)
        except (wire.Closed, wire.Garbled, TimeoutError):
            said = self._log()
            self._stop()
            raise CourseError(f"the server of the kernels does not start: {said}") from None

    def _stop(self) -> None:
        if self._link is not None:
            self._link.close()
        if self._process is not None:
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._folder is not None:
            self._folder.cleanup()
        self._link = self._process = self._folder = None

    def _log(self) -> str:
        if self._folder is None:
            return "it was closed"
        lines = Path(self._folder.name, "log").read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it ended without a word"


def _broken(folder: Path) -> str:
    with contextlib.suppress(OSError, IndexError):
        return (folder / "broken").read_text(errors="replace").strip().splitlines()[-1]
    return ""


def _environment() -> dict[str, str]:
    """The clean environment of a server."""
    kept = {
        name: value for name, value in os.environ.items() if name in KEPT or name.startswith("LC_")
    }
    # The package may be on sys.path only in this process, e.g. under a test runner.
    paths = [str(Path(coursekit.__path__[0]).parent), kept.get("PYTHONPATH", "")]
    return {**kept, **ONE_THREAD, **SETTINGS, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
