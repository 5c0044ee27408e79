"""Fair checks of answers: what the test cells of the course call.

A test cell names an answer, runs cases on it and ends in its score:

    c = check("predict", points=2)
    c.case("one point on each side", [[2, 0], [-2, 0]], [1, 0], 0.0, expect=[1, -1])
    c.score()
"""

from coursekit.checks.core import Check, answer, check
from coursekit.checks.expect import (
    Expectation,
    all_of,
    close,
    holds,
    kind,
    one_of,
    parts,
    raises,
    sequence,
    text,
)

__all__ = [
    "Check",
    "Expectation",
    "all_of",
    "answer",
    "check",
    "close",
    "holds",
    "kind",
    "one_of",
    "parts",
    "raises",
    "sequence",
    "text",
]
