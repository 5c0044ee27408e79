"""Every stock nbgrader command works on a course with this repository's configuration."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

from coursekit.authoring.release import generate


class Person:
    """Someone who runs nbgrader commands in a folder."""

    def __init__(self, folder: Path, home: Path, **variables: str) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "HOME": str(home),
            "JUPYTER_DATA_DIR": str(home / "data"),
            "JUPYTER_CONFIG_DIR": str(home / "config"),
            "PATH": "/usr/bin:/bin",  # the environment is not activated
            **variables,
        }

    def nbgrader(self, *arguments: str) -> str:
        """Run a command, which must succeed, and return what it printed."""
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
        )
        printed = done.stdout + done.stderr
        assert done.returncode == 0, printed
        assert "Traceback" not in printed, printed
        return printed


@pytest.fixture
def course(tiny_course: Callable[..., Path]) -> Path:
    return tiny_course()


@pytest.fixture
def staff(course: Path, tmp_path: Path) -> Person:
    return Person(course, tmp_path / "home")


@pytest.fixture
def student(course: Path, tmp_path: Path) -> Person:
    folder = tmp_path / "student"
    folder.mkdir()
    (folder / "nbgrader_config.py").write_text(
        "c = get_config()\n"
        'c.CourseDirectory.course_id = "mlp"\n'
        f"c.Exchange.root = {str(course / 'exchange')!r}\n"
    )
    return Person(folder, tmp_path / "home")


def answer(path: Path) -> None:
    """Answer the tiny lesson: right for the visible case, wrong for the hidden one."""
    nb = nbformat.read(path, as_version=4)
    nb.cells[1].source = "def double(x):\n    return abs(x) * 2"
    nb.cells[3].source = "Two is a factor."
    nbformat.write(nb, path)


def test_a_whole_year(course: Path, staff: Person, student: Person) -> None:
    """One test, since each command needs what the one before it made."""
    staff.nbgrader("generate_assignment", "doubling")
    released = (course / "release" / "doubling" / "doubling.ipynb").read_text()
    assert "secret number" not in released
    assert "2 * x" not in released
    assert "Not attempted yet" in released
    assert "Write your answer here" in released

    staff.nbgrader("release_assignment", "doubling")
    assert "mlp doubling" in staff.nbgrader("list")
    student.nbgrader("fetch_assignment", "doubling")
    answer(student.folder / "doubling" / "doubling.ipynb")
    student.nbgrader("validate", "doubling/doubling.ipynb")
    student.nbgrader("submit", "doubling")
    assert "mlp" in staff.nbgrader("list", "--inbound")

    staff.nbgrader("collect", "doubling")
    (who,) = (path.name for path in (course / "submitted").iterdir())
    staff.nbgrader("autograde", "doubling")
    staff.nbgrader("generate_feedback", "doubling")
    page = (course / "feedback" / who / "doubling" / "doubling.html").read_text()
    assert "below zero" in page
    assert "-14" not in page
    assert "HIDDEN TESTS" not in page

    staff.nbgrader("release_feedback", "doubling")
    student.nbgrader("fetch_feedback", "doubling")
    assert list((student.folder / "doubling" / "feedback").rglob("doubling.html"))

    staff.nbgrader("export", "--to", "grades.csv")
    table = (course / "grades.csv").read_text()
    assert f",{who}," in table
    assert ",1.0,3.0" in table.replace(" ", "")


def test_settings_of_the_environment(course: Path, tmp_path: Path) -> None:
    exchange = tmp_path / "elsewhere"
    exchange.mkdir()
    database = tmp_path / "marks.db"
    variables = {"COURSE_EXCHANGE": str(exchange), "COURSE_DB_URL": f"sqlite:///{database}"}
    staff = Person(course, tmp_path / "home", **variables)
    staff.nbgrader("generate_assignment", "doubling")
    staff.nbgrader("release_assignment", "doubling")
    assert database.exists()
    assert (exchange / "mlp" / "outbound" / "doubling").is_dir()
    assert not (course / "gradebook.db").exists()
    assert not (course / "exchange").exists()

    ours = generate(["doubling"], tmp_path / "ours", course)["doubling"] / "doubling.ipynb"
    stock = course / "release" / "doubling" / "doubling.ipynb"
    assert ours.read_bytes() == stock.read_bytes(), "`coursekit release` is nbgrader's own"


def test_private_files_are_not_released(course: Path, tmp_path: Path) -> None:
    lesson = course / "source" / "doubling"
    (lesson / "data.csv").write_text("1,2\n")
    for name in (".DS_Store", "lesson.draft.ipynb~", "README.draft.md", "x.pyc"):
        (lesson / name).write_text("private")
    made = generate(["doubling"], tmp_path / "out", course)["doubling"]
    assert sorted(path.name for path in made.iterdir()) == ["data.csv", "doubling.ipynb"]
