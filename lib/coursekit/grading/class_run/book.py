"""Writing the marks of one submission into nbgrader's gradebook, in one transaction."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any, TypeVar
from uuid import uuid4

from nbgrader.api import (
    Assignment,
    Comment,
    Grade,
    Gradebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import Table, bindparam, select
from sqlalchemy.exc import OperationalError
from traitlets.config import Config

from coursekit.errors import CourseError
from coursekit.grading import handmarks
from coursekit.grading.marks import Mark
from coursekit.grading.recorded import Kept, Row, due_date

STUDENT, SUBMISSION = Student.__table__, SubmittedAssignment.__table__
NOTEBOOK, GRADE, COMMENT = SubmittedNotebook.__table__, Grade.__table__, Comment.__table__
PATIENCE = 60.0  # seconds that another process may hold the gradebook
Value = TypeVar("Value")


def patiently(
    book: Gradebook, action: Callable[[], Value], patience: float = PATIENCE, pause: float = 0.2
) -> Value:
    """Do something with the gradebook, again and again while another process holds it.

    Raises CourseError where that takes longer than `patience` seconds.
    """
    until = time.monotonic() + patience
    while True:
        try:
            return action()
        except OperationalError as error:
            book.db.rollback()
            if "locked" not in str(error.orig):
                raise
            if time.monotonic() > until:
                raise CourseError(
                    f"another process has held the gradebook for {patience:g} s: end it and run "
                    "this command again, which goes on where it stopped."
                ) from None
            time.sleep(pause)
        except BaseException:
            book.db.rollback()
            raise


@dataclass(frozen=True)
class _Notebook:
    """A notebook of the assignment: ids and points of its graded cells, ids of its answers."""

    id: str
    grades: dict[str, tuple[str, float]]
    comments: dict[str, str]


@dataclass
class _Open:
    """The rows of a submission: ids of its notebooks, its grades and comments."""

    kept: Kept
    notebooks: dict[str, str]
    grades: dict[tuple[str, str], Any] = field(default_factory=dict)
    comments: dict[tuple[str, str], Any] = field(default_factory=dict)


class Writer:
    """Writes the submissions of one assignment. `config` has nbgrader's late penalty, if any."""

    def __init__(self, book: Gradebook, assignment: str, config: Config) -> None:
        self.book, self.db = book, book.db
        found: Assignment = book.find_assignment(assignment)
        self.id, self.due = found.id, found.duedate
        self.notebooks = {
            notebook.name: _Notebook(
                notebook.id,
                {
                    cell.name: (cell.id, float(cell.max_score))
                    for cell in (*notebook.grade_cells, *notebook.task_cells)
                },
                {cell.name: cell.id for cell in (*notebook.solution_cells, *notebook.task_cells)},
            )
            for notebook in found.notebooks
        }
        self.late = AssignLatePenalties(config=config)
        self.late.init_plugin()
        self.db.rollback()

    def save(
        self, student: str, marks: Mapping[str, Sequence[Mark]], handed_in: datetime | None
    ) -> Kept:
        """Write marks by notebook, the time in UTC, and the penalty; returns what is there now.

        Graded cells without a mark wait for a person. Marks given by hand stay.
        """
        return patiently(self.book, lambda: self._save(student, marks, handed_in))

    def settle(self, student: str, handed_in: datetime | None) -> Kept:
        """Write the time and the penalty that follows from it, and leave all marks."""
        return patiently(self.book, lambda: self._save(student, None, handed_in))

    def _save(
        self,
        student: str,
        marks: Mapping[str, Sequence[Mark]] | None,
        handed_in: datetime | None,
    ) -> Kept:
        found = self._open(student, handed_in)
        if marks is not None:
            by_cell = {(name, mark.cell): mark for name in marks for mark in marks[name]}
            self._grade(found, by_cell)
            self._comment(found, by_cell)
        found.kept.rows = [self._row(key, grade) for key, grade in found.grades.items()]
        self._penalize(student, found)
        self.db.commit()
        return found.kept

    def _open(self, student: str, handed_in: datetime | None) -> _Open:
        """The rows of the submission, made where there are none, as nbgrader makes them."""
        if self.db.execute(select(STUDENT.c.id).where(STUDENT.c.id == student)).first() is None:
            self.db.execute(STUDENT.insert(), [{"id": student}])
        key, timestamp, extension = self._submission(student)
        if handed_in is not None and handed_in != timestamp:
            change = SUBMISSION.update().where(SUBMISSION.c.id == key)
            self.db.execute(change.values(timestamp=handed_in))
            timestamp = handed_in
        kept = Kept(timestamp, due_date(self.due, extension))
        found = _Open(kept, self._submitted_notebooks(key))
        found.grades = self._rows(GRADE, found.notebooks, self._graded())
        found.comments = self._rows(COMMENT, found.notebooks, self._answers())
        return found

    def _graded(self) -> dict[tuple[str, str], str]:
        """The ids of the graded cells, by notebook and name."""
        return {(n, c): id for n, nb in self.notebooks.items() for c, (id, _) in nb.grades.items()}

    def _answers(self) -> dict[tuple[str, str], str]:
        """The ids of the answer cells, by notebook and name."""
        return {(n, c): id for n, nb in self.notebooks.items() for c, id in nb.comments.items()}

    def _submission(self, student: str) -> tuple[str, datetime | None, timedelta | None]:
        columns = SUBMISSION.c
        query = select(columns.id, columns.timestamp, columns.extension)
        known = self.db.execute(
            query.where(columns.student_id == student, columns.assignment_id == self.id)
        ).first()
        if known is not None:
            return known.id, known.timestamp, known.extension
        row = {"id": uuid4().hex, "assignment_id": self.id, "student_id": student}
        self.db.execute(SUBMISSION.insert(), [row])
        return row["id"], None, None

    def _submitted_notebooks(self, submission: str) -> dict[str, str]:
        """The ids of the submission's notebooks, by name."""
        query = select(NOTEBOOK.c.notebook_id, NOTEBOOK.c.id)
        rows = self.db.execute(query.where(NOTEBOOK.c.assignment_id == submission))
        known = {row.notebook_id: row.id for row in rows}
        wanted = {name: notebook.id for name, notebook in self.notebooks.items()}
        new = [
            {"id": uuid4().hex, "notebook_id": id, "assignment_id": submission}
            for id in wanted.values()
            if id not in known
        ]
        if new:
            self.db.execute(NOTEBOOK.insert(), new)
            known |= {row["notebook_id"]: row["id"] for row in new}
        return {name: known[id] for name, id in wanted.items()}

    def _rows(
        self, table: Table, notebooks: Mapping[str, str], cells: Mapping[tuple[str, str], str]
    ) -> dict[tuple[str, str], Any]:
        """The rows of a table for the cells of the submission, made where they are missing."""
        wanted = {(notebooks[name], id): (name, cell) for (name, cell), id in cells.items()}
        query = select(table).where(table.c.notebook_id.in_(list(notebooks.values())))
        rows = self.db.execute(query).all()
        missing = set(wanted) - {(row.notebook_id, row.cell_id) for row in rows}
        if missing:
            self.db.execute(
                table.insert(),
                [{"id": uuid4().hex, "notebook_id": n, "cell_id": c} for n, c in sorted(missing)],
            )
            rows = self.db.execute(query).all()
        keys = {(row.notebook_id, row.cell_id): row for row in rows}
        return {place: keys[key] for key, place in wanted.items()}

    def _grade(self, found: _Open, marks: Mapping[tuple[str, str], Mark]) -> None:
        """Write scores, and what has to be looked at by a person."""
        judged = handmarks.recall(self.db, [grade.id for grade in found.grades.values()])
        changes = []
        for key, grade in found.grades.items():
            mark = marks.get(key) or Mark(key[1], True, False)
            needs = handmarks.needs_hand(grade, mark.score, judged.get(grade.id), mark.judged)
            changes.append({"key": grade.id, "auto": mark.score, "needs": needs})
            after = {"auto_score": mark.score, "needs_manual_grade": needs}
            found.grades[key] = SimpleNamespace(**{**grade._mapping, **after})
        _update(self.db, GRADE, changes, auto_score="auto", needs_manual_grade="needs")
        now = {g.id: marks[key].judged for key, g in found.grades.items() if key in marks}
        handmarks.remember(self.db, {id: digest for id, digest in now.items() if digest})

    def _comment(self, found: _Open, marks: Mapping[tuple[str, str], Mark]) -> None:
        changes = [
            {"key": row.id, "said": marks[key].comment if key in marks else None}
            for key, row in found.comments.items()
        ]
        _update(self.db, COMMENT, changes, auto_comment="said")

    def _row(self, key: tuple[str, str], grade: Any) -> Row:
        name, cell = key
        return Row(
            name,
            cell,
            self.notebooks[name].grades[cell][1],
            grade.auto_score,
            grade.manual_score,
            grade.extra_credit,
            bool(grade.needs_manual_grade),
        )

    def _penalize(self, student: str, found: _Open) -> None:
        """Write the late penalty of each notebook as nbgrader's plugin says."""
        changes: list[dict[str, Any]] = []
        for name, id in found.notebooks.items():
            score = sum(row.score for row in found.kept.rows if row.notebook == name)
            changes.append({"key": id, "less": self._penalty(student, score, found.kept)})
        _update(self.db, NOTEBOOK, changes, late_submission_penalty="less")
        found.kept.penalty = sum(change["less"] or 0.0 for change in changes)

    def _penalty(self, student: str, score: float, kept: Kept) -> float | None:
        if kept.seconds_late <= 0:
            return None
        less = self.late.plugin_inst.late_submission_penalty(student, score, kept.seconds_late)
        return None if less is None else min(max(float(less), 0.0), score)


def _update(db: Any, table: Table, changes: Sequence[dict[str, Any]], **columns: str) -> None:
    """Change rows by their id in `key`; `columns` names the value of each column."""
    if changes:
        values: dict[str, Any] = {column: bindparam(name) for column, name in columns.items()}
        change = table.update().where(table.c.id == bindparam("key")).values(**values)
        db.connection().execute(change, list(changes))
