"""Source notebooks are read as stored, and broken ones are refused in one sentence."""

from __future__ import annotations

import pytest

from coursekit.authoring import notebooks
from coursekit.authoring.notebooks import Kind
from coursekit.errors import CourseError

CELL = """def f(x):
    ### BEGIN SOLUTION
    return x
    ### END SOLUTION
f(1)"""


def test_kinds_and_exercises(cells):
    nb = cells.notebook(
        cells.text("# T", "title"),
        cells.answer("a", "1"),
        cells.test("a_one", "1"),
        cells.test("a_two", "1"),
        cells.written("why", "because"),
        cells.answer("b", "1"),
    )
    kinds = [Kind.PLAIN, Kind.ANSWER, Kind.TEST, Kind.TEST, Kind.WRITTEN, Kind.ANSWER]
    assert [notebooks.kind(cell) for cell in nb.cells] == kinds
    assert notebooks.exercises(nb) == {"a": ["a_one", "a_two"], "b": []}


def test_regions():
    regions = [(line.number, line.region) for line in notebooks.lines(CELL)]
    assert regions == [(1, ""), (3, "solution"), (5, "")]
    assert notebooks.released(CELL) == "def f(x):\nf(1)"
    assert notebooks.has_region(CELL, "solution") and not notebooks.has_region(CELL, "hidden")


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (CELL, ""),
        ("### BEGIN SOLUTION", "BEGIN SOLUTION has no END"),
        ("### END SOLUTION", "END SOLUTION has no BEGIN"),
        ("# BEGIN SOLUTION\n# BEGIN SOLUTION", "BEGIN SOLUTION stands inside a SOLUTION region"),
        ("# BEGIN HIDDEN TESTS\n# END SOLUTION", "END SOLUTION has no BEGIN"),
    ],
)
def test_unbalanced_regions(source, problem):
    assert notebooks.region_problem(source) == problem


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        (None, "there is no such notebook"),
        ('{"cells": [', "not valid JSON"),
        ("[]", "not a notebook of format 4"),
        ('{"nbformat": 3, "worksheets": []}', "not a notebook of format 4"),
        ('{"nbformat": 4, "cells": 3}', "not a valid notebook"),
    ],
)
def test_what_is_not_a_notebook_is_refused(tmp_path, stored, said):
    path = tmp_path / "tiny.ipynb"
    if stored is not None:
        path.write_text(stored)
    with pytest.raises(CourseError, match=said):
        notebooks.read(path)


@pytest.mark.parametrize("name", ["a", "delta_rule", "xor2_cycle"])
def test_snake_case(name):
    assert notebooks.snake(name)


@pytest.mark.parametrize("name", ["", "A", "a-b", "_a", "a__b", "a_", "2a", "a b"])
def test_not_snake_case(name):
    assert not notebooks.snake(name)
