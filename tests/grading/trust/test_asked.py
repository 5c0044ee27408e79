"""The names that answer cells change, from their text."""

from __future__ import annotations

import pytest

from coursekit.grading.trust.asked import asked_names


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("df = df.dropna()", {"df"}),
        ("df['b'] = df['a'] * 2", {"df"}),
        ("items.append(3)\nprint(other)", {"items"}),
        ("model.fc.weight[0] = 1", {"model"}),
        ("for i in range(3):\n    total += X[i]", {"i", "total"}),
        ("def center(X):\n    X[:] = 0\n    data.clear()", {"center"}),
        ("a, *b = c\ndel d['x']", {"a", "b", "d"}),
        ("this is no Python", set()),
        ("%matplotlib inline", set()),
    ],
)
def test_names_that_a_cell_changes(source, names):
    assert asked_names([source]) == names
