"""What a result makes of the rows of a gradebook."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from coursekit.grading.recorded import Kept, Row, due_date, result_of, to_confirm
from coursekit.grading.status import Status


@pytest.mark.parametrize(
    ("given", "score"),
    [
        ({}, 0.0),
        ({"auto": 1.5}, 1.5),
        ({"auto": 1.5, "manual": 0.5}, 0.5),
        ({"auto": 1.5, "extra": 0.5}, 2.0),
        ({"auto": 1.5, "manual": 1.0, "extra": 0.5}, 1.5),
        ({"extra": 0.5}, 0.0),
    ],
)
def test_scores_are_those_of_nbgrader(given, score):
    assert Row("n", "q", 2.0, **given).score == score


def test_what_waits_is_not_in_the_score():
    rows = [
        Row("n", "a", 2.0, auto=1.5),
        Row("n", "b", 1.0, waits=True),
        Row("n", "c", 1.0, manual=1.0, waits=True),
    ]
    result = result_of("ada", "ps1", Kept(rows=rows))
    assert (result.status, result.score, result.points) == (Status.BY_HAND, 1.5, 4.0)
    assert result.waiting == 2.0
    assert result.note == "hand mark of `c` to be confirmed: the text was changed"


def test_a_penalty_is_taken_off_and_never_below_zero():
    when = datetime(2026, 3, 1, 12)
    kept = Kept(when, when - timedelta(seconds=1), 5.0, [Row("n", "a", 2.0, auto=1.5)])
    result = result_of("ada", "ps1", kept)
    assert (result.status, result.score, result.late) == (Status.GRADED, 0.0, True)


def test_an_extension_moves_the_due_date():
    when = datetime(2026, 3, 1, 12)
    assert due_date(when, timedelta(days=1)) == datetime(2026, 3, 2, 12)
    assert due_date(when, None) == when and due_date(None, timedelta(1)) is None
    assert Kept(when, None).seconds_late == Kept(None, when).seconds_late == 0.0


def test_several_hand_marks_are_named_together():
    rows = [Row("n", name, 1.0, manual=1.0, waits=True) for name in "ba"]
    assert to_confirm(rows).startswith("hand marks of `a`, `b` to be confirmed")
    assert to_confirm([Row("n", "a", 1.0, manual=1.0)]) == ""
