"""The class report: who has which score, and which checks gave the class trouble."""

from __future__ import annotations

import csv
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from pathlib import Path

from jinja2 import Environment, PackageLoader, select_autoescape

from coursekit.grading.course import api, folder, gradebook
from coursekit.grading.pages import marked_up
from coursekit.grading.recorded import Row, recorded
from coursekit.grading.status import NOT_GRADED, Result, Status


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


@dataclass(frozen=True)
class Person:
    """Who a student is, as far as the gradebook knows."""

    first: str = ""
    last: str = ""
    email: str = ""


@dataclass(frozen=True)
class Graded:
    """The marks of an assignment: of each student, in the order of the cells of the course."""

    assignment: str
    rows: Mapping[str, Sequence[Row]]


def graded(root: Path, results: Sequence[Result]) -> list[Graded]:
    """The marks of all results that have a score, by assignment."""
    found = []
    with gradebook(root) as book:
        for assignment in dict.fromkeys(r.assignment for r in results):
            notebooks = book.find_assignment(assignment).notebooks
            cells = [(n.name, c.name) for n in notebooks for c in (*n.grade_cells, *n.task_cells)]
            places = {cell: place for place, cell in enumerate(cells)}
            kept = recorded(book, assignment)
            scored = {r.student for r in results if r.assignment == assignment} & kept.keys()
            scored -= {r.student for r in results if r.assignment == assignment and r.score is None}
            rows = {
                student: sorted(kept[student].rows, key=lambda r: places[r.notebook, r.cell])
                for student in sorted(scored)
            }
            found.append(Graded(assignment, rows))
    return found


def items(marks: Iterable[Graded]) -> list[Item]:
    """The marked cells of the assignments in order, over all submissions with a score."""
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for one in marks:
        for rows in one.rows.values():
            for row in rows:
                found[one.assignment, row.cell] += [] if row.waits else [row]
    return [_item(*key, rows) for key, rows in found.items() if rows]


def _item(assignment: str, cell: str, rows: Sequence[Row]) -> Item:
    points = rows[0].points
    return Item(
        assignment,
        cell,
        points,
        answers=len(rows),
        full=sum(row.score >= row.points for row in rows),
        none=sum(row.score == 0 for row in rows),
        mean=sum(row.score for row in rows) / (points * len(rows)) if points else 0.0,
    )


def people(root: Path) -> dict[str, Person]:
    """The students of the gradebook by their ids."""
    with gradebook(root) as book:
        return {
            s.id: Person(s.first_name or "", s.last_name or "", s.email or "")
            for s in book.students
        }


def full_names(root: Path) -> dict[str, str]:
    """Names of students as the gradebook has them, with the id behind."""
    named = {id: f"{p.first} {p.last}".strip() for id, p in people(root).items()}
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


def local(moment: datetime | None) -> str:
    """A time in UTC as local time with its zone, "" where there is none."""
    if moment is None:
        return ""
    here = moment.replace(tzinfo=UTC).astimezone()
    return f"{here:%Y-%m-%d %H:%M %Z}"


GRADES = ["student", "last_name", "first_name", "email", "assignment", "status", "score",
          "points", "waiting", "penalty", "late", "handed_in", "note"]  # fmt: skip
ITEMS = ["assignment", "check", "points", "answers", "full", "none", "mean"]
MARKS = ["student", "assignment", "notebook", "check", "score", "points", "status"]


def write_csv(path: Path, results: Sequence[Result], root: Path | None = None) -> None:
    """One line for each submission; a score that does not exist stays empty, never zero.

    Names and addresses are there where `root` names the course that has them.
    """
    known = people(root) if root else {}
    lines = []
    for r in results:
        who = known.get(r.student, Person())
        numbers = [_number(n) for n in (r.score, r.points, r.waiting, r.penalty)]
        if r.score is None:
            numbers = [""] * len(numbers)
        about = [r.student, who.last, who.first, who.email, r.assignment, r.status.value]
        late = "yes" if r.late else "no"
        lines.append([*about, *numbers, late, local(r.handed_in), r.note])
    _write(path, GRADES, lines)


def write_items(path: Path, marks: Iterable[Graded]) -> None:
    """One line for each check: how the class did on it."""
    lines = [astuple(item) for item in items(marks)]
    _write(
        path, ITEMS, [[_number(v) if isinstance(v, float) else v for v in line] for line in lines]
    )


def write_marks(path: Path, marks: Iterable[Graded]) -> None:
    """One line for each check of each student; a mark that waits for a person stays empty."""
    lines = [
        [
            student,
            one.assignment,
            row.notebook,
            row.cell,
            "" if row.waits else _number(row.score),
            _number(row.points),
            Status.BY_HAND.value if row.waits else Status.GRADED.value,
        ]
        for one in marks
        for student, rows in one.rows.items()
        for row in rows
    ]
    _write(path, MARKS, lines)


def _number(value: float | None) -> str:
    return "" if value is None else f"{round(value, 4):g}"


def _write(path: Path, columns: Sequence[str], lines: Iterable[Sequence[object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(lines)


def write_html(path: Path, root: Path, results: Sequence[Result], title: str) -> None:
    """The report as one page without scripts, with links to the feedback pages."""
    environment = Environment(
        loader=PackageLoader("coursekit.grading"), autoescape=select_autoescape(["j2", "html"])
    )
    environment.filters |= {"local": local, "marked_up": marked_up}
    pages = {
        key: os.path.relpath(page, path.parent)
        for key, page in feedback_pages(root, results).items()
    }
    text = environment.get_template("report.html.j2").render(
        title=title,
        assignments=list(dict.fromkeys(r.assignment for r in results)),
        students=list(dict.fromkeys(r.student for r in results)),
        results={(r.student, r.assignment): r for r in results},
        pages=pages,
        names=full_names(root),
        items=items(graded(root, results)),
        troubles=[r for r in results if _troubled(r)],
        flagged=[r for r in results if r.flags],
        noted=[r for r in results if r.notes],
        waiting=sum(r.waiting > 0 for r in results),
        zone=local(datetime.now(UTC).replace(tzinfo=None)).split()[-1],
    )
    path.write_text(text, encoding="utf-8")


def _troubled(result: Result) -> bool:
    """Whether somebody has to look at a result, or may want to know of it."""
    told = {*NOT_GRADED, Status.NOT_SUBMITTED, Status.TIME_LIMIT}
    return result.status in told or bool(result.note)


def write_all(folder: Path, root: Path, results: Sequence[Result], title: str) -> list[Path]:
    """Write the report and the tables into a folder, which is made; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    marks = graded(root, results)
    paths = [folder / name for name in ("report.html", "grades.csv", "items.csv", "marks.csv")]
    write_html(paths[0], root, results, title)
    write_csv(paths[1], results, root)
    write_items(paths[2], marks)
    write_marks(paths[3], marks)
    return paths
