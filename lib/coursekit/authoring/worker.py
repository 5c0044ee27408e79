"""The process that runs notebooks: a shared prefix, then one forked child for each variant.

Started by `coursekit.authoring.runner`. Cells run in the shell of the grading kernels and test
cells get their verdicts as there, but nothing is confined, since authors trust themselves. It owns
nothing but its process, so whatever a solution does to the interpreter, to signals or to file
descriptors ends with it. Results go to files, one JSON line per cell, so that a child that is
killed still leaves the cells it has finished.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from IPython.core.formatters import DisplayFormatter

from coursekit.grading.kernels.executor import answer_to
from coursekit.grading.kernels.shell import Shell, start
from coursekit.grading.trust import Guard

POLL = 0.005
IMPORTS_TORCH = re.compile(r"^\s*(import|from) torch\b", re.MULTILINE)


@dataclass(frozen=True)
class Variant:
    """One run to make: replacement sources by cell index, expressions to evaluate at its end."""

    answers: dict[int, str]
    evaluate: list[str]

    def first(self, cells: int) -> int:
        """The index of the first replaced cell; `cells` where nothing is replaced."""
        return min(self.answers, default=cells)


@dataclass(frozen=True)
class Job:
    """What the runner asks for; `cells` are the fields of the notebook's code cells in order."""

    folder: Path
    cells: list[dict[str, Any]]
    variants: list[Variant]
    seconds: float
    cell_seconds: float
    workers: int

    @classmethod
    def read(cls, folder: Path) -> Job:
        """The job in `folder`/job.json."""
        said = json.loads((folder / "job.json").read_text(encoding="utf-8"))
        said["variants"] = [
            Variant({int(i): source for i, source in v["answers"].items()}, v["evaluate"])
            for v in said["variants"]
        ]
        return cls(folder, **said)


@dataclass
class Child:
    """A variant that runs now; `log` grows with every cell that it finishes."""

    number: int
    deadline: float
    log: Path
    interrupted: float = 0.0

    def overdue(self, seconds: float) -> bool:
        """Whether its cell has run for `seconds` and has not been interrupted yet."""
        since = self.log.stat().st_mtime
        return since != self.interrupted and time.time() - since > seconds


@dataclass
class Children:
    """The children that run now: at most `job.workers`, each for at most `job.seconds`."""

    job: Job
    running: dict[int, Child] = field(default_factory=dict)

    def fork(self, number: int, run: Callable[[], None]) -> None:
        """Run `run` in a child once there is room for one."""
        self.wait(self.job.workers - 1)
        log = self.job.folder / f"{number}.jsonl"
        log.touch()
        pid = os.fork()
        if pid == 0:
            try:
                run()
            finally:
                os._exit(0)
        self.running[pid] = Child(number, time.monotonic() + self.job.seconds, log)

    def wait(self, at_most: int) -> None:
        """Wait until no more than `at_most` children run; stop those that are over their time."""
        while len(self.running) > at_most:
            for pid, child in list(self.running.items()):
                if os.waitpid(pid, os.WNOHANG)[0]:
                    del self.running[pid]
                elif time.monotonic() > child.deadline:
                    (self.job.folder / f"{child.number}.stopped").touch()
                    os.kill(pid, signal.SIGKILL)
                elif child.overdue(self.job.cell_seconds):
                    child.interrupted = child.log.stat().st_mtime
                    os.kill(pid, signal.SIGINT)
            os.utime(self.job.folder / "alive")
            time.sleep(POLL)


def warm_up(job: Job) -> None:
    """Import torch once for all where any variant needs it, as the warm kernels of grading do.

    It takes seconds, more on a busy machine: a check's time limit for a case may cut it short.
    """
    sources = [
        *(cell["source"] for cell in job.cells),
        *(text for v in job.variants for text in v.answers.values()),
    ]
    if any(IMPORTS_TORCH.search(source) for source in sources):
        with contextlib.suppress(ImportError):
            importlib.import_module("torch")


def plain(value: Any) -> Any:
    """`value` as JSON can hold it: arrays and tensors as lists, tuples and sets as lists.

    Raises TypeError for anything that is not made of numbers, truth values and texts.
    """
    if isinstance(value, bool | str) or value is None:
        return value
    if type(value) in (int, float):
        return value
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, list | tuple | range):
        return [plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(plain(item) for item in value)
    if hasattr(value, "__float__"):
        return float(value)
    raise TypeError(f"is {type(value).__name__}, not numbers")


def evaluated(shell: Shell, expression: str) -> dict[str, Any]:
    """The value of an expression in the notebook's namespace, or the error that it raised."""
    try:
        return {"value": plain(eval(expression, shell.user_ns))}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


class PlainFormatter(DisplayFormatter):
    """Text only: rendering each picture would be most of the time of a run."""

    def format(self, obj: Any, include: Any = None, exclude: Any = None) -> tuple[dict, dict]:
        """The object's text alone."""
        if self.ipython_display_formatter(obj):
            return {}, {}
        return {"text/plain": self.formatters["text/plain"](obj)}, {}


def did(shell: Shell, guard: Guard, cell: dict[str, Any]) -> dict[str, Any]:
    """What a cell did: its outputs, and its verdict where it is a test."""
    answer = answer_to({"cell": cell}, shell, guard)
    return {"outputs": answer["outputs"], "verdict": answer["verdict"], "flags": answer["flags"]}


def run_variant(shell: Shell, guard: Guard, job: Job, number: int, done: list[Any]) -> None:
    """Go on from the cells in `done` with one variant's answers, in a folder of its own."""
    began, variant = time.monotonic(), job.variants[number]
    home = job.folder / f"home{number}"
    shutil.copytree(job.folder / "home", home)
    os.chdir(home)
    shell.catch_descriptors()
    guard.work_in(home)
    with (job.folder / f"{number}.jsonl").open("w", encoding="utf-8") as log:

        def write(**line: Any) -> None:
            log.write(json.dumps(line) + "\n")
            log.flush()

        try:
            for line in done:
                write(**line)
            for i in range(len(done), len(job.cells)):
                cell = job.cells[i]
                source = variant.answers.get(i, cell["source"])
                write(**did(shell, guard, {**cell, "source": source}))
            write(values={text: evaluated(shell, text) for text in variant.evaluate})
            write(seconds=time.monotonic() - began)
        except BaseException:
            write(broken=traceback.format_exc(limit=-3))


def main(folder: Path) -> None:
    """Run the job in `folder`: walk through the cells, forking the variants that part there."""
    job = Job.read(folder)
    warm_up(job)
    shell, children, done = start(), Children(job), []  # type: ignore[var-annotated]
    shell.display_formatter = PlainFormatter(parent=shell)
    shell.catch_descriptors()
    guard = Guard()
    guard.arm(shell, folder)
    guard.work_in(Path.cwd())
    last = max((v.first(len(job.cells)) for v in job.variants), default=0)
    for i in range(last + 1):
        (folder / "alive").write_text(str(i))
        for number, variant in enumerate(job.variants):
            if variant.first(len(job.cells)) == i:
                children.fork(number, lambda n=number: run_variant(shell, guard, job, n, done))  # type: ignore[misc]
        if i < last:
            children.wait(job.workers - 1)
            (folder / "alive").write_text(str(i))
            done.append(did(shell, guard, job.cells[i]))
    children.wait(0)


if __name__ == "__main__":
    here = Path(sys.argv[1])
    try:
        main(here)
    except BaseException:
        (here / "broken").write_text(traceback.format_exc(), encoding="utf-8")
    os._exit(0)
