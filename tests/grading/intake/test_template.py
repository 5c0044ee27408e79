"""What the course knows of a notebook, and that it can travel."""

from __future__ import annotations

import dataclasses
import shutil

import pytest

from coursekit.errors import CourseError
from coursekit.grading.intake.template import Template, templates

pytestmark = pytest.mark.xdist_group("intake")


def test_points_hidden_tests_and_order_are_those_of_the_source(template, released):
    marked = [cell["metadata"].get("nbgrader", {}) for cell in released["cells"]]
    assert template.points == {m["grade_id"]: m["points"] for m in marked if m.get("grade")}
    assert template.points["why_no_line"] == 3 and "predict" not in template.points
    assert "predict_sides" in template.hidden and "predict" not in template.hidden
    assert len(template.cells) == len(released["cells"])
    for known, cell in zip(template.cells, released["cells"], strict=True):
        assert known.kind == cell["cell_type"]
        assert known.released.split() == "".join(cell["source"]).split()


def test_kinds_of_cells_are_told_apart(template):
    test, answer = template.named["predict_sides"], template.named["predict"]
    written = template.named["why_no_line"]
    assert test.is_test and test.locked and not test.is_answer and not test.by_hand
    assert answer.is_answer and not answer.grade and not answer.is_test
    assert written.is_answer and written.by_hand and not written.is_test


def test_it_travels_as_text(template):
    again = Template.from_json(template.to_json())
    assert again == template and again.digest == template.digest


def _changed(template, index, **changes):
    cells = list(template.cells)
    cells[index] = dataclasses.replace(cells[index], **changes)
    return dataclasses.replace(template, cells=tuple(cells))


def test_the_digest_changes_with_points_tests_and_order_and_not_with_prose(template):
    index = template.cells.index(template.named["predict_sides"])
    turned = dataclasses.replace(template, cells=tuple(reversed(template.cells)))
    others = [_changed(template, index, points=2.0), _changed(template, index, source="1"), turned]
    assert len({other.digest for other in (template, *others)}) == 4
    assert _changed(template, 0, source="# Other words").digest == template.digest


def test_without_a_source_the_release_gives_the_order_and_without_both_the_gradebook(
    lesson_course, template, tmp_path
):
    root = tmp_path / "course"
    shutil.copytree(lesson_course, root)
    shutil.rmtree(root / "source")
    found = templates(root, "perceptron")["perceptron"]
    assert [c.released.split() for c in found.cells] == [c.released.split() for c in template.cells]
    shutil.rmtree(root / "release")
    found = templates(root, "perceptron")["perceptron"]
    assert set(found.named) == set(template.named) and len(found.cells) == len(found.named)
    assert found.points == template.points and found.hidden == template.hidden


def test_an_unknown_assignment_is_told_in_a_sentence(lesson_course):
    with pytest.raises(CourseError, match="does not know the assignment nothing: run"):
        templates(lesson_course, "nothing")
