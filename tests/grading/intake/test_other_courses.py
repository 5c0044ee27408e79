"""Cells that this course has none of: read-only data, tasks, plain cells with a grade id."""

from __future__ import annotations

import copy

import pytest
from tests.grading.intake.damage import at, cell_of, mend, remove, texts

from coursekit.grading.intake.template import Known, Template

DATA = "from data import X\nX = X / 2"


def known(name, kind="code", source="", **settings):
    metadata = {"grade_id": name, "locked": settings.get("locked", False)}
    return Known(kind, source, source, name, checksum="0" * 32, written=metadata, **settings)


TEMPLATE = Template(
    "ps1",
    "ps1",
    (
        known("title", "markdown", "# Sums", locked=True),
        known("data", source=DATA, locked=True),
        Known("markdown", "Write a sum.", "Write a sum.", written={"grade_id": "cell-1"}),
        known("q1", source="total = None", solution=True),
        Known("code", "assert total == 3\nassert 1", "assert total == 3", "t1", grade=True,
              locked=True, points=2.0, checksum="1" * 32),
        known("task", "markdown", "Draw it.", task=True, points=5.0, locked=True),
        known("m1", "markdown", "Why?", grade=True, solution=True, points=1.0),
    ),
)  # fmt: skip


@pytest.fixture
def book():
    cells = [
        {
            "cell_type": cell.kind,
            "metadata": {"nbgrader": cell.nbgrader()} if cell.name else {},
            "source": cell.released,
        }
        for cell in TEMPLATE.cells
    ]
    # As nbgrader's toolbar leaves a cell that was graded once.
    plain = {"grade_id": "cell-1", "grade": False, "solution": False, "locked": False}
    cells[2]["metadata"]["nbgrader"] = plain
    cell_of({"cells": cells}, "q1")["source"] = "total = 3"
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def test_a_right_submission_has_no_notes(book):
    assert mend(book, TEMPLATE).notes == []


def test_a_plain_cell_with_a_grade_id_may_be_changed(book):
    book["cells"][2]["source"] = "I wrote here."
    done = mend(book, TEMPLATE)
    assert done.notes == [] and done.nb.cells[2].source == "I wrote here."


def test_read_only_data_is_put_back_before_the_students_cells(book):
    mine = {"cell_type": "code", "metadata": {}, "source": "print(X)"}
    book["cells"].insert(2, mine)
    done = mend(remove(book, "data"), TEMPLATE)
    assert at(done.nb, "data") == 1 and done.nb.cells[2].source == "print(X)"
    assert texts(done) == ["The read-only cell `data` was missing from your notebook. "
                           "It was put back."]  # fmt: skip


def test_the_first_cell_is_put_back_first(book):
    assert at(mend(remove(book, "title", "data"), TEMPLATE).nb, "title") == 0


def test_changed_read_only_data_is_the_courses_again(book):
    cell_of(book, "data")["source"] = "X = [1]"
    done = mend(book, TEMPLATE)
    assert cell_of(done.nb, "data").source == DATA
    assert "read-only cell `data` had been changed" in texts(done)[0]


def test_a_task_is_put_back_and_its_text_is_the_courses(book):
    assert texts(mend(remove(copy.deepcopy(book), "task"), TEMPLATE), "task") != []
    cell_of(book, "task")["source"] = "Draw it.\n\nMy drawing: o"
    done = mend(book, TEMPLATE)
    assert cell_of(done.nb, "task").source == "Draw it."
    assert "My drawing: o" in done.nb.cells[at(done.nb, "task") + 1].source


def test_a_variable_that_answers_is_found_without_its_name(book):
    cell_of(book, "q1")["metadata"] = {}
    done = mend(book, TEMPLATE)
    assert done.recovered == ["q1"] and cell_of(done.nb, "q1").source == "total = 3"


def test_an_assignment_without_graded_cells_is_taken_as_it_is(book):
    plain = Template("ps1", "ps1", (Known("markdown", "Read.", "Read."),))
    assert len(mend({"cells": [{"cell_type": "code", "source": "1"}]}, plain).nb.cells) == 1
