"""A class of a tiny course, and one warm server for all its runs."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import pytest
from tests.conftest import make_course

from coursekit.grading import course
from coursekit.grading.class_run import Options, grade, run
from coursekit.grading.class_run.pool import Threads
from coursekit.grading.kernels.client import Kernels
from coursekit.grading.status import Result

RIGHT = "def double(x):\n    return 2 * x"
# Right for the visible case, wrong for the hidden one: one of two points.
HALF = "def double(x):\n    return x + 2"
WHY = "Because of the two."
HANDED_IN = "2026-03-01 12:00:00 UTC"


@pytest.fixture(scope="session")
def kernels():
    with Kernels() as warm:
        yield warm


@pytest.fixture(scope="session")
def released(tmp_path_factory):
    """A course whose assignments `doubling` and `halving` are generated."""
    root = make_course(tmp_path_factory.mktemp("released"), "doubling", "halving")
    generate(root, "doubling")
    generate(root, "halving")
    return root


def generate(root: Path, assignment: str) -> None:
    with course.inside(root):
        done = course.api(root).generate_assignment(assignment)
    assert done["success"], done["log"]


@dataclass
class Classroom:
    """A course folder and what is done in it."""

    root: Path
    said: list[str] = field(default_factory=list)
    fresh: list[str] = field(default_factory=list)

    def hand_in(
        self,
        student: str,
        code: str = RIGHT,
        why: str = WHY,
        at: str | None = HANDED_IN,
        lesson: str = "doubling",
        **files: bytes,
    ) -> Path:
        """Put a submission in place of an older one."""
        folder = self.root / "submitted" / student / lesson
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        nb = nbformat.read(self.root / "release" / lesson / f"{lesson}.ipynb", 4)
        for cell in nb.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            cell.source = {"double": code, "why_even": why}.get(name, cell.source)
        nbformat.write(nb, folder / f"{lesson}.ipynb")
        if at is not None:
            (folder / "timestamp.txt").write_text(at)
        for name, data in files.items():
            (folder / name.replace("__", ".")).write_bytes(data)
        return folder

    def grade(self, *students: str, lessons=("doubling",), **options) -> dict[str, Result]:
        """Grade, and return the results by student; `fresh` are those that were executed."""
        options.setdefault("jobs", 2)
        outcome = grade(
            self.root, lessons, students or None, Options(**options), say=self.said.append
        )
        self.fresh = [student for student, _ in outcome.fresh]
        return {result.student: result for result in outcome.results}

    @contextmanager
    def book(self):
        """The gradebook."""
        with course.gradebook(self.root) as book:
            yield book

    def enrol(self, *students: str, **about: str) -> None:
        """Put students into the gradebook."""
        with self.book() as book:
            for student in students:
                book.update_or_create_student(student, **about)

    def marks(self, student: str, lesson: str = "doubling") -> dict[str, dict]:
        """All that the gradebook holds of a student's cells."""
        with self.book() as book:
            found = book.find_submission(lesson, student)
            grades = {g.name: g.to_dict() for n in found.notebooks for g in n.grades}
            for comment in (c for n in found.notebooks for c in n.comments):
                grades.setdefault(comment.name, {})["comment"] = comment.comment
        return grades

    def configure(self, line: str) -> None:
        """Add a line to the course's configuration."""
        with (self.root / "nbgrader_config.py").open("a") as file:
            file.write(f"\n{line}\n")


@pytest.fixture
def classroom(released, tmp_path, monkeypatch, kernels):
    """A fresh course whose runs use the one server."""
    for variable in ("COURSE_ROOT", "COURSE_DB_URL", "COURSE_EXCHANGE"):
        monkeypatch.delenv(variable, raising=False)
    root = tmp_path / "course"
    shutil.copytree(released, root)

    @contextmanager
    def pool(config, options, stop):
        threads = Threads(kernels, options.jobs or 2, stop)
        yield threads
        threads.close()

    monkeypatch.setattr(run, "_pool", pool)
    return Classroom(root)
