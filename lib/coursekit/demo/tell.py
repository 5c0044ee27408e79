"""What the demonstration prints at its end: a table of results, and where to look."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from coursekit.demo.sample_class import CLASS
from coursekit.grading.status import Result, Status


def tell(
    console: Console, root: Path, place: Path, lessons: Sequence[str], results: Sequence[Result]
) -> None:
    """Print the table of the sample class and where its pages are."""
    by_key = {(r.student, r.assignment): r for r in results}
    table = Table(title="Results of the sample class", title_justify="left")
    table.add_column("student")
    table.add_column("what the student did")
    for lesson in lessons:
        table.add_column(lesson, justify="right")
    for student in (s for s in CLASS if (s.id, lessons[0]) in by_key):
        row = [_short(by_key[student.id, lesson]) for lesson in lessons]
        table.add_row(f"{student.first} {student.last}", HABITS[student.habit], *row)
    console.print(table)
    console.print(
        "Points so far, of those that tests can give; written answers wait to be marked by hand."
    )
    example = next(s.id for s in CLASS if s.habit == "slips" and (s.id, lessons[0]) in by_key)
    page = place / "course" / "feedback" / example / lessons[0] / f"{lessons[0]}.html"
    for label, path in (
        ("Class report", place / "report.html"),
        ("Grades as CSV", place / "grades.csv"),
        ("A student's feedback", page),
        ("All feedback", place / "course" / "feedback"),
    ):
        console.print(f"{label}: {path.relative_to(root)}", soft_wrap=True)


HABITS = {
    "right": "solved everything",
    "slips": "made typical slips",
    "half": "stopped half-way",
    "late": "handed in late",
    "endless": "wrote an endless loop",
    "broken": "sent a damaged file",
    "untouched": "changed nothing",
    "absent": "handed in nothing",
}


def _short(result: Result) -> str:
    if result.score is None or result.points is None:
        return result.status.value
    late = ", late" if result.late else ""
    return f"{result.score:g} / {result.points - result.waiting:g}{late}"


def unexpected(results: Sequence[Result]) -> list[Result]:
    """Results that the sample class should not have.

    Only the damaged files cannot be graded, and who solved everything has all points so far.
    """
    habits = {student.id: student.habit for student in CLASS}
    return [r for r in results if not _fine(r, habits[r.student])]


def _fine(result: Result, habit: str) -> bool:
    if habit in ("broken", "absent"):
        wanted = Status.UNREADABLE if habit == "broken" else Status.NOT_SUBMITTED
        return result.status is wanted
    if result.score is None or result.points is None:
        return False
    if habit in ("right", "late"):
        return result.score == result.points - result.waiting
    return result.score < result.points - result.waiting
