"""The repair inside nbgrader's own autograde, up to where cells would be run."""

from __future__ import annotations

import copy
import json
import shutil

import nbformat
import pytest
from nbgrader.apps.api import NbGraderAPI
from nbgrader.nbgraderformat import MetadataValidator
from tests.grading.intake.damage import at, cell_of, claim, remove, settings
from traitlets.config import Config

from coursekit.errors import CourseError
from coursekit.grading import course
from coursekit.grading.intake.preprocessor import Repair

pytestmark = pytest.mark.xdist_group("intake")
CONFIG = """
from nbgrader.preprocessors import CheckCellMetadata, ClearOutput
from coursekit.grading.intake.preprocessor import Repair
c.Autograde.sanitize_preprocessors = [Repair, ClearOutput, CheckCellMetadata]
c.Autograde.autograde_preprocessors = [CheckCellMetadata]
"""


@pytest.fixture
def autograde(lesson_course, tmp_path):
    """Hand in a notebook for a student, autograde it, and return what was done and written."""
    root = tmp_path / "course"
    shutil.copytree(lesson_course, root)
    with open(root / "nbgrader_config.py", "a") as file:
        file.write(CONFIG)

    def run(book):
        folder = root / "submitted" / "amy" / "perceptron"
        folder.mkdir(parents=True)
        (folder / "perceptron.ipynb").write_text(json.dumps(book))
        done = NbGraderAPI(config=course.configuration(root)).autograde("perceptron", "amy")
        written = root / "autograded" / "amy" / "perceptron" / "perceptron.ipynb"
        return done, nbformat.read(written, 4) if written.exists() else None

    return run


def _copied(book):
    book["cells"].insert(7, copy.deepcopy(cell_of(book, "predict")))


def _unknown(book):
    old = copy.deepcopy(cell_of(book, "predict_sides"))
    old["metadata"]["nbgrader"]["grade_id"] = "oldcell"
    book["cells"].append(old)


def _tampered(book):
    for cell in book["cells"]:
        if claim(cell):
            cell["metadata"]["nbgrader"] = {"grade_id": claim(cell), "schema_version": "x"}


def _half_empty(book):
    remove(book, "predict", "predict_sides", "why_no_line")
    book["cells"][0]["metadata"] = {"nbgrader": {}}
    book["nbformat_minor"] = 99


def _pointless(book):
    del settings(book, "predict_sides")["points"]


@pytest.mark.parametrize("damage", [_copied, _unknown, _tampered, _half_empty, _pointless])
def test_what_stops_nbgrader_comes_out_clean(autograde, book, template, damage):
    damage(book)
    done, written = autograde(book)
    assert done["success"], done["log"]
    MetadataValidator().validate_nb(written)
    assert sorted(claim(cell) for cell in written.cells if claim(cell)) == sorted(template.named)
    assert at(written, "predict_sides") > at(written, "predict")


def test_what_was_mended_is_in_the_log_and_in_the_notebook(autograde, book):
    done, written = autograde(remove(book, "predict_sides"))
    sentence = "The check `predict_sides` was missing from your notebook. It was put back and run."
    assert f"amy: {sentence}" in done["log"]
    assert written.metadata.coursekit.notes == [{"cell": "predict_sides", "text": sentence}]


def test_a_notebook_without_gradable_cells_is_not_a_silent_zero(autograde):
    done, written = autograde({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    assert not done["success"] and written is None
    assert "no gradable cells found in perceptron.ipynb" in done["log"]


def test_outside_a_converter_the_course_is_the_configured_one(lesson_course, book, template):
    config = Config({"CourseDirectory": {"root": str(lesson_course)}})
    step = Repair(config=config)
    about = {
        "notebook": "perceptron",
        "assignment": "perceptron",
        "db_url": course.database_url(lesson_course),
    }
    nb, _ = step.preprocess(nbformat.from_dict(book), {"nbgrader": about})
    assert len(nb.cells) == len(template.cells) and nb.metadata.coursekit.notes == []
    with pytest.raises(CourseError, match="does not know the notebook other of perceptron"):
        step.preprocess(nb, {"nbgrader": {**about, "notebook": "other"}})
