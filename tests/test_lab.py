"""The student's folder that `coursekit lab` opens."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from coursekit import lab
from coursekit.authoring.release import generate
from coursekit.errors import CourseError

Course = Callable[..., Path]


@pytest.fixture
def course(tiny_course: Course) -> Path:
    """A course with two released lessons."""
    folder = tiny_course("doubling", "halving")
    generate(None, folder / "release", folder)
    return folder


def test_every_released_lesson_is_fetched(course: Path, tmp_path: Path) -> None:
    student = lab.prepare(course, tmp_path / "lab")
    for name in ("doubling", "halving"):
        fetched = student / name / f"{name}.ipynb"
        assert fetched.read_bytes() == (course / "release" / name / f"{name}.ipynb").read_bytes()
        assert (tmp_path / "lab/exchange/mlp/outbound" / name / f"{name}.ipynb").is_file()


def test_work_is_never_overwritten(course: Path, tmp_path: Path) -> None:
    student = lab.prepare(course, tmp_path / "lab")
    work = student / "doubling" / "doubling.ipynb"
    work.write_text("my work")
    (student / "halving" / "halving.ipynb").unlink()
    lab.prepare(course, tmp_path / "lab")
    assert work.read_text() == "my work"
    assert list((student / "halving").iterdir()) == []


def test_the_student_can_submit(course: Path, tmp_path: Path) -> None:
    student = lab.prepare(course, tmp_path / "lab")
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "submit", "doubling"],
        cwd=student,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert len(list((tmp_path / "lab/exchange/mlp/inbound").iterdir())) == 1
    assert len(list((tmp_path / "lab/cache/mlp").iterdir())) == 1


def test_jupyterlab_is_a_students(
    course: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: dict[str, object] = {}

    def start(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        started.update(options, command=command)
        return subprocess.CompletedProcess(command, 7)

    monkeypatch.chdir(course)
    monkeypatch.setattr(subprocess, "run", start)
    assert lab.run(["--no-browser"]) == 7
    assert started["command"][-1] == "--no-browser"
    assert started["cwd"] == course / "build" / "lab" / "student"
    settings = Path(started["env"]["JUPYTER_CONFIG_PATH"])
    page = json.loads((settings / "labconfig" / "page_config.json").read_text())
    assert page["disabledExtensions"]["@jupyter/nbgrader:formgrader"]


def test_nothing_released_yet(tiny_course: Course, tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="run `coursekit release` first"):
        lab.prepare(tiny_course(), tmp_path / "lab")
    assert not (tmp_path / "lab").exists()
