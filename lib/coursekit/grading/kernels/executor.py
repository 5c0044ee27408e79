"""The process that runs one notebook's cells: forked from the server, confined, told what to run.

It answers each request with the request's own secret, so that an answer that student code writes to
the channel is known for what it is.
"""

from __future__ import annotations

import os
import random
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from coursekit.grading.kernels import wire
from coursekit.grading.kernels.cells import Cell, Limits, Verdict
from coursekit.grading.kernels.recorder import TooMuchOutput
from coursekit.grading.kernels.shell import Shell
from coursekit.grading.kernels.testing import run_test
from coursekit.grading.sandbox import Policy, confine
from coursekit.grading.trust import Guard

CHANNEL = 200  # the descriptor of the channel: out of the way of files that cells open


@dataclass(frozen=True)
class Order:
    """What an executor is forked for. `folder` has the folders work, home and tmp."""

    folder: str
    limits: Limits
    isolate: bool
    purpose: str

    @classmethod
    def of(cls, message: dict[str, Any]) -> Order:
        """The order in a message to the server."""
        limits = Limits(**message["limits"])
        return cls(message["folder"], limits, bool(message["isolate"]), message["purpose"])


def serve(channel: int, order: Order, shell: Shell, guard: Guard) -> None:
    """Become the executor: confine this process, then run cells until the channel closes."""
    os.setsid()
    os.dup2(channel, CHANNEL)
    os.closerange(3, CHANNEL)
    os.closerange(CHANNEL + 1, 1024)
    _settle(order)
    shell.limits = order.limits
    shell.catch_descriptors()
    applied = confine(Policy(Path(order.folder), (), order.limits)) if order.isolate else []
    guard.arm(shell, Path(order.folder, "work"))
    with socket.socket(fileno=CHANNEL) as link:
        wire.send(link, {"ready": True, "applied": applied})
        while True:
            request = wire.receive(link)
            answer = answer_to(request, shell, guard)
            wire.send(link, {"secret": request["secret"], **answer})


def _settle(order: Order) -> None:
    """Make the throw-away folder this process's home."""
    folder = Path(order.folder)
    os.chdir(folder / "work")
    os.environ.update(
        HOME=str(folder / "home"),
        TMPDIR=str(folder / "tmp"),
        IPYTHONDIR=str(folder / "home" / ".ipython"),
        NBGRADER_EXECUTION=order.purpose,
    )
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        os.environ.pop(name, None)
    tempfile.tempdir = None
    _same_random_numbers()


def _same_random_numbers() -> None:
    """Unseeded code draws the same numbers for each student and in each run."""
    random.seed(0)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(0)


def answer_to(request: dict[str, Any], shell: Shell, guard: Guard) -> dict[str, Any]:
    """Run the cell of a request and tell what it did."""
    cell = Cell(**request["cell"])
    verdict: Verdict | None = None
    notes: list[str] = []
    flags: list[str] = []
    if cell.asks is not None:
        guard.allow(cell.asks)
    with shell.recording() as recorder, interruptible():
        if cell.points is not None:
            verdict, notes, flags = run_test(shell, cell, guard)
        elif cell.course:
            with guard.course_cell(shell.user_ns):
                _run(shell, cell)
        else:
            _run(shell, cell)
    return {
        "outputs": recorder.outputs,
        "verdict": asdict(verdict) if verdict else None,
        "notes": notes,
        "flags": flags + guard.seen(),
        "execution_count": recorder.count,
    }


def _run(shell: Shell, cell: Cell) -> None:
    try:
        shell.run_cell(cell.source, store_history=True)
    except TooMuchOutput as error:
        shell.recorder.add("error", ename="TooMuchOutput", evalue=str(error), traceback=[])


@contextmanager
def interruptible() -> Iterator[None]:
    """Let SIGINT end what runs inside, and nothing else, whatever a cell made of it before."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
