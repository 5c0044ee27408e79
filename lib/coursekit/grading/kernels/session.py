"""One notebook's run: limits are kept, a dead kernel is replaced, and what was earned stays."""

from __future__ import annotations

import math
import secrets
import shutil
import signal
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from coursekit.grading.kernels import wire
from coursekit.grading.kernels.cells import Cell, CellRun, Limits, Verdict
from coursekit.grading.kernels.client import Executor, Kernels
from coursekit.grading.kernels.files import copy_files

GRACE = 2.0  # seconds that an interrupted cell has to end
OUT_OF_TIME = "the notebook had used its"
RESTARTS = 4  # of one notebook; each repeats the cells before
SHOWN = ("stream", "display_data", "execute_result", "error")
HINTS = {
    "MemoryError": "The memory limit of {memory_mb} MB was reached in {cell}.",
    "NoKeyboard": "Your code waits for keyboard input in {cell}: nobody types while "
    "it is graded. Call the function with a value instead.",
}

NOT_INSTALLED = (
    "A library that the course uses is not installed where it is graded, found in {cell}: "
    "that is for the course to mend, not for you."
)


class Session:
    """Runs the cells of one notebook, in order, in a throw-away folder.

    The folder holds a copy of what is in `files`, without notebooks. Nothing that a cell does
    raises here: what happened is in the CellRun.
    """

    def __init__(
        self,
        kernels: Kernels,
        files: Path | None = None,
        limits: Limits | None = None,
        purpose: str | None = None,
    ) -> None:
        self._kernels, self._purpose = kernels, purpose
        self.limits = limits or kernels.limits
        self._files = files
        self._executor: Executor | None = None
        self._folder: Path | None = None
        self._done: list[Cell] = []
        self._until = math.inf  # until the first kernel is there: starting a server takes seconds
        self._restarts = 0
        self.reason = ""  # why cells are not run any more

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, cell: Cell) -> CellRun:
        """Run one cell. Raises CourseError only where no kernel can be started at all."""
        if not self.reason and time.monotonic() >= self._until:
            self.reason = f"{OUT_OF_TIME} {self.limits.notebook_seconds:g} seconds"
        if not self.reason and self._executor is None:
            self._start()
        if self.reason:
            return _without_kernel(cell, f"not reached: {self.reason}")
        return self._ask(cell)

    def interrupt(self) -> None:
        """Interrupt the cell that runs; may be called from another thread."""
        executor = self._executor
        if executor is not None:
            executor.interrupt()

    def close(self) -> None:
        """End the kernel and remove its folder."""
        self._end(0.0)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _start(self) -> None:
        """A fresh executor in which the cells before have run."""
        if self._restarts > RESTARTS:
            self.reason = "the kernel had to be replaced too often"
            return
        self._restarts += 1
        self._lay_folder()
        assert self._folder is not None
        self._executor = self._kernels.fork(self._folder, self.limits, self._purpose)
        if self._until == math.inf:
            self._until = time.monotonic() + self.limits.notebook_seconds
        before, self._done = self._done, []
        for cell in before:
            if self._executor is None or time.monotonic() >= self._until:
                return
            self._ask(cell)

    def _lay_folder(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = Path(tempfile.mkdtemp(prefix="notebook-", dir=self._kernels.folder))
        for name in ("home", "tmp"):
            (self._folder / name).mkdir()
        if self._files is None:
            (self._folder / "work").mkdir()
        else:
            copy_files(self._files, self._folder / "work")

    def _end(self, wait: float) -> int | None:
        executor, self._executor = self._executor, None
        return executor.end(wait) if executor is not None else None

    def _ask(self, cell: Cell) -> CellRun:
        assert self._executor is not None
        secret = secrets.token_hex(16)
        limit = min(self.limits.cell_seconds, max(0.1, self._until - time.monotonic()))
        try:
            wire.send(self._executor.link, {"secret": secret, "cell": asdict(cell)})
            answer, stopped = self._answer(limit, cell)
        except wire.Closed:
            return _without_kernel(cell, f"{self._death()} in {_where(cell)}")
        except wire.Garbled:
            answer, stopped = {}, ""
        except TimeoutError:
            self._end(0.0)
            return _without_kernel(cell, _too_long(limit, cell))
        if answer.get("secret") != secret:
            return self._forged(cell)
        if not stopped and cell.points is None:
            self._done.append(cell)
        return self._told(answer, cell, stopped)

    def _forged(self, cell: Cell) -> CellRun:
        self._end(0.0)
        run = _without_kernel(cell, f"could not be counted: {_where(cell)} wrote to the grader")
        run.flags.append("wrote to the channel between kernel and grader")
        return run

    def _answer(self, limit: float, cell: Cell) -> tuple[dict[str, Any], str]:
        """The executor's answer, and why it was interrupted ("" where it was not)."""
        assert self._executor is not None
        link = self._executor.link
        try:
            return wire.receive(link, time.monotonic() + limit), ""
        except TimeoutError:
            self._executor.interrupt()
        return wire.receive(link, time.monotonic() + GRACE), _too_long(limit, cell)

    def _death(self) -> str:
        code = self._end(0.5)
        if code is not None and code < 0:
            name = signal.Signals(-code).name
            why = {"SIGKILL": "killed, perhaps for its memory", "SIGSEGV": "a crash in C code"}
            return f"the kernel died ({why.get(name, name)})"
        return f"the kernel died (the process was ended with exit code {code})"

    def _told(self, answer: dict[str, Any], cell: Cell, stopped: str) -> CellRun:
        try:
            run = read(answer, cell)
        except (KeyError, TypeError, ValueError):
            return self._forged(cell)
        run.stopped = stopped
        if stopped:
            _say_why(run, stopped)
        for output in run.outputs:
            name = output.get("ename", "")
            hint = HINTS.get(name, "")
            if name == "ModuleNotFoundError" and (cell.course or cell.points is not None):
                hint = NOT_INSTALLED
            if hint:
                run.notes.append(hint.format(cell=_where(cell), **asdict(self.limits)))
        return run


def read(answer: dict[str, Any], cell: Cell) -> CellRun:
    """What an executor's answer says. Raises KeyError, TypeError or ValueError for a wrong form."""
    outputs = [dict(output) for output in answer["outputs"]]
    if any(output["output_type"] not in SHOWN for output in outputs):
        raise ValueError("an unknown kind of output")
    verdict = None
    if cell.points is not None:
        said = answer["verdict"]
        score = float(said["score"])
        if not 0 <= score <= cell.points:
            raise ValueError("a score out of range")
        verdict = Verdict(score, float(cell.points), str(said["why"]), _texts(said["alerts"]))
    count = answer["execution_count"]
    return CellRun(
        outputs=outputs,
        verdict=verdict,
        notes=_texts(answer["notes"]),
        flags=_texts(answer["flags"]),
        execution_count=None if count is None else int(count),
    )


def _texts(values: Any) -> list[str]:
    return [str(value) for value in list(values)]


def _where(cell: Cell) -> str:
    kind = "test" if cell.points is not None else "cell"
    if cell.name:
        return f"the {kind} `{cell.name}`"
    begins = cell.source.strip().split("\n")[0][:40].replace("`", "")
    return f"the {kind} that begins `{begins}`"


def _too_long(limit: float, cell: Cell) -> str:
    return f"stopped after {limit:.2g} s in {_where(cell)}"


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + "."


def _without_kernel(cell: Cell, words: str) -> CellRun:
    """What is known of a cell whose kernel is gone."""
    verdict = None if cell.points is None else Verdict(0.0, cell.points)
    run = CellRun(verdict=verdict, stopped=words)
    _say_why(run, words)
    return run


def _say_why(run: CellRun, words: str) -> None:
    """Put the reason where student and grader look: the outputs and the verdict."""
    run.outputs = [out for out in run.outputs if out.get("ename") != "KeyboardInterrupt"]
    told = _sentence(words)
    run.outputs.append(
        {"output_type": "error", "ename": "Stopped", "evalue": words, "traceback": [told]}
    )
    if run.verdict is not None:
        run.verdict.score, run.verdict.why = 0.0, told
