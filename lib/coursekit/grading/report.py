"""The class report: who has which score, and which checks gave the class trouble."""

from __future__ import annotations

import csv
import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader, select_autoescape

from coursekit.grading.course import api, folder, gradebook
from coursekit.grading.status import NOT_GRADED, Result, Status, waits


@dataclass(frozen=True)
class Item:
    """How a class did on one graded cell. `mean` is the share of points earned, 0 to 1."""

    assignment: str
    cell: str
    points: float
    answers: int
    full: int
    none: int
    mean: float


def items(root: Path, assignments: Sequence[str]) -> list[Item]:
    """The marked cells of the assignments in order, over all marked submissions."""
    found: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    with gradebook(root) as book:
        for assignment in assignments:
            order = [
                cell.name
                for n in book.find_assignment(assignment).notebooks
                for cell in n.grade_cells
            ]
            found.update({(assignment, name): [] for name in order})
            for submission in book.assignment_submissions(assignment):
                for grade in (g for n in submission.notebooks for g in n.grades):
                    if not waits(grade):
                        found[assignment, grade.cell.name].append((grade.score, grade.max_score))
    return [_item(*key, scores) for key, scores in found.items() if scores]


def _item(assignment: str, cell: str, scores: list[tuple[float, float]]) -> Item:
    points = scores[0][1]
    return Item(
        assignment,
        cell,
        points,
        answers=len(scores),
        full=sum(score >= most for score, most in scores),
        none=sum(score == 0 for score, _ in scores),
        mean=sum(score for score, _ in scores) / (points * len(scores)) if points else 0.0,
    )


def full_names(root: Path) -> dict[str, str]:
    """Names of students as the gradebook has them, with the id behind."""
    with gradebook(root) as book:
        named = {s.id: f"{s.first_name or ''} {s.last_name or ''}".strip() for s in book.students}
    return {id: f"{name} ({id})" for id, name in named.items() if name}


def feedback_pages(root: Path, results: Sequence[Result]) -> dict[tuple[str, str], Path]:
    """The first feedback page of each submission that has one, by student and assignment."""
    nbgrader = api(root)
    found = {}
    for r in results:
        pages = sorted(folder(nbgrader, "feedback", r.student, r.assignment).glob("*.html"))
        if pages:
            found[r.student, r.assignment] = pages[0]
    return found


COLUMNS = ["student", "assignment", "status", "score", "points", "waiting", "late", "note"]


def write_csv(path: Path, results: Sequence[Result]) -> None:
    """One line for each submission; a score that does not exist stays empty, never zero."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for r in results:
            numbers = ["" if n is None else f"{n:g}" for n in (r.score, r.points, r.waiting)]
            late = "yes" if r.late else "no"
            writer.writerow([r.student, r.assignment, r.status.value, *numbers, late, r.note])


def write_html(path: Path, root: Path, results: Sequence[Result], title: str) -> None:
    """The report as one page without scripts, with links to the feedback pages."""
    assignments = list(dict.fromkeys(r.assignment for r in results))
    environment = Environment(
        loader=PackageLoader("coursekit.grading"), autoescape=select_autoescape(["j2", "html"])
    )
    pages = {
        key: os.path.relpath(page, path.parent)
        for key, page in feedback_pages(root, results).items()
    }
    text = environment.get_template("report.html.j2").render(
        title=title,
        assignments=assignments,
        students=list(dict.fromkeys(r.student for r in results)),
        results={(r.student, r.assignment): r for r in results},
        pages=pages,
        names=full_names(root),
        items=items(root, assignments),
        troubles=[r for r in results if r.status in NOT_GRADED or r.status is Status.NOT_SUBMITTED],
        waiting=sum(r.status is Status.BY_HAND for r in results),
    )
    path.write_text(text, encoding="utf-8")
