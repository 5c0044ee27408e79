"""Marks given by hand, and whether the text that they judged is still the same.

The gradebook has no place for this, so a table of its own keeps, for each grade, a digest of the
student's text that was graded last.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from nbformat.notebooknode import NotebookNode
from nbgrader.api import Grade
from nbgrader.utils import is_locked, is_solution
from sqlalchemy import Column, MetaData, String, Table
from sqlalchemy.orm import Session

from coursekit.grading import told

JUDGED = Table(
    "coursekit_judged",
    MetaData(),
    Column("grade_id", String(32), primary_key=True),
    Column("digest", String(64), nullable=False),
)


def digest(cell: NotebookNode, nb: NotebookNode) -> str:
    """A digest of what a mark of this cell judges.

    That is the text of a written answer, and all of the student's code for a test.
    """
    texts = [cell.source] if is_solution(cell) else _student_code(nb)
    joined = "\0".join(told.plain_text(text) for text in texts)
    return hashlib.sha256(joined.encode("utf-8", "replace")).hexdigest()


def _student_code(nb: NotebookNode) -> list[str]:
    cells = (cell for cell in nb.cells if cell.cell_type == "code")
    return [cell.source for cell in cells if not told.role(cell) and not is_locked(cell)]


def by_hand(grade: Grade) -> bool:
    """Whether somebody gave a mark or extra credit."""
    return grade.manual_score is not None or bool(grade.extra_credit)


def needs_hand(grade: Grade, auto_score: float | None, known: str | None, now: str) -> bool:
    """Whether somebody has to look at a grade that is computed anew.

    A hand mark stays and is asked to be confirmed where the text has changed since, where that is
    not known, or where it already waits to be confirmed.
    """
    if not by_hand(grade):
        return auto_score is None
    unmarked = auto_score is None and grade.manual_score is None
    return bool(unmarked or known != now or grade.needs_manual_grade)


def recall(db: Session, grades: Iterable[str]) -> dict[str, str]:
    """The digests of what was graded last, by the ids of grades; none for those not known."""
    JUDGED.create(db.connection(), checkfirst=True)
    found = db.execute(JUDGED.select().where(JUDGED.c.grade_id.in_(list(grades))))
    return {row.grade_id: row.digest for row in found}


def remember(db: Session, digests: dict[str, str]) -> None:
    """Keep the digests of what was graded now, by the ids of grades; the caller commits."""
    if not digests:
        return
    JUDGED.create(db.connection(), checkfirst=True)
    db.execute(JUDGED.delete().where(JUDGED.c.grade_id.in_(list(digests))))
    rows = [{"grade_id": grade, "digest": now} for grade, now in digests.items()]
    db.execute(JUDGED.insert(), rows)
