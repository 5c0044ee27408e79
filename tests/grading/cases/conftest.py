"""A class in which each student is a case: all are graded once, then looked at one by one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from tests.grading.cases.lesson import ps1, right_answers, solved

from coursekit.grading.class_run import grade
from coursekit.grading.course import api, gradebook, inside
from coursekit.grading.status import Result

ROOT = Path(__file__).resolve().parents[3]
Damage = Callable[[NotebookNode], object]


class Class:
    """A course in a folder of its own."""

    def __init__(self, folder: Path, real: str = "") -> None:
        self.folder = folder
        shutil.copy(ROOT / "nbgrader_config.py", folder)
        with open(folder / "nbgrader_config.py", "a") as config:
            config.write("\nc.Execute.timeout = 3\n")
        (folder / "source" / "ps1").mkdir(parents=True)
        nbformat.write(ps1(), folder / "source" / "ps1" / "ps1.ipynb")
        self.lessons = ["ps1"]
        if real:
            shutil.copytree(ROOT / "source" / real, folder / "source" / real)
            self.lessons.append(real)
        self.generate()

    def generate(self) -> None:
        """Make the released versions and the gradebook."""
        with inside(self.folder):
            for lesson in self.lessons:
                done = api(self.folder).generate_assignment(lesson)
                assert done["success"], done["log"]

    def source(self, lesson: str = "ps1") -> Path:
        return self.folder / "source" / lesson / f"{lesson}.ipynb"

    def right(self, lesson: str = "ps1", **changes: str) -> NotebookNode:
        """The released notebook, answered rightly but for the changes."""
        released = self.folder / "release" / lesson / f"{lesson}.ipynb"
        return solved(released, {**right_answers(self.source(lesson)), **changes})

    def place(self, student: str, lesson: str = "ps1") -> Path:
        folder = self.folder / "submitted" / student / lesson
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def hand_in(self, student: str, nb: NotebookNode | bytes, lesson: str = "ps1") -> Path:
        """Write a notebook as a student's submission; nothing about it is made valid."""
        path = self.place(student, lesson) / f"{lesson}.ipynb"
        body = nb if isinstance(nb, bytes) else nbformat.writes(nb).encode()
        path.write_bytes(body)
        return path

    def grade(self, *students: str, lessons: list[str] | None = None, **options: object):
        """Grade, and return the results by student and assignment."""
        outcome = grade(self.folder, lessons or self.lessons, list(students) or None, **options)
        return {(r.student, r.assignment): r for r in outcome.results}

    def marks(self, student: str, lesson: str = "ps1") -> Mapping[str, float | None]:
        """The automatic marks in the gradebook by grade id."""
        with gradebook(self.folder) as book:
            submission = book.find_submission(lesson, student)
            return {
                grade.name: grade.auto_score for nb in submission.notebooks for grade in nb.grades
            }

    def graded(self, student: str, lesson: str = "ps1") -> NotebookNode:
        """The graded notebook."""
        path = self.folder / "autograded" / student / lesson / f"{lesson}.ipynb"
        return nbformat.read(path, as_version=4)

    def verdict(self, student: str, name: str, lesson: str = "ps1") -> Mapping[str, object]:
        return self.graded(student, lesson).metadata.coursekit.verdicts[name]


def said(result: Result) -> str:
    """All that a TA reads about a submission, in lower case."""
    return " ".join([result.note, *result.notes, *result.flags]).casefold()


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Class:
    """A course with the small assignment."""
    for name in ("COURSE_ROOT", "COURSE_DB_URL", "COURSE_EXCHANGE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "course").mkdir()
    return Class(tmp_path / "course")
