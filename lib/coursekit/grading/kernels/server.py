"""The process that has the libraries imported and forks executors; it never runs student code.

Started by `coursekit.grading.kernels.client` with a clean environment. It ends, and all that it
forked, when the client's end of its channel closes.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import os
import pickle
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psutil

from coursekit.grading.kernels import wire
from coursekit.grading.kernels.executor import Order, serve
from coursekit.grading.kernels.shell import Shell, start
from coursekit.grading.sandbox import prepare
from coursekit.grading.trust import Guard

PR_SET_CHILD_SUBREAPER = 36


class Server:
    """Forks executors on request and tells how they ended."""

    def __init__(self, link: socket.socket, shell: Shell, guard: Guard) -> None:
        self.link, self.shell, self.guard = link, shell, guard
        self.children: set[int] = set()

    def serve(self) -> None:
        """Answer requests until the client is gone."""
        does: dict[str, Callable[..., dict[str, Any]]] = {
            "fork": self.fork,
            "end": self.end,
            "keep": self.keep,
        }
        try:
            while True:
                message, descriptors = wire.receive_with_descriptors(self.link)
                wire.send(self.link, does[message["do"]](message, descriptors))
        except wire.Closed:
            pass
        finally:
            for pid in list(self.children):
                self.end({"pid": pid}, [])

    def fork(self, message: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
        """Fork an executor that talks over the descriptor that came with the message."""
        (channel,) = descriptors
        pid = os.fork()
        if pid == 0:
            self._become(channel, Order.of(message))
        os.close(channel)
        self.children.add(pid)
        return {"pid": pid}

    def keep(self, message: dict[str, Any], _: list[int]) -> dict[str, Any]:
        """Run the course's own cells in a child, and take over what the modules named keep of it.

        Such a module has a flag `recording` and a dict `pictures`; so far it is the one of figures.
        """
        module = importlib.import_module(message["module"])
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            with open(writing, "wb") as file, contextlib.suppress(BaseException):
                pickle.dump(_recorded(self.shell, module, message), file)
            os._exit(0)
        os.close(writing)
        with open(reading, "rb") as file:
            body = file.read()
        os.waitpid(pid, 0)
        module.pictures.update(pickle.loads(body) if body else {})
        return {"kept": len(module.pictures)}

    def _become(self, channel: int, order: Order) -> None:
        try:
            gc.enable()
            serve(channel, order, self.shell, self.guard)
        except wire.Closed:
            pass
        except BaseException:
            Path(order.folder, "broken").write_text(traceback.format_exc())
        finally:
            os._exit(0)

    def end(self, message: dict[str, Any], _: list[int]) -> dict[str, Any]:
        """End an executor and what it left running; tell its exit code or the signal it died of.

        With `"wait"` seconds it may end by itself first.
        """
        pid = int(message["pid"])
        if pid not in self.children:
            return {"code": None}
        status = _wait(pid, float(message.get("wait", 0)))
        if status is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            status = os.waitpid(pid, 0)[1]
        self.children.discard(pid)
        self._end_orphans()
        return {"code": os.waitstatus_to_exitcode(status)}

    def _end_orphans(self) -> None:
        """Kill processes that ended executors have left: the system made them this one's."""
        for _ in range(100):
            orphans = [p for p in psutil.Process().children() if p.pid not in self.children]
            if not orphans:
                return
            for process in orphans:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(process.pid, 0)


def _recorded(shell: Shell, module: Any, message: dict[str, Any]) -> dict[bytes, bytes]:
    """What a module keeps while some cells run."""
    module.recording = True
    os.environ["NBGRADER_EXECUTION"] = "autograde"
    shell.catch_descriptors()
    os.chdir(message["folder"])
    signal.alarm(round(message["seconds"]))
    for source in message["cells"]:
        shell.outputs_of(source)
    pictures: dict[bytes, bytes] = module.pictures
    return pictures


def _wait(pid: int, seconds: float) -> int | None:
    """The exit status of a child that ends within some seconds."""
    until = time.monotonic() + seconds
    while True:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return status
        if time.monotonic() >= until:
            return None
        time.sleep(0.002)


def preload(names: Sequence[str]) -> None:
    """Import what notebooks will want; a library that is not installed is left out."""
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    if "matplotlib.pyplot" in sys.modules:
        _draw_once()


def _draw_once() -> None:
    """Draw a picture: matplotlib then has its fonts and the parts that it loads late."""
    import matplotlib.style.core
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.style.context("default"):
        figure = Figure()
        axes = figure.add_subplot()
        axes.plot([1, 2], [3, 4], label="$w_1$")
        axes.scatter([1], [2])
        axes.set_title("a title")
        axes.legend()
        FigureCanvasAgg(figure).print_png(io.BytesIO())


def _reap_grandchildren() -> None:
    with contextlib.suppress(Exception):
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def main(descriptor: int, names: Sequence[str]) -> None:
    """Get warm, say so, and serve."""
    # Lets the client's Ctrl-C be the client's own business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _reap_grandchildren()
    shell = start()
    preload(names)
    prepare()
    guard = Guard()
    gc.collect()
    gc.freeze()
    gc.disable()  # a collection in the server would only make forks copy more
    with socket.socket(fileno=descriptor) as link:
        wire.send(link, {"ready": True})
        Server(link, shell, guard).serve()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
