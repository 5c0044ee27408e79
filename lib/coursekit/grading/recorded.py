"""What the gradebook holds of an assignment, read at one go."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    Gradebook,
    GradeCell,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import func, select

from coursekit.grading.status import Result, Status


@dataclass(frozen=True)
class Row:
    """One grade of one student. `waits` says that a person has to look at it."""

    notebook: str
    cell: str
    points: float
    auto: float | None = None
    manual: float | None = None
    extra: float | None = None
    waits: bool = False

    @property
    def score(self) -> float:
        """The points that the gradebook counts: a hand mark goes before the test's."""
        given = self.auto if self.manual is None else self.manual
        return 0.0 if given is None else given + (self.extra or 0.0)

    @property
    def by_hand(self) -> bool:
        """Whether somebody gave a mark or extra credit."""
        return self.manual is not None or bool(self.extra)


@dataclass
class Kept:
    """What the gradebook holds of one submission. Times are in UTC."""

    handed_in: datetime | None = None
    due: datetime | None = None
    penalty: float = 0.0
    rows: list[Row] = field(default_factory=list)

    @property
    def seconds_late(self) -> float:
        """How much later than due it came in, as nbgrader counts it."""
        if self.handed_in is None or self.due is None:
            return 0.0
        return max(0.0, (self.handed_in - self.due).total_seconds())


def due_date(due: datetime | None, extension: timedelta | None) -> datetime | None:
    """When a submission is due, with the student's extension."""
    return due if due is None or extension is None else due + extension


def recorded(book: Gradebook, assignment: str) -> dict[str, Kept]:
    """The submissions of an assignment that the gradebook holds, by student."""
    handed, grades = SubmittedAssignment, Grade.__table__.c
    query = (
        select(
            handed.student_id,
            handed.timestamp,
            handed.extension,
            Assignment.duedate,
            func.sum(SubmittedNotebook.late_submission_penalty),
        )
        .join(Assignment, Assignment.id == handed.assignment_id)
        .outerjoin(SubmittedNotebook, SubmittedNotebook.assignment_id == handed.id)
        .where(Assignment.name == assignment)
        .group_by(handed.id)
    )
    found: dict[str, Kept] = defaultdict(Kept)
    for student, timestamp, extension, due, penalty in book.db.execute(query):
        found[student] = Kept(timestamp, due_date(due, extension), float(penalty or 0.0))
    points = func.coalesce(GradeCell.__table__.c.max_score, TaskCell.__table__.c.max_score, 0.0)
    query = (
        select(
            handed.student_id,
            Notebook.name,
            BaseCell.__table__.c.name,
            points,
            grades.auto_score,
            grades.manual_score,
            grades.extra_credit,
            grades.needs_manual_grade,
        )
        .select_from(Grade.__table__)
        .join(SubmittedNotebook, SubmittedNotebook.id == grades.notebook_id)
        .join(handed, handed.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == handed.assignment_id)
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .join(BaseCell.__table__, BaseCell.__table__.c.id == grades.cell_id)
        .outerjoin(GradeCell.__table__, GradeCell.__table__.c.id == grades.cell_id)
        .outerjoin(TaskCell.__table__, TaskCell.__table__.c.id == grades.cell_id)
        .where(Assignment.name == assignment)
    )
    for student, *about in book.db.execute(query):
        found[student].rows.append(Row(*about))
    return dict(found)


def result_of(student: str, assignment: str, kept: Kept) -> Result:
    """The result of a submission that is in the gradebook."""
    waiting = [row for row in kept.rows if row.waits]
    score = sum(row.score for row in kept.rows if not row.waits) - kept.penalty
    return Result(
        student,
        assignment,
        Status.BY_HAND if waiting else Status.GRADED,
        score=round(max(0.0, score), 2),
        points=sum(row.points for row in kept.rows),
        waiting=sum(row.points for row in waiting),
        late=kept.seconds_late > 0,
        note=to_confirm(kept.rows),
        penalty=kept.penalty,
        handed_in=kept.handed_in,
    )


def to_confirm(rows: Iterable[Row]) -> str:
    """A sentence on the hand marks that somebody has to look at again, or ""."""
    cells = sorted(f"`{row.cell}`" for row in rows if row.waits and row.by_hand)
    if not cells:
        return ""
    marks = "hand mark of" if len(cells) == 1 else "hand marks of"
    return f"{marks} {', '.join(cells)} to be confirmed: the text was changed"
