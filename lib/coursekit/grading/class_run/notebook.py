"""Run one repaired notebook in a session and write into it what came out."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Protocol

import nbformat
from nbformat import NotebookNode

from coursekit.grading import told
from coursekit.grading.autograde import request
from coursekit.grading.class_run.stop import Stop
from coursekit.grading.kernels.cells import Cell, CellRun
from coursekit.grading.kernels.session import OUT_OF_TIME
from coursekit.grading.marks import is_test

DIED = "the kernel died"


class Runs(Protocol):
    """What runs cells: a Session."""

    def run(self, cell: Cell) -> CellRun:
        """Run one cell."""


@dataclass
class Ran:
    """How far a notebook came: its tests, and those that were not reached for want of time.

    `alive` says whether any cell ran to an end.
    """

    tests: int = 0
    too_late: int = 0
    alive: bool = False


def run_notebook(nb: NotebookNode, session: Runs, stop: Stop | None = None) -> Ran:
    """Run the code cells of `nb` in order and keep outputs, verdicts, notes and flags in it.

    Raises stop.Stopped where the run is to end.
    """
    told.of(nb).verdicts = NotebookNode()
    ran = Ran()
    for cell in nb.cells:
        if cell.cell_type != "code" or not (cell.source.strip() or is_test(cell)):
            continue
        if stop is not None:
            stop.check()
        run = session.run(Cell(cell.source, **request(cell)))
        _keep(cell, nb, run)
        ran.alive |= not (DIED in run.stopped or run.stopped.startswith(told.NOT_REACHED))
        if is_test(cell):
            ran.tests += 1
            ran.too_late += OUT_OF_TIME in run.stopped
    return ran


def _keep(cell: NotebookNode, nb: NotebookNode, run: CellRun) -> None:
    cell.outputs = [nbformat.from_dict(output) for output in run.outputs]
    cell.execution_count = run.execution_count
    said = {
        "verdict": asdict(run.verdict) if run.verdict else None,
        "notes": run.notes,
        "flags": run.flags,
        "stopped": run.stopped,
    }
    told.record(nb, told.grade_id(cell), said)
