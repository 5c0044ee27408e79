"""Runs are judged by what the bank says of them."""

from __future__ import annotations

import pytest

from coursekit.authoring.bank import Mutant
from coursekit.authoring.outcomes import Outcome, Run
from coursekit.authoring.verdicts import found_out, full_marks, not_attempted


def make(stopped="", **scores):
    outcomes = {
        name: Outcome(text=f"{name}: a long\n   report", score=score, points=2.0)
        for name, score in scores.items()
    }
    return Run(outcomes, dict(outcomes), stopped=stopped)


def mutant(loses, says=("a long report",)):
    return Mutant("m", {"double": "x"}, set(loses), says)


def test_full_marks():
    assert list(full_marks(make(one=2.0, two=2.0))) == []
    assert list(full_marks(make(one=1.5))) == [
        "one earns 1.5 of 2, expected all: one: a long report"
    ]
    assert list(full_marks(make("time limit", one=0.0))) == ["the run stopped: time limit"]


def test_full_marks_need_a_clean_run():
    run = Run({}, {"plot": Outcome(stderr="old\n"), "sum": Outcome(error="NameError: x")})
    assert list(full_marks(run)) == [
        "cell plot writes to stderr: old",
        "cell sum raises NameError: x",
    ]


def test_not_attempted():
    good = Run({"one": Outcome(text="✗ double: Not attempted yet.", score=0.0, points=1.0)}, {})
    assert list(not_attempted(good)) == []
    assert list(not_attempted(make(one=1.0))) == [
        "one earns 1 of 2 without an answer",
        'one does not say "not attempted": one: a long report',
    ]


@pytest.mark.parametrize(
    ("loses", "says", "faults"),
    [
        ({"one"}, ["A long report"], []),
        ({"one", "two"}, ["report"], ["two earns 2 of 2, expected less"]),
        (
            {"two"},
            ["two: a"],
            ["one earns 0 of 2, expected all", "two earns 2 of 2, expected less"],
        ),
        ({"one"}, ["report", "wrong sign"], ['no report says "wrong sign": one: a long report']),
        ({"one"}, ["two:"], ['no report says "two:"']),
    ],
)
def test_a_mutant_is_found_out_as_it_says(loses, says, faults):
    found = list(found_out(mutant(loses, says), make(one=0.0, two=2.0)))
    assert len(found) == len(faults)
    assert all(said.startswith(fault) for said, fault in zip(found, faults, strict=True))


def test_a_mutant_that_stops_the_run_is_told():
    assert "the run stopped: it died" in list(found_out(mutant({"one"}), make("it died", one=0.0)))
