"""None of the attempts earns a mark, and the grader reads of those that can be seen."""

from __future__ import annotations

import json

import pytest
from tests.grading.trust.attempts import ATTEMPTS, SETUP, TESTS

from coursekit.grading.kernels.cells import Cell
from coursekit.grading.kernels.session import Session

pytestmark = pytest.mark.xdist_group("kernels")
SOLVED = """
def center(X):
    return X - X.mean(axis=0)
def total(values):
    return sum(values)
"""


def graded(kernels, cells):
    """The runs of a notebook with these cells of the student's."""
    with Session(kernels) as session:
        runs = [session.run(Cell(SETUP, "setup", course=True))]
        runs += [session.run(Cell(source, "answer")) for source in cells]
        return runs + [
            session.run(Cell(source, name, points=2.0, hidden=True))
            for name, source in TESTS.items()
        ]


def marks(runs):
    return [run.verdict.score for run in runs if run.verdict is not None]


def printed(runs):
    """All outputs but the errors of the tests themselves, which quote them for the grader."""
    outputs = [out for run in runs for out in run.outputs if out["output_type"] != "error"]
    return json.dumps(outputs)


def flags(runs):
    alerts = [alert for run in runs if run.verdict for alert in run.verdict.alerts]
    return [flag for run in runs for flag in run.flags] + alerts


def test_an_honest_answer_earns_all_and_is_not_flagged(kernels):
    runs = graded(kernels, [SOLVED])
    assert marks(runs) == [2.0, 2.0]
    assert flags(runs) == []


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda attempt: attempt.name)
def test_an_attempt_earns_nothing_and_is_told(kernels, attempt):
    runs = graded(kernels, attempt.cells)
    assert marks(runs) == [0.0, 0.0]
    assert attempt.leak not in printed(runs)
    assert {run.stopped for run in runs} == {""} or attempt.stops
    assert attempt.told in "\n".join(flags(runs))
