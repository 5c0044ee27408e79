"""`make demo`: release the course, take in the sample class, grade it, and say where to look."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from coursekit.authoring import bank as banks
from coursekit.authoring import notebooks
from coursekit.authoring.release import assignments as all_assignments
from coursekit.demo.sample_class import CLASS, Student, answers_of, hand_in
from coursekit.errors import CourseError
from coursekit.grading.class_run import grade_class, last_error
from coursekit.grading.course import api, gradebook, inside
from coursekit.grading.report import write_csv, write_html
from coursekit.grading.status import Result, Status
from coursekit.paths import root as course_root

DUE = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def run(jobs: int = 0) -> None:
    """Run the demonstration in build/demo, anew each time; no real course data is touched."""
    started = time.monotonic()
    root = course_root()
    place, lessons = root / "build" / "demo", all_assignments(root)
    if not lessons:
        raise CourseError(f"there is no lesson in {root / 'source'}: nothing to demonstrate")
    console = Console()
    with _settings(place):
        course = _fresh_course(root, place)
        _release(course, lessons)
        _take_in(root, course, lessons)
        results = _grade(course, lessons, jobs, console)
        write_csv(place / "grades.csv", results)
        write_html(place / "report.html", course, results, "Class report of the demonstration")
    _tell(console, root, place, lessons, results, time.monotonic() - started)
    odd = unexpected(results)
    if odd:
        listed = "; ".join(f"{r.student}, {r.assignment}: {r.status.value} {r.note}" for r in odd)
        raise CourseError(f"some results of the sample class are not as they should be: {listed}")


@contextmanager
def _settings(place: Path) -> Iterator[None]:
    """The demonstration's own exchange and database, whatever the environment says."""
    before = {name: os.environ.pop(name, None) for name in ("COURSE_DB_URL", "COURSE_EXCHANGE")}
    os.environ["COURSE_EXCHANGE"] = str(place / "exchange")
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def _fresh_course(root: Path, place: Path) -> Path:
    shutil.rmtree(place, ignore_errors=True)
    course = place / "course"
    shutil.copytree(root / "source", course / "source")
    shutil.copy(root / "nbgrader_config.py", course)
    return course


def _release(course: Path, lessons: Sequence[str]) -> None:
    with inside(course):
        nbgrader = api(course)
        for step in (nbgrader.generate_assignment, nbgrader.release_assignment):
            for lesson in lessons:
                done = step(lesson)
                if not done["success"]:
                    raise CourseError(f"{lesson} could not be released: {last_error(done)}")
    with gradebook(course) as book:
        for lesson in lessons:
            book.update_or_create_assignment(lesson, duedate=DUE.replace(tzinfo=None))
        for student in CLASS:
            book.add_student(student.id, first_name=student.first, last_name=student.last)


def _take_in(root: Path, course: Path, lessons: Sequence[str]) -> None:
    for lesson in lessons:
        source = notebooks.read(root / "source" / lesson / f"{lesson}.ipynb")
        exercises = [name for name, tests in notebooks.exercises(source).items() if tests]
        functions = _functions(source, exercises)
        bank = banks.load(lesson, root)
        released = course / "release" / lesson / f"{lesson}.ipynb"
        for number, student in enumerate(CLASS):
            if student.habit == "absent":
                continue
            folder = course / "submitted" / student.id / lesson
            hand_in(
                student, released, folder, answers_of(student, number, bank, exercises), functions
            )
            (folder / "timestamp.txt").write_text(_handed_in_at(student))


def _handed_in_at(student: Student) -> str:
    moment = DUE + (timedelta(hours=5) if student.habit == "late" else -timedelta(hours=20))
    return moment.strftime("%Y-%m-%d %H:%M:%S.%f %Z")


def _functions(source: notebooks.NotebookNode, exercises: Sequence[str]) -> dict[str, str]:
    found = {}
    for cell in source.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        match = re.search(r"^def (\w+)", cell.source, re.MULTILINE)
        if name in exercises and match:
            found[name] = match[1]
    return found


def _grade(course: Path, lessons: Sequence[str], jobs: int, console: Console) -> list[Result]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("Grading", total=len(CLASS) * len(lessons))

        def step(result: Result, done: int, total: int) -> None:
            bar.update(task, completed=done, description=f"Grading {result.student}")

        return grade_class(course, lessons, [s.id for s in CLASS], jobs, step)


def _tell(
    console: Console,
    root: Path,
    place: Path,
    lessons: Sequence[str],
    results: Sequence[Result],
    seconds: float,
) -> None:
    by_key = {(r.student, r.assignment): r for r in results}
    table = Table(title="Results of the sample class", title_justify="left")
    table.add_column("student")
    table.add_column("what the student did")
    for lesson in lessons:
        table.add_column(lesson, justify="right")
    for student in CLASS:
        row = [_short(by_key[student.id, lesson]) for lesson in lessons]
        table.add_row(f"{student.first} {student.last}", HABITS[student.habit], *row)
    console.print(table)
    console.print(
        "Points so far, of those that tests can give; written answers wait to be marked by hand."
    )
    example = place / "course" / "feedback" / "emil" / lessons[0] / f"{lessons[0]}.html"
    for label, path in (
        ("Class report", place / "report.html"),
        ("Grades as CSV", place / "grades.csv"),
        ("A student's feedback", example),
        ("All feedback", place / "course" / "feedback"),
    ):
        console.print(f"{label}: {path.relative_to(root)}", soft_wrap=True)
    console.print(f"Took {seconds:.0f} s. Run it again at any time; it starts afresh.")


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
    """Results that the sample class should not have: only the damaged files cannot be graded."""
    fine = {Status.GRADED, Status.BY_HAND}
    habits = {student.id: student.habit for student in CLASS}
    wanted = {"broken": {Status.UNREADABLE}, "absent": {Status.NOT_SUBMITTED}}
    return [r for r in results if r.status not in wanted.get(habits[r.student], fine)]
