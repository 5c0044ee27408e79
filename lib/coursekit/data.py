"""The data sets of the lessons: seeded, small, float64 throughout.

Draws come from `RandomState`, whose streams NumPy has frozen: seed 0 gives on every machine what
`np.random.seed(0)` and the same calls give, and the global generator is left alone.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

Array = np.ndarray


def blobs(distance: float = 2.0, n: int = 50, seed: int = 0) -> tuple[Array, Array]:
    """Two round clouds of normal points with standard deviation 1, one for each label.

    The centres lie at (+distance, +distance) and (-distance, -distance). Returns `X` (2n, 2), the n
    points of label +1 first, and `y` (2n,) with values +1.0 and -1.0. The same `seed` gives the
    same points at every distance; at 2.0 a line separates them, at 1.5 none does.
    """
    draw = np.random.RandomState(seed)
    plus = draw.randn(n, 2) + distance
    minus = draw.randn(n, 2) - distance
    return np.vstack([plus, minus]), np.repeat([1.0, -1.0], n)


def overlapping_blobs(n: int = 60, seed: int = 0) -> tuple[Array, Array]:
    """Two clouds that no line separates, with centres at (1.5, 0.5) and (-0.5, -0.5).

    The coordinates differ in spread (1.4 and 0.6), so that the squared error has a long valley.
    Returns `X` (2n, 2) and `y` (2n,) with values +1.0 and -1.0.
    """
    draw = np.random.RandomState(seed)
    spread = np.array([1.4, 0.6])
    plus = draw.randn(n, 2) * spread + [1.5, 0.5]
    minus = draw.randn(n, 2) * spread + [-0.5, -0.5]
    return np.vstack([plus, minus]), np.repeat([1.0, -1.0], n)


def xor(coding: Literal["signed", "binary"] = "signed") -> tuple[Array, Array]:
    """Exclusive or on four points: `X` (4, 2) and `y` (4,).

    "signed": inputs and labels are -1.0 and +1.0, in the order (1, 1), (-1, -1), (1, -1), (-1, 1).
    "binary": inputs and targets are 0.0 and 1.0, in the order 00, 01, 10, 11.
    """
    if coding == "signed":
        X = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
        return X, -X[:, 0] * X[:, 1]
    if coding == "binary":
        X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
        return X, np.abs(X[:, 0] - X[:, 1])
    raise ValueError(f'coding must be "signed" or "binary", not {coding!r}')


def linear_stack() -> tuple[list[Array], list[Array], Array]:
    """Ten affine layers of sizes 4, nine times 16, 3, and 100 inputs for them.

    Returns the weights (each of shape (in, out), drawn with standard deviation 0.5), the biases
    (standard deviation 0.1) and `X` (100, 4). Rows are inputs: a layer is `x @ W + b`.
    """
    draw = np.random.RandomState(0)
    sizes = [4, *[16] * 9, 3]
    weights = [0.5 * draw.randn(a, b) for a, b in zip(sizes[:-1], sizes[1:], strict=True)]
    biases = [0.1 * draw.randn(b) for b in sizes[1:]]
    return weights, biases, draw.randn(100, 4)
