"""What became of one submission, in words that tell a zero from a file that could not be graded."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from nbgrader.api import Grade, Gradebook, MissingEntry


class Status(Enum):
    """The outcome of grading one submission."""

    GRADED = "graded"
    BY_HAND = "needs hand grading"
    NOT_SUBMITTED = "not submitted"
    UNREADABLE = "unreadable file"
    WRONG_NAME = "wrong file name"
    FAILED = "could not be graded"


NOT_GRADED = {Status.UNREADABLE, Status.WRONG_NAME, Status.FAILED}


@dataclass(frozen=True)
class Result:
    """One student's result in one assignment. `score` is None where there is nothing to mark."""

    student: str
    assignment: str
    status: Status
    score: float | None = None
    points: float | None = None
    waiting: float = 0.0
    late: bool = False
    note: str = ""


def before_grading(folder: Path, notebooks: list[str]) -> tuple[Status, str] | None:
    """What can be said of a submission without running it: None where it can be graded."""
    if not folder.is_dir():
        return Status.NOT_SUBMITTED, ""
    present = sorted(path.name for path in folder.glob("*.ipynb"))
    missing = [f"{name}.ipynb" for name in notebooks if f"{name}.ipynb" not in present]
    if missing:
        found = ", ".join(present) or "no notebook"
        return Status.WRONG_NAME, f"expected {', '.join(missing)}, found {found}"
    for name in notebooks:
        fault = unreadable(folder / f"{name}.ipynb")
        if fault:
            return Status.UNREADABLE, f"{name}.ipynb {fault}: ask for it again"
    return None


def unreadable(path: Path) -> str:
    """Why a file is no notebook, or ""."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return "cannot be read"
    except json.JSONDecodeError:
        return "is empty" if path.stat().st_size == 0 else "is cut off or damaged"
    whole = isinstance(content, dict) and isinstance(content.get("cells", []), list)
    return "" if whole else "is not a notebook"


def waits(grade: Grade) -> bool:
    """Whether a grade still waits for a mark given by hand."""
    return bool(grade.needs_manual_grade and grade.manual_score is None)


def from_gradebook(book: Gradebook, student: str, assignment: str) -> Result | None:
    """The result that the gradebook holds, or None where it holds none."""
    try:
        submission = book.find_submission(assignment, student)
    except MissingEntry:
        return None
    grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
    waiting = sum(grade.max_score for grade in grades if waits(grade))
    return Result(
        student,
        assignment,
        Status.BY_HAND if submission.needs_manual_grade else Status.GRADED,
        score=round(float(submission.score), 2),
        points=float(submission.max_score),
        waiting=float(waiting),
        late=submission.total_seconds_late > 0,
    )
