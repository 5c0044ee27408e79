"""nbgrader preprocessors that grade in a warm kernel and take marks from its verdicts."""

from __future__ import annotations

from typing import Any

from jupyter_core.utils import run_sync
from nbconvert.exporters.exporter import ResourcesDict
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.api import Gradebook, SubmittedNotebook
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from nbgrader.utils import is_locked
from sqlalchemy.orm import Session
from traitlets import Bool, Integer

from coursekit.errors import CourseError
from coursekit.grading import handmarks, told
from coursekit.grading.kernels.manager import WarmKernelManager
from coursekit.grading.marks import Mark, is_test, marks_of
from coursekit.grading.pages import marked_up

HIDDEN = "BEGIN HIDDEN TESTS"


def request(cell: NotebookNode) -> dict[str, Any]:
    """What the kernel is told of a code cell beside its text."""
    said: dict[str, Any] = {"name": told.grade_id(cell), "course": told.role(cell) == "course"}
    if is_test(cell):
        points = float(cell.metadata.nbgrader.points)
        said |= {"course": True, "points": points, "hidden": HIDDEN in cell.source}
    asks = told.asks(cell)
    if asks is not None:
        said["asks"] = asks
    return said


class ExecuteFairly(Execute):
    """Runs a notebook in a warm kernel that keeps to limits, and records its verdicts.

    `Execute.timeout` is the time for a cell, in seconds. What a student does never ends the run:
    it is in the outputs, and in `nb.metadata["coursekit"]`. Raises CourseError where no kernel can
    be started.
    """

    # The kernel keeps time itself; what is left for the client is to wait.
    iopub_timeout = Integer(60, help="Seconds to wait for outputs after a reply.").tag(config=True)
    raise_on_iopub_timeout = Bool(False).tag(config=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("kernel_manager_class", WarmKernelManager)
        super().__init__(*args, **kwargs)

    def _get_timeout(self, cell: NotebookNode | None) -> int | None:
        return None if isinstance(self.km, WarmKernelManager) else super()._get_timeout(cell)

    async def async_start_new_kernel(self, **kwargs: Any) -> None:
        """Start the kernel, which is told the time that a cell may take."""
        if isinstance(self.km, WarmKernelManager) and self.timeout and self.timeout > 0:
            kwargs.setdefault("cell_seconds", float(self.timeout))
        await super().async_start_new_kernel(**kwargs)

    start_new_kernel = run_sync(async_start_new_kernel)

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict, km: Any = None
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Run a notebook. Verdicts that it brings along do not count."""
        told.of(nb).verdicts = NotebookNode()
        _give_roles(nb)
        return super().preprocess(nb, resources, km)

    def preprocess_cell(
        self, cell: NotebookNode, resources: ResourcesDict, index: int
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Run a cell; a test runs also where its tags say that it is to be skipped."""
        if is_test(cell) and self.skip_cells_with_tag in cell.metadata.get("tags", []):
            cell.metadata.tags.remove(self.skip_cells_with_tag)
        self.kc.session.metadata = {told.KEY: request(cell)} if cell.cell_type == "code" else {}
        return super().preprocess_cell(cell, resources, index)

    def on_cell_executed(self, **kwargs: Any) -> None:
        """Record what the kernel said of a cell."""
        super().on_cell_executed(**kwargs)
        said = kwargs["execute_reply"]["content"].get(told.KEY)
        if said is None:
            return
        if "failed" in said:
            raise CourseError(said["failed"])
        told.record(self.nb, told.grade_id(kwargs["cell"]), said)


def _give_roles(nb: NotebookNode) -> None:
    """Where nothing told roles, as in a student's own notebook, locked cells are the course's."""
    if not any(told.role(cell) for cell in nb.cells):
        for cell in filter(is_locked, nb.cells):
            cell.metadata[told.KEY] = NotebookNode(role="course")


class SaveVerdicts(NbGraderPreprocessor):
    """Writes marks to the gradebook from verdicts; marks given by hand stay.

    A hand mark waits to be confirmed where the text that it judged has changed. Takes the place of
    SaveAutoGrades.
    """

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Save the marks of a notebook, all or none."""
        about = resources["nbgrader"]
        with Gradebook(about["db_url"]) as book:
            kept = book.find_submission_notebook(
                about["notebook"], about["assignment"], about["student"]
            )
            _save(book.db, kept, marks_of(nb))
            book.db.commit()
        return nb, resources


def _save(db: Session, kept: SubmittedNotebook, marks: list[Mark]) -> None:
    grades = {grade.name: grade for grade in kept.grades}
    comments = {comment.name: comment for comment in kept.comments}
    known = handmarks.recall(db, [grade.id for grade in grades.values()])
    now = {grades[mark.cell].id: mark.judged for mark in marks if mark.graded}
    for mark in marks:
        if mark.graded:
            grade = grades[mark.cell]
            before = known.get(grade.id)
            waits = handmarks.needs_hand(grade, mark.score, before, mark.judged)
            grade.auto_score, grade.needs_manual_grade = mark.score, waits
        if mark.answer:
            comments[mark.cell].auto_comment = mark.comment
    handmarks.remember(db, now)


class ShowNotes(NbGraderPreprocessor):
    """Puts a cell on top of the autograded notebook that tells the grader what was noticed."""

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Add the cell where there is something to tell."""
        nb.cells = [cell for cell in nb.cells if told.role(cell) != "notes"]
        lines = [_line(cell, text) for cell, text in told.for_grader(nb)]
        if lines:
            shown = "\n".join(["<strong>Notes from grading</strong>", "<ul>", *lines, "</ul>"])
            cell = new_markdown_cell(shown, metadata={told.KEY: {"role": "notes"}})
            nb.cells.insert(0, cell)
        return nb, resources


def _line(cell: str, text: str) -> str:
    where = f"{marked_up(f'`{cell}`')}: " if cell and f"`{cell}`" not in text else ""
    return f"<li>{where}{marked_up(' '.join(text.split()))}</li>"
