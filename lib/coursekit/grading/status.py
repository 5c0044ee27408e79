"""What became of one submission, in words that tell a zero from a file that could not be graded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from nbgrader.api import Grade


class Status(Enum):
    """The outcome of grading one submission."""

    GRADED = "graded"
    BY_HAND = "needs hand grading"
    NOT_SUBMITTED = "not submitted"
    UNREADABLE = "unreadable file"
    WRONG_NAME = "wrong file name"
    NO_CELLS = "no gradable cells found"
    CRASHED = "crashed"
    TIME_LIMIT = "time limit"
    FAILED = "could not be graded"
    NOT_YET = "not graded yet"


# Statuses in which something was handed in that has no mark.
NOT_GRADED = {
    Status.UNREADABLE,
    Status.WRONG_NAME,
    Status.NO_CELLS,
    Status.CRASHED,
    Status.FAILED,
    Status.NOT_YET,
}


@dataclass(frozen=True)
class Result:
    """One student's result in one assignment. `score` is None where there is nothing to mark.

    `score` counts what is settled: marks that wait for a person are in `waiting`, in points, and a
    late penalty is taken off. `note` says in a sentence what became of it, `notes` are for student
    and grader, `flags` for the grader alone. `handed_in` is in UTC.
    """

    student: str
    assignment: str
    status: Status
    score: float | None = None
    points: float | None = None
    waiting: float = 0.0
    late: bool = False
    note: str = ""
    notes: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    penalty: float = 0.0
    handed_in: datetime | None = None


def waits(grade: Grade) -> bool:
    """Whether a grade waits for a person: for a mark, or for one to be confirmed."""
    return bool(grade.needs_manual_grade)
