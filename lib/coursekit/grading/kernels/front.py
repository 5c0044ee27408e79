"""A Jupyter kernel's front: it speaks the wire protocol and hands cells to one notebook's session.

It runs as a thread of the process that grades. Student code runs in an executor, a process of its
own that has neither these sockets nor the key that signs messages.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections import deque
from typing import Any, Protocol

import zmq
from jupyter_client.session import Session as Signer

from coursekit.grading.kernels import messages
from coursekit.grading.kernels.cells import Cell, CellRun
from coursekit.grading.kernels.sockets import Address, bind, new_socket

TO_SUBSCRIBE = 0.25  # seconds that the first client has to listen to what cells print


class Runner(Protocol):
    """What runs the cells of one notebook: `coursekit.grading.kernels.session.Session`."""

    def run(self, cell: Cell) -> CellRun:
        """Run a cell."""

    def interrupt(self) -> None:
        """Interrupt the cell that runs; called from another thread."""

    def close(self) -> None:
        """End what runs; called from another thread."""


class Front:
    """Serves one kernel until it is told to stop. `ports` are by socket name."""

    def __init__(self, runner: Runner, address: Address, key: bytes, scheme: str) -> None:
        self.runner = runner
        self.signer = Signer(key=key, signature_scheme=scheme, username="kernel")
        self.sockets, self.ports = bind(address)
        # Only the waking socket is written from other threads, and under a lock.
        self._wake = new_socket(zmq.PULL)
        self._waker = new_socket(zmq.PUSH)
        self._wake.bind(f"inproc://{id(self)}")
        self._waker.connect(f"inproc://{id(self)}")
        self._lock = threading.Lock()
        self._todo: queue.SimpleQueue[Cell | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[CellRun | Exception] = queue.SimpleQueue()
        self._pending: deque[tuple[list[bytes], dict[str, Any]]] = deque()
        self._running = False
        self._stopping = False
        self._subscribed = time.monotonic() + TO_SUBSCRIBE
        self._loop = threading.Thread(target=self._serve, name="front", daemon=True)
        self._worker = threading.Thread(target=self._work, name="front-cells", daemon=True)

    def start(self) -> None:
        """Begin to serve."""
        self._worker.start()
        self._loop.start()

    @property
    def alive(self) -> bool:
        """Whether it serves."""
        return self._loop.is_alive()

    def interrupt(self) -> None:
        """Interrupt the cell that runs."""
        self.runner.interrupt()

    def stop(self, seconds: float = 5.0) -> None:
        """End the executor and close the sockets; may be called more than once."""
        self._tell("stop")
        self.join(seconds)

    def join(self, seconds: float) -> None:
        """Wait until it has ended."""
        self._loop.join(seconds)

    # The thread that runs cells.

    def _work(self) -> None:
        while (cell := self._todo.get()) is not None:
            try:
                self._done.put(self.runner.run(cell))
            except Exception as error:
                self._done.put(error)
            self._tell("done")
        self.runner.close()  # also what a run that was under way may have started again

    def _tell(self, word: str) -> None:
        with self._lock, contextlib.suppress(zmq.ZMQError):
            self._waker.send_string(word)

    # The thread that has the sockets.

    def _serve(self) -> None:
        try:
            while not self._stopping:
                for name in self._ready():
                    getattr(self, f"_on_{name}")()
        finally:
            self._todo.put(None)
            self.runner.close()
            with self._lock:
                self._waker.close(0)
            for socket in (self._wake, *self.sockets.values()):
                socket.close()

    def _ready(self) -> list[str]:
        """The sockets with something to read, most urgent first.

        Requests wait until somebody listens to iopub, or their first answers would be lost.
        """
        late = self._subscribed - time.monotonic()
        names = ["control", "hb", "iopub", *(["shell"] if late <= 0 else [])]
        poller = zmq.Poller()
        for socket in (self._wake, *(self.sockets[name] for name in names)):
            poller.register(socket, zmq.POLLIN)
        found = dict(poller.poll(None if late <= 0 else round(late * 1000)))
        names = [name for name in names if self.sockets[name] in found]
        return [*(["wake"] if self._wake in found else []), *names]

    def _on_wake(self) -> None:
        if self._wake.recv_string() == "stop":
            self._stopping = True
        else:
            self._finish(self._done.get())

    def _on_hb(self) -> None:
        self.sockets["hb"].send_multipart(self.sockets["hb"].recv_multipart())

    def _on_iopub(self) -> None:
        if self.sockets["iopub"].recv().startswith(b"\x01"):
            self._subscribed = 0.0

    def _on_control(self) -> None:
        self._receive("control")

    def _on_shell(self) -> None:
        self._receive("shell")

    def _receive(self, channel: str) -> None:
        try:
            idents, message = self.signer.recv(self.sockets[channel], mode=0)
        except ValueError:
            return  # not signed with our key
        if idents is None or message is None or not isinstance(message["content"], dict):
            return
        kind = message["header"]["msg_type"]
        if kind == "execute_request":
            self._pending.append((idents, message))
            self._next()
            return
        content = self._answer(kind, message)
        if content is not None:
            self._publish("status", {"execution_state": "busy"}, message)
            self._reply(channel, idents, message, content)
            self._publish("status", {"execution_state": "idle"}, message)

    def _answer(self, kind: str, message: dict[str, Any]) -> dict[str, Any] | None:
        if kind == "kernel_info_request":
            return messages.kernel_info()
        if kind == "interrupt_request":
            self.interrupt()
            return {"status": "ok"}
        if kind == "shutdown_request":
            self._stopping = True
            return {"status": "ok", "restart": bool(message["content"].get("restart"))}
        return messages.minimal(kind)

    # Cells: one at a time, in the order asked for.

    def _next(self) -> None:
        if self._running or not self._pending:
            return
        _, message = self._pending[0]
        try:
            cell = messages.cell_of(message)
        except (KeyError, TypeError):
            self._pending.popleft()
            return self._next()
        self._running = True
        self._publish("status", {"execution_state": "busy"}, message)
        self._todo.put(cell)

    def _finish(self, run: CellRun | Exception) -> None:
        self._running = False
        idents, message = self._pending.popleft()
        try:
            content = self._told(run, message)
        except Exception as error:  # an executor that student code has broken may answer anything
            content = messages.no_kernel(error)
        self._reply("shell", idents, message, content)
        self._publish("status", {"execution_state": "idle"}, message)
        if content["status"] == "error" and message["content"].get("stop_on_error", True):
            self._abort()
        self._next()

    def _told(self, run: CellRun | Exception, message: dict[str, Any]) -> dict[str, Any]:
        """The reply to a request, after all that the cell showed was published."""
        if isinstance(run, Exception):
            return messages.no_kernel(run)
        count = run.execution_count
        code = messages.plain(message["content"]["code"])
        self._publish("execute_input", {"code": code, "execution_count": count or 0}, message)
        for output in run.outputs:
            self._publish(*messages.published(output, count), message)
        return messages.reply(run)

    def _abort(self) -> None:
        while self._pending:
            idents, message = self._pending.popleft()
            self._publish("status", {"execution_state": "busy"}, message)
            self._reply("shell", idents, message, {"status": "aborted"})
            self._publish("status", {"execution_state": "idle"}, message)

    def _publish(self, kind: str, content: dict[str, Any], parent: dict[str, Any]) -> None:
        topic = f"kernel.{kind}".encode()
        self.signer.send(self.sockets["iopub"], kind, content, parent, ident=topic)

    def _reply(
        self, channel: str, idents: list[bytes], request: dict[str, Any], content: dict[str, Any]
    ) -> None:
        kind = request["header"]["msg_type"].replace("_request", "_reply")
        self.signer.send(self.sockets[channel], kind, content, request, ident=idents)
