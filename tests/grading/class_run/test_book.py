"""One writer, which waits for others and says so where they do not end."""

from __future__ import annotations

import sqlite3
import threading
import time

import pytest
from sqlalchemy.exc import OperationalError

from coursekit.errors import CourseError
from coursekit.grading import course
from coursekit.grading.class_run import book
from coursekit.grading.class_run.book import Writer, patiently
from coursekit.grading.marks import Mark

pytestmark = pytest.mark.xdist_group("class_run")
MARKS = {
    "doubling": [
        Mark("double", False, True, comment="No response."),
        Mark("double_numbers", True, False, 1.5, judged="a"),
        Mark("why_even", True, True, None, judged="b"),
    ]
}


@pytest.fixture
def opened(classroom):
    with classroom.book() as found:
        yield found, classroom.root


def writer(opened) -> Writer:
    return Writer(opened[0], "doubling", course.configuration(opened[1]))


def test_a_student_who_is_not_enrolled_is_and_all_rows_are_there(opened, classroom):
    kept = writer(opened).save("new", MARKS, None)
    assert {(row.cell, row.score, row.waits) for row in kept.rows} == {
        ("double_numbers", 1.5, False),
        ("why_even", 0.0, True),
    }
    marks = classroom.marks("new")
    assert marks["double"]["comment"] == "No response."
    assert marks["double_numbers"]["auto_score"] == 1.5
    assert marks["why_even"]["needs_manual_grade"] and marks["why_even"]["auto_score"] is None
    assert opened[0].find_submission("doubling", "new").score == 1.5


def test_cells_without_a_mark_wait_for_a_person(opened):
    write = writer(opened)
    write.save("ada", MARKS, None)
    kept = write.save("ada", {}, None)
    assert all(row.waits and row.auto is None for row in kept.rows) and len(kept.rows) == 2


def test_settling_leaves_the_marks(opened):
    write = writer(opened)
    before = write.save("ada", MARKS, None).rows
    assert write.settle("ada", None).rows == before


def test_nothing_is_written_where_a_part_fails(opened, monkeypatch):
    write = writer(opened)
    monkeypatch.setattr(book.handmarks, "remember", lambda *given: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write.save("ada", MARKS, None)
    assert not [s for s in opened[0].students if s.id == "ada"]


def lock(root, seconds: float) -> threading.Thread:
    """Hold the gradebook in another connection for some time."""
    held = threading.Event()

    def hold() -> None:
        other = sqlite3.connect(root / "gradebook.db", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        held.set()
        time.sleep(seconds)
        other.execute("ROLLBACK")
        other.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(10)
    return thread


def test_a_gradebook_that_another_process_holds_is_waited_for(opened):
    write = writer(opened)
    thread = lock(opened[1], 7.0)  # longer than SQLite itself waits
    try:
        assert len(write.save("ada", MARKS, None).rows) == 2
    finally:
        thread.join()


def test_one_that_is_held_too_long_is_a_sentence(opened):
    write = writer(opened)
    thread = lock(opened[1], 7.0)
    try:
        with pytest.raises(CourseError, match="another process has held the gradebook for 0 s"):
            patiently(opened[0], lambda: write._save("ada", MARKS, None), patience=0.0)
    finally:
        thread.join()


def test_other_errors_of_the_gradebook_are_not_waited_for(opened):
    def broken():
        raise OperationalError("select", {}, Exception("disk I/O error"))

    with pytest.raises(OperationalError):
        patiently(opened[0], broken)
