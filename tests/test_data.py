"""The data sets: their exact draws, shapes and order, and whether a line separates them."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.optimize import linprog

from coursekit.data import blobs, linear_stack, overlapping_blobs, xor


def separable(X, y):
    """Whether some line has every point strictly on its right side, by a linear programme."""
    rows = -y[:, None] * np.column_stack([X, np.ones(len(X))])
    found = linprog(np.zeros(3), A_ub=rows, b_ub=-np.ones(len(X)), bounds=[(None, None)] * 3)
    return found.status == 0


@pytest.fixture
def legacy():
    """NumPy's global generator, seeded with 0; put back afterwards."""
    before = np.random.get_state()
    np.random.seed(0)
    yield np.random
    np.random.set_state(before)


def test_blobs_are_the_legacy_draws(legacy):
    plus, minus = legacy.randn(50, 2) + [2, 2], legacy.randn(50, 2) + [-2, -2]
    X, y = blobs()
    np.testing.assert_array_equal(X, np.vstack([plus, minus]))
    assert y.tolist() == [1.0] * 50 + [-1.0] * 50
    assert X.dtype == y.dtype == np.float64


def test_blobs_give_the_known_perceptron():
    X, y = blobs()
    w, b, mistakes = np.zeros(2), 0.0, []
    while not mistakes or mistakes[-1]:
        mistakes.append(0)
        for x, label in zip(X, y, strict=True):
            if label * (x @ w + b) <= 0:
                w, b = w + label * x, b + label
                mistakes[-1] += 1
    assert mistakes == [2, 0]
    np.testing.assert_allclose(w, [3.6008164, 3.06362926], rtol=0, atol=1e-8)
    assert b == 0


@pytest.mark.parametrize(
    ("distance", "expected"), [(4.0, True), (2.0, True), (1.8, True), (1.6, True), (1.5, False)]
)
def test_blobs_separate_down_to_a_distance(distance, expected):
    assert separable(*blobs(distance=distance)) is expected


def test_blobs_move_as_a_whole():
    near, far = blobs(distance=1.0)[0], blobs(distance=3.0)[0]
    np.testing.assert_allclose(far - near, np.repeat([[2.0, 2.0], [-2.0, -2.0]], 50, axis=0))
    X, y = blobs(n=7, seed=3)
    assert X.shape == (14, 2)
    assert y.shape == (14,)
    assert not np.array_equal(X, blobs(n=7, seed=4)[0])


def test_overlapping_blobs_overlap():
    X, y = overlapping_blobs()
    assert X.shape == (120, 2)
    assert sorted(set(y)) == [-1.0, 1.0]
    assert not separable(X, y)
    best = np.linalg.lstsq(np.column_stack([X, np.ones(120)]), y, rcond=None)[0]
    right = np.mean(y * (X @ best[:2] + best[2]) > 0)
    assert 0.7 < right < 1, "a line should do well, and not perfectly"


def test_signed_xor_in_visiting_order():
    X, y = xor()
    assert X.tolist() == [[1, 1], [-1, -1], [1, -1], [-1, 1]]
    assert y.tolist() == [-1, -1, 1, 1]
    assert not separable(X, y)
    assert not np.any(y @ X)
    assert y.sum() == 0


def test_binary_xor_in_counting_order():
    X, y = xor("binary")
    assert X.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert y.tolist() == [0, 1, 1, 0]


def test_xor_knows_two_codings():
    with pytest.raises(ValueError, match="signed"):
        xor("ternary")


def test_linear_stack_is_the_legacy_draw(legacy):
    sizes = [4] + [16] * 9 + [3]
    pairs = list(zip(sizes[:-1], sizes[1:], strict=True))
    expected = [0.5 * legacy.randn(a, b) for a, b in pairs]
    expected += [0.1 * legacy.randn(b) for _, b in pairs]
    expected.append(legacy.randn(100, 4))
    weights, biases, X = linear_stack()
    for got, want in zip([*weights, *biases, X], expected, strict=True):
        np.testing.assert_array_equal(got, want)
    assert sum(array.size for array in weights + biases) == 2307


def test_linear_stack_collapses():
    weights, biases, X = linear_stack()
    out, W, b = X, np.eye(4), np.zeros(4)
    for weight, bias in zip(weights, biases, strict=True):
        out, W, b = out @ weight + bias, W @ weight, b @ weight + bias
    gap = np.abs(out - (X @ W + b)).max() / np.abs(out).max()
    assert gap < 1e-12
    assert np.linalg.matrix_rank(W) == 3


def test_the_global_generator_is_left_alone():
    before = np.random.get_state()[1].copy()
    blobs(), overlapping_blobs(), linear_stack()
    assert np.array_equal(np.random.get_state()[1], before)


@pytest.mark.parametrize("module", ["data", "figures", "explorers"])
def test_importing_is_light(module):
    heavy = ["torch", "matplotlib.pyplot", "nbgrader", "jupyter_client", "sklearn", "scipy"]
    code = f"import sys, coursekit.{module}; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
