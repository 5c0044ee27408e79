"""Names and data of the course are put back where the student changed them."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from coursekit.grading.trust.copies import NotPlain, copied, equal, put_back
from coursekit.grading.trust.names import Names, unshadow

DATA = {
    "array": (lambda: np.arange(4.0), lambda v: v.fill(7)),
    "with_nan": (lambda: np.array([np.nan, 1.0]), lambda v: v.fill(0)),
    "tensor": (lambda: torch.ones(3), lambda v: v.zero_()),
    "list": (lambda: [1, [2, 3]], lambda v: v[1].append(4)),
    "dict": (lambda: {"a": np.ones(2)}, lambda v: v["a"].fill(3)),
    "set": (lambda: {1, 2}, lambda v: v.add(3)),
}


@pytest.mark.parametrize("make, change", DATA.values(), ids=DATA)
def test_changed_data_is_put_back_in_the_same_object(make, change):
    value = make()
    copy = copied(value)
    assert equal(value, copy)
    change(value)
    assert not equal(value, copy)
    assert put_back(value, copy)
    assert equal(value, make())


@pytest.mark.parametrize("value", [object(), iter([]), [object()], np.array([object()])])
def test_what_is_not_plain_is_not_copied(value):
    with pytest.raises(NotPlain):
        copied(value)


def learnt(asked=None, **names):
    """The namespace after a course cell, and what is remembered of it."""
    known, space = Names(asked), {}
    space.update(names)
    known.learn({}, space)
    return known, space


def test_a_module_is_put_back_and_named():
    known, space = learnt(m=math)
    space["m"] = 5
    notes = known.restore(space)
    assert space["m"] is math
    assert notes == ["`m` was given another value in this notebook; the test used the course's."]
    assert known.restore(space) == []


def test_a_deleted_name_comes_back():
    known, space = learnt(x=[1, 2])
    del space["x"]
    assert "was deleted" in known.restore(space)[0]
    assert space["x"] == [1, 2]


def test_what_a_course_cell_does_to_its_own_data_is_learnt():
    known, space = learnt(x=[1], y=[1])
    before = dict(space)
    space["x"].append(2)
    space["y"] = [3]
    known.learn(before, space)
    assert known.restore(space) == []
    space["x"].clear()
    known.restore(space)
    assert space == {"x": [1, 2], "y": [3]}


def test_a_name_that_the_answer_is_to_change_stays_the_students():
    known, space = learnt(asked={"x"}, x=[1], y=[1])
    space["x"], space["y"] = [5], [5]
    known.restore(space)
    assert (space["x"], space["y"]) == ([5], [1])


def test_without_that_knowledge_a_value_of_the_same_kind_stays():
    known, space = learnt(x=[1], y=[1])
    space["x"], space["y"] = [5], None
    known.restore(space)
    assert (space["x"], space["y"]) == ([5], [1])


def test_values_in_place_of_builtins_are_taken_away():
    space = {"sum": 0, "float": 3, "max": lambda a: a, "list": type("L", (), {}), "x": 1}
    assert unshadow(space) == {"sum": 0, "float": 3}
    assert set(space) == {"max", "list", "x"}
