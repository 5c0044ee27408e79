"""The perceptron lesson as a gradebook knows it, and correct submissions of it."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path

import nbformat
import pytest

from coursekit.grading import course
from coursekit.grading.intake.template import templates

ROOT = Path(__file__).resolve().parents[3]
LESSON = "perceptron"


@pytest.fixture(scope="session")
def lesson_course(tmp_path_factory):
    """A course with the perceptron lesson, released by nbgrader."""
    root = tmp_path_factory.mktemp("intake") / "course"
    (root / "source").mkdir(parents=True)
    shutil.copytree(ROOT / "source" / LESSON, root / "source" / LESSON)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("COURSE_ROOT", "COURSE_DB_URL", "COURSE_EXCHANGE"):
            patch.delenv(variable, raising=False)
        done = course.api(root).generate_assignment(LESSON)
        assert done["success"], done["log"]
    return root


@pytest.fixture(scope="session")
def template(lesson_course):
    return templates(lesson_course, LESSON)[LESSON]


@pytest.fixture(scope="session")
def released(lesson_course):
    """The notebook that students get."""
    path = lesson_course / "release" / LESSON / f"{LESSON}.ipynb"
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def solved(released, lesson_course):
    """A correct submission: the release with the answers of the source."""
    source = nbformat.read(lesson_course / "source" / LESSON / f"{LESSON}.ipynb", 4)
    answers = {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in source.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }
    made = copy.deepcopy(released)
    for cell in made["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in answers:
            lines = answers[name].split("\n")
            cell["source"] = "\n".join(line for line in lines if "### " not in line)
    return made


@pytest.fixture
def book(solved):
    """A copy of the correct submission, to be damaged."""
    return copy.deepcopy(solved)
