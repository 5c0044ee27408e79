"""Points come from the value of a test's last line, whatever its text looks like."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import torch

from coursekit.grading.kernels.marks import from_value


class Three:
    def __float__(self):
        return 3.0


def made_in_a_notebook(*bases, module="__main__"):
    return type("Any", bases, {"__module__": module, "__float__": lambda self: 3.0})


@pytest.mark.parametrize(
    ("value", "score"),
    [
        (True, 3),
        (False, 0),
        (np.bool_(False), 0),
        (np.bool_(True), 3),
        (torch.tensor(False), 0),
        (None, 3),
        (1, 1),
        (0.0, 0),
        (np.float64(0.5), 0.5),
        (np.int64(2), 2),
        (np.array(1.5), 1.5),
        (torch.tensor(1.25), 1.25),
        (Fraction(1, 2), 0.5),
    ],
)
def test_numbers_and_truth_values_are_marks(value, score):
    verdict = from_value(value, 3)
    assert (verdict.score, type(verdict.score), verdict.alerts) == (score, float, [])


@pytest.mark.parametrize(
    ("value", "score", "alert"),
    [
        (float("nan"), 0, "the test gave nan for a mark; it counts as 0"),
        (float("inf"), 0, "the test gave inf for a mark; it counts as 0"),
        (np.float32("nan"), 0, "the test gave nan for a mark; it counts as 0"),
        (10**400, 0, "the test gave inf for a mark; it counts as 0"),
        (-5, 0, "the test gave -5 of 3 points; it counts as 0"),
        (200, 3, "the test gave 200 of 3 points; it counts as 3"),
        ("text", 3, "the test ended in a str, which is no mark"),
        (np.zeros(2), 3, "the test ended in a ndarray, which is no mark"),
        (1j, 3, "the test ended in a complex, which is no mark"),
        (np.complex128(1), 3, "the test ended in a complex128, which is no mark"),
        (Three(), 3, "the test ended in a Three, which is no mark"),
        (made_in_a_notebook()(), 0, "the test ended in an object of the notebook's own class Any"),
        (
            made_in_a_notebook(module="numpy")(),
            0,
            "the test ended in an object of the notebook's own class Any",
        ),
        (
            made_in_a_notebook(float)(0),
            0,
            "the test ended in an object of the notebook's own class Any",
        ),
    ],
)
def test_other_values_are_told_to_the_grader(value, score, alert):
    verdict = from_value(value, 3)
    assert (verdict.score, verdict.alerts) == (score, [alert])


@pytest.mark.parametrize("value", [False, float("nan")])
def test_missing_points_have_a_reason(value):
    assert from_value(value, 3).why
