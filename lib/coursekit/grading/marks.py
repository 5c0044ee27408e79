"""From a graded notebook to marks: one rule for class runs and for `nbgrader autograde`.

A mark keeps what the gradebook needs of a cell, so that the notebook need not be read again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode
from nbgrader.utils import (
    compute_checksum,
    determine_grade,
    is_grade,
    is_solution,
    is_task,
)

from coursekit.grading import handmarks, told

NO_RESPONSE = "No response."


@dataclass(frozen=True)
class Mark:
    """What the run of a notebook says of one cell.

    `score` is None where a person gives the points and where the cell has none; `graded` tells
    them apart. `comment` is nbgrader's automatic one, `answer` says whether the cell may have one.
    `judged` is a digest of the student's text that a hand mark would judge.
    """

    cell: str
    graded: bool
    answer: bool
    score: float | None = None
    comment: str | None = None
    judged: str = ""


def is_test(cell: NotebookNode) -> bool:
    """Whether a cell is a test whose outcome is a mark."""
    return bool(cell.cell_type == "code" and is_grade(cell) and not is_solution(cell))


def auto_score(cell: NotebookNode, verdict: Mapping[str, Any] | None) -> float | None:
    """The points of a graded cell, between 0 and its own; None where a person has to give them."""
    points = float(cell.metadata.nbgrader.points)
    score: float | None
    if verdict is not None and is_test(cell):
        score = float(verdict["score"])
    else:
        try:
            score, _ = determine_grade(cell)
        except (ValueError, KeyError):
            score = 0.0
    if score is None:
        return None
    return min(max(score, 0.0), points) if math.isfinite(score) else 0.0


def auto_comment(cell: NotebookNode) -> str | None:
    """Nbgrader's "No response." where an answer cell is as it was released."""
    checksum = cell.metadata.nbgrader.get("checksum")
    untouched = checksum is not None and checksum == compute_checksum(cell)
    return NO_RESPONSE if untouched and not is_task(cell) else None


def marks_of(nb: NotebookNode) -> list[Mark]:
    """The marks of a notebook that has run, in the order of its cells."""
    verdicts = told.of(nb).verdicts
    cells = [cell for cell in nb.cells if is_grade(cell) or is_solution(cell) or is_task(cell)]
    # What tests judge is the same for all of them.
    code = next((handmarks.digest(cell, nb) for cell in cells if not is_solution(cell)), "")
    return [
        _mark(
            cell,
            handmarks.digest(cell, nb) if is_solution(cell) else code,
            verdicts.get(told.grade_id(cell)),
        )
        for cell in cells
    ]


def _mark(cell: NotebookNode, judged: str, verdict: Mapping[str, Any] | None) -> Mark:
    answer = bool(is_solution(cell) or is_task(cell))
    graded = bool(is_grade(cell) or is_task(cell))
    return Mark(
        cell=told.grade_id(cell),
        graded=graded,
        answer=answer,
        score=auto_score(cell, verdict) if is_grade(cell) else None,
        comment=auto_comment(cell) if answer else None,
        judged=judged if graded else "",
    )
