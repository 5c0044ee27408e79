"""Checking one notebook as grading would, for its author and for scripts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import compute_checksum, is_grade, is_locked, is_solution

from coursekit.errors import CourseError
from coursekit.grading import told
from coursekit.grading.autograde import request
from coursekit.grading.explain import STOPS
from coursekit.grading.kernels.cells import Cell, CellRun, Limits
from coursekit.grading.kernels.client import Kernels
from coursekit.grading.kernels.session import Session
from coursekit.grading.marks import NO_RESPONSE, auto_comment, is_test


@dataclass(frozen=True)
class Answer:
    """What is known of one question before it is handed in.

    `state` is "right", "wrong", "written" (a person will mark it), "changed" (a cell that must not
    be) or "stopped".
    """

    name: str
    state: str
    score: float | None = None
    points: float | None = None
    said: str = ""

    @property
    def good(self) -> bool:
        """Whether there is nothing to be done."""
        return self.state in ("right", "written")

    def line(self) -> str:
        """The answer on one line."""
        sign = {"right": "✓", "written": "·"}.get(self.state, "✗")
        worth = "" if self.score is None else f" {self.score:g} of {self.points:g}"
        return f"{sign} {self.name}{worth}{': ' + self.said if self.said else ''}"


def read(path: Path) -> NotebookNode:
    """The notebook in a file. Raises CourseError where it is none."""
    try:
        return nbformat.read(path, as_version=4)
    except OSError as error:
        raise CourseError(f"{path} cannot be read ({error.strerror}): name a notebook.") from None
    except Exception:
        raise CourseError(f"{path} is not a notebook that can be read: save it anew.") from None


def validate(path: Path, limits: Limits | None = None) -> list[Answer]:
    """Run a notebook in a warm, confined kernel and judge each of its questions.

    Raises CourseError where the file is no notebook or no kernel can be started.
    """
    nb = read(path)
    with Kernels(limits=limits, purpose="validate") as kernels, Session(kernels, path.parent) as s:
        return list(_answers(nb, s))


def _answers(nb: NotebookNode, session: Session) -> Iterator[Answer]:
    for cell in nb.cells:
        if is_locked(cell) and is_grade(cell) and _changed(cell):
            said = "this cell was changed: download the notebook again and copy your answers over"
            yield Answer(told.grade_id(cell), "changed", said=said)
        if cell.cell_type == "code" and (cell.source.strip() or is_test(cell)):
            run = session.run(Cell(cell.source, **request(cell)))
            yield from _judged(cell, run)
        if is_grade(cell) and is_solution(cell):
            untouched = auto_comment(cell) == NO_RESPONSE
            said = "not answered yet" if untouched else "will be marked by a person"
            yield Answer(told.grade_id(cell), "wrong" if untouched else "written", said=said)


def _changed(cell: NotebookNode) -> bool:
    checksum = cell.metadata.nbgrader.get("checksum")
    return checksum is not None and checksum != compute_checksum(cell)


def _judged(cell: NotebookNode, run: CellRun) -> Iterator[Answer]:
    if run.verdict is not None:
        verdict = run.verdict
        state = "right" if verdict.score >= verdict.points else "wrong"
        said = "" if state == "right" else " ".join(verdict.why.split())
        yield Answer(told.grade_id(cell), state, verdict.score, verdict.points, said)
    elif run.stopped or any(output.get("ename") in STOPS for output in run.outputs):
        words = run.stopped or " ".join(run.notes) or "this cell does not come to an end"
        yield Answer(told.grade_id(cell) or "a cell", "stopped", said=words)


def as_data(path: Path, answers: list[Answer]) -> dict[str, object]:
    """The answers for a script."""
    return {
        "notebook": str(path),
        "passed": all(answer.good for answer in answers),
        "questions": [asdict(answer) for answer in answers],
    }
