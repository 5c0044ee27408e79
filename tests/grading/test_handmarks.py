"""A mark given by hand stays; it is asked to be confirmed where its text may have changed."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook

from coursekit.grading import handmarks


def grade(manual=None, extra=None, waits=False):
    return SimpleNamespace(manual_score=manual, extra_credit=extra, needs_manual_grade=waits)


@pytest.mark.parametrize(
    ("given", "auto", "known", "waits"),
    [
        (grade(), 1.0, None, False),
        (grade(), None, "same", True),
        (grade(waits=True), 0.0, "same", False),
        (grade(manual=1.5), None, "same", False),
        (grade(manual=1.5), None, "other", True),
        (grade(manual=1.5), None, None, True),
        (grade(manual=1.5, waits=True), None, "same", True),
        (grade(manual=0.0), 1.0, "other", True),
        (grade(extra=0.5), 1.0, "same", False),
        (grade(extra=0.5), 1.0, "other", True),
        (grade(extra=0.5), None, "same", True),
    ],
)
def test_who_has_to_look_again(given, auto, known, waits):
    assert handmarks.needs_hand(given, auto, known, "same") is waits


def notebook(code="x = 1", text="Because.", test="assert x"):
    cells = [
        new_code_cell(code),
        new_code_cell(test, metadata={"nbgrader": {"grade": True, "solution": False}}),
        new_markdown_cell(text, metadata={"nbgrader": {"grade": True, "solution": True}}),
    ]
    return new_notebook(cells=cells)


def digest(which, **changes):
    nb = notebook(**changes)
    return handmarks.digest(nb.cells[which], nb)


def test_a_written_answer_is_judged_by_its_own_text():
    assert digest(2) == digest(2, code="x = 2") == digest(2, text="Because. \r\n")
    assert digest(2) != digest(2, text="Why not?")


def test_a_test_is_judged_by_the_students_code_and_not_by_its_own():
    assert digest(1) == digest(1, text="Why not?") == digest(1, test="assert x == 1")
    assert digest(1) != digest(1, code="x = 2")


def test_digests_are_kept_in_the_gradebook_beside_nbgraders_own_tables(tmp_path):
    url = f"sqlite:///{tmp_path}/gradebook.db"
    with Gradebook(url) as book:
        assert handmarks.recall(book.db, ["a", "b"]) == {}
        handmarks.remember(book.db, {})
        handmarks.remember(book.db, {"a": "1", "b": "2"})
        handmarks.remember(book.db, {"a": "3"})
        book.db.commit()
    with Gradebook(url) as book:
        assert handmarks.recall(book.db, ["a", "b", "c"]) == {"a": "3", "b": "2"}
        handmarks.remember(book.db, {"a": "4"})
        book.db.rollback()
        assert handmarks.recall(book.db, ["a"]) == {"a": "3"}
