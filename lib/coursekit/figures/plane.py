"""The plane with labelled points in it: its window, its marks, the ends of its lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from coursekit.errors import CourseError
from coursekit.figures.style import INK, PANEL, Array, as_array, class_style, new_axes, number

RATIO = PANEL[0] / PANEL[1]  # width of the window over its height


class Window(NamedTuple):
    """The part of the plane that a plot shows."""

    left: float
    right: float
    bottom: float
    top: float


def window_around(X: Array) -> Window:
    """The window around all rows of `X`, with a margin, in the proportions of the figure."""
    low, high = X.min(axis=0), X.max(axis=0)
    middle, span = (low + high) / 2, np.maximum(high - low, 1e-9) * 1.2
    height = max(span[1], span[0] / RATIO)
    half = np.array([height * RATIO, height]) / 2
    (left, bottom), (right, top) = middle - half, middle + half
    return Window(left, right, bottom, top)


def line_in_window(w: Array, b: float, window: Window) -> Array | None:
    """The two ends (2, 2) of the line w·x + b = 0 in the window, None if it does not cross it."""
    left, right, bottom, top = window
    with np.errstate(all="ignore"):
        upright = [(x, -(w[0] * x + b) / w[1]) for x in (left, right)] if w[1] else []
        level = [(-(w[1] * y + b) / w[0], y) for y in (bottom, top)] if w[0] else []
    slack = 1e-9 * (right - left)
    low, high = np.array([left, bottom]) - slack, np.array([right, top]) + slack
    ends = [end for end in np.array(upright + level) if np.all((low <= end) & (end <= high))]
    if not ends:
        return None
    far = max(ends, key=lambda end: float(np.linalg.norm(end - ends[0])))
    return np.array([ends[0], far]) if np.linalg.norm(far - ends[0]) > slack else None


def checked_points(X: Any, y: Any) -> tuple[Array, Array]:
    """Points (n, 2) and whole-number labels (n,) as arrays; CourseError where they are not that."""
    X, y = as_array(X, "X", 2), as_array(y, "y", 1)
    if X.shape != (len(y), 2) or not len(y):
        raise CourseError(
            f"X {X.shape} and y {y.shape} do not go together: X needs shape (n, 2), y (n,)."
        )
    if not np.isfinite(X).all() or not (y == np.round(y)).all():
        raise CourseError("The plot needs finite numbers in X and whole-number labels in y.")
    return X, y


def checked_line(w: Any, b: Any) -> tuple[Array, float]:
    """Two finite weights and a finite bias; CourseError where they are not that."""
    w, b = as_array(w, "w").ravel(), as_array(b, "b").ravel()
    if w.shape != (2,) or b.shape != (1,):
        raise CourseError(
            f"A line in the plane needs two weights and one bias, not {len(w)} and {len(b)}."
        )
    if not np.isfinite([*w, *b]).all():
        raise CourseError(f"There is no line for w = {w} and b = {b[0]}: they are not finite.")
    return w, float(b[0])


def plane(X: Array, title: str, legend_rows: int = 1) -> tuple[Figure, Axes]:
    """An empty figure of the window around all rows of `X`, to the same scale on both axes."""
    figure, axes = new_axes(title, "x₁ (no unit)", "x₂ (no unit)", legend_rows)
    left, right, bottom, top = window_around(X)
    axes.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
    return figure, axes


def scatter(
    axes: Axes, X: Array, y: Array, names: Sequence[float] | Array | None = None, alpha: float = 1.0
) -> None:
    """Draw each class of points with its own mark; `names` are all labels of the plot, if more."""
    everyone = y if names is None else names
    for name in np.unique(y):
        look = class_style(name, everyone)
        axes.plot(
            *X[y == name].T,
            ls="",
            marker=look.marker,
            mfc=look.colour,
            mec=INK,
            ms=mark_size(X),
            mew=0.5,
            alpha=alpha,
            label=f"label {label_text(name, everyone)}",
        )


def mark_size(X: Array) -> float:
    """The size of a point's mark, in points: a few points are drawn larger than many."""
    return 5.5 if len(X) > 20 else 8.0


def label_text(label: float, labels: Any) -> str:
    """The label as text, with a plus sign where the other one is -1."""
    return f"+{number(label)}" if label > 0 and -1 in labels else number(label)
