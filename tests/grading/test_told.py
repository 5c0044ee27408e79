"""What is said of a notebook: kept once, and told to those whom it concerns."""

from __future__ import annotations

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from coursekit.grading import told


def said(*notes, flags=(), verdict=None, stopped=""):
    return {"notes": list(notes), "flags": list(flags), "verdict": verdict, "stopped": stopped}


VERDICT = {"score": 0.0, "points": 2.0, "why": "No.", "alerts": ["it gave NaN"]}


def test_notes_flags_and_verdicts_are_kept_by_cell_and_once():
    nb = new_notebook()
    for _ in range(2):
        told.record(nb, "t1", said("A note.", flags=["patched len"], verdict=VERDICT))
    assert nb.metadata.coursekit == {
        "notes": [{"cell": "t1", "text": "A note."}],
        "flags": [{"cell": "t1", "text": "patched len"}],
        "verdicts": {"t1": VERDICT},
        "stopped": "",
    }


def test_a_stop_is_noted_and_cells_not_reached_are_noted_once():
    nb = new_notebook()
    told.record(nb, "train", said(stopped="stopped after 30 s in the cell `train`"))
    for cell in ("t1", "t2"):
        told.record(nb, cell, said(stopped="not reached: the notebook had used its 300 seconds"))
    assert nb.metadata.coursekit.stopped == "stopped after 30 s in the cell `train`"
    assert told.for_student(nb) == [
        "Stopped after 30 s in the cell `train`.",
        "The cells from here on were not reached: the notebook had used its 300 seconds.",
    ]


def test_a_grader_reads_flags_first_and_a_student_reads_none():
    nb = new_notebook()
    told.record(nb, "t1", said("A note.", flags=["patched len"], verdict=VERDICT))
    assert told.for_grader(nb) == [
        ("t1", "Flag: patched len"),
        ("t1", "Look at this: it gave NaN"),
        ("t1", "A note."),
    ]
    assert told.for_student(nb) == ["A note."]


@pytest.mark.parametrize("odd", [None, [], "x", {"notes": []}])
def test_odd_metadata_are_put_right(odd):
    nb = new_notebook()
    nb.metadata["coursekit"] = odd
    assert set(told.of(nb)) == {"notes", "flags", "verdicts", "stopped"}


@pytest.mark.parametrize("odd", [{}, {"coursekit": "course", "nbgrader": None}])
def test_a_cell_without_metadata_is_a_students_without_a_name(odd):
    cell = new_code_cell("x", metadata=odd)
    assert (told.role(cell), told.grade_id(cell)) == ("", "")


def test_texts_that_differ_in_line_ends_only_are_the_same():
    assert told.plain_text("a \r\n\tb\n") == told.plain_text("a\n\tb")
    assert told.plain_text("a b") != told.plain_text("a  b")
