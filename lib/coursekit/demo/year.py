"""`make demo`: release the course, take in the sample class, grade it, and say where to look."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rich.console import Console

from coursekit.authoring import bank as banks
from coursekit.authoring import notebooks
from coursekit.authoring.lesson import source
from coursekit.authoring.release import known
from coursekit.demo.sample_class import CLASS, Student, hand_in, lesson_of
from coursekit.demo.tell import tell, unexpected
from coursekit.errors import CourseError
from coursekit.grading import class_run
from coursekit.grading.class_run import Options, feedback
from coursekit.grading.command import bar
from coursekit.grading.course import api, gradebook, inside, last_error
from coursekit.grading.report import write_all
from coursekit.grading.status import Result
from coursekit.paths import root as course_root

DUE = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def run(jobs: int = 0) -> None:
    """Run the demonstration in build/demo, anew each time; no real course data is touched."""
    started = time.monotonic()
    root = course_root()
    place, lessons = root / "build" / "demo", known(None, root)
    console = Console(width=None if sys.stdout.isatty() else 120)
    results = whole_year(root, place, lessons, CLASS, jobs)
    tell(console, root, place, lessons, results)
    console.print(f"Took {time.monotonic() - started:.0f} s. Each run starts afresh.")
    odd = unexpected(results)
    if odd:
        listed = "; ".join(f"{r.student}, {r.assignment}: {r.status.value} {r.note}" for r in odd)
        raise CourseError(f"some results of the sample class are not as they should be: {listed}")


def whole_year(
    root: Path,
    place: Path,
    lessons: Sequence[str],
    students: Sequence[Student],
    jobs: int,
) -> list[Result]:
    """Release lessons of the course in `root`, take in students' work, grade it and report on it.

    Everything is written under `place`, which is emptied first: a course folder, an exchange, a
    gradebook, feedback, `grades.csv` and `report.html`. Results come in the order of students.
    """
    with _settings(place):
        course = _fresh_course(root, place)
        _release(course, lessons, students)
        _take_in(root, course, lessons, students)
        results = _grade(course, lessons, students, jobs)
        write_all(place, course, results, "Class report of the demonstration")
    return results


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


def _release(course: Path, lessons: Sequence[str], students: Sequence[Student]) -> None:
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
        for student in students:
            book.add_student(student.id, first_name=student.first, last_name=student.last)


def _take_in(root: Path, course: Path, lessons: Sequence[str], students: Sequence[Student]) -> None:
    for lesson in lessons:
        work = lesson_of(notebooks.read(source(lesson, root)), banks.load(lesson, root))
        released = course / "release" / lesson / f"{lesson}.ipynb"
        for number, student in enumerate(students):
            if student.habit != "absent":
                folder = course / "submitted" / student.id / lesson
                hand_in(student, number, work, released, folder)
                (folder / "timestamp.txt").write_text(_handed_in_at(student))


def _handed_in_at(student: Student) -> str:
    moment = DUE + (timedelta(hours=5) if student.habit == "late" else -timedelta(hours=20))
    return moment.strftime("%Y-%m-%d %H:%M:%S.%f %Z")


def _grade(
    course: Path, lessons: Sequence[str], students: Sequence[Student], jobs: int
) -> list[Result]:
    """Grade everything and write the feedback pages."""
    with bar("Grading") as step:

        def progress(result: Result, done: int, total: int) -> None:
            step(f"Grading {result.student}", done, total)

        ids = [student.id for student in students]
        graded = class_run.grade(course, lessons, ids, Options(jobs), progress)
    with bar("Writing feedback") as step:
        faults = feedback.write(
            course, graded.results, jobs, lambda done, total: step("Writing feedback", done, total)
        )
    for (student, lesson), fault in faults.items():
        raise CourseError(f"no feedback page for {student}, {lesson}: {fault}")
    return graded.results
