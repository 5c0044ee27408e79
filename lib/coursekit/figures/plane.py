"""Plots of points in the plane and of the lines and regions that a model draws there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes

from coursekit.figures.plot import BLACK, BLUE, ORANGE, Plot, canvas, count, label, number

SHADES = {1: "#d7e8f4", -1: "#fdf0d3"}
LOOKS = {1: (BLUE, "o"), -1: (ORANGE, "s")}
AXES = ("first coordinate $x_1$", "second coordinate $x_2$")


def _window(X: np.ndarray) -> tuple[float, float, float, float]:
    low, high = X.min(axis=0), X.max(axis=0)
    gap = 0.12 * max(high - low) + 0.3
    return low[0] - gap, high[0] + gap, low[1] - gap, high[1] + gap


def _names(y: np.ndarray) -> tuple[float, float]:
    """The two labels of a data set, the lower first: (-1, 1) or (0, 1)."""
    return float(np.min(y)), float(np.max(y))


def _scatter(ax: Axes, X: np.ndarray, y: np.ndarray) -> None:
    low, high = _names(y)
    size = 90 if len(X) <= 10 else 26
    for side, value in ((1, high), (-1, low)):
        colour, marker = LOOKS[side]
        ax.scatter(
            *X[y == value].T, s=size, c=colour, marker=marker, edgecolors="white",
            linewidths=0.6, label=f"label {value:+g}" if low < 0 else f"label {value:g}", zorder=3,
        )  # fmt: skip


def _ring(ax: Axes, X: np.ndarray, wrong: np.ndarray) -> None:
    if wrong.any():
        size = 230 if len(X) <= 10 else 110
        ax.scatter(
            *X[wrong].T, s=size, facecolors="none", edgecolors=BLACK, linewidths=1.6,
            label="wrong side", zorder=4,
        )  # fmt: skip


def _finish(ax: Axes, window: tuple[float, float, float, float], title: str | None) -> None:
    ax.set_xlim(window[0], window[1])
    ax.set_ylim(window[2], window[3])
    ax.set_aspect("equal", adjustable="box")
    ax.grid(visible=False)
    label(ax, *AXES)
    figure = ax.get_figure()
    assert figure is not None
    if title:
        # Above the legend too: a long title would run into it if it sat on the square axes.
        figure.suptitle(title, x=0.02, ha="left", fontsize=12)
    figure.legend(*ax.get_legend_handles_labels(), loc="outside right upper")


def points(X: np.ndarray, y: np.ndarray, title: str | None = None) -> Plot:
    """The points of two classes. `X` (n, 2), `y` (n,) with two values."""
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    with canvas() as (figure, ax):
        _scatter(ax, X, y)
        _finish(ax, _window(X), title)
    low, high = _names(y)
    told = (
        f"{count(len(X), 'point')} in the plane: {int((y == high).sum())} of label {high:g} and "
        f"{int((y == low).sum())} of label {low:g}."
    )
    return Plot(figure, told)


def segment(
    w: np.ndarray, b: float, window: tuple[float, float, float, float]
) -> np.ndarray | None:
    """The two ends of the line w·x + b = 0 inside a window (x from, x to, y from, y to).

    None where there is no line (w = 0) or it misses the window. Shape (2, 2), one end a row.
    """
    x0, x1, y0, y1 = window
    found: list[tuple[float, float]] = []
    if w[1] != 0:
        found += [(x, -(w[0] * x + b) / w[1]) for x in (x0, x1)]
    if w[0] != 0:
        found += [(-(w[1] * y + b) / w[0], y) for y in (y0, y1)]
    near = 1e-9
    inside = [p for p in found if x0 - near <= p[0] <= x1 + near and y0 - near <= p[1] <= y1 + near]
    if len(inside) < 2:
        return None
    ends = np.array(inside)
    gaps = ((ends[:, None] - ends[None]) ** 2).sum(axis=-1)
    first, second = np.unravel_index(gaps.argmax(), gaps.shape)
    return ends[[first, second]] if gaps.max() > 0 else None


def decision_boundary(
    X: np.ndarray, y: np.ndarray, w: np.ndarray, b: float, title: str | None = None
) -> Plot:
    """The line w·x + b = 0 among the points, its two sides shaded, points on the wrong side ringed.

    `X` (n, 2), `y` (n,) with values -1 and +1 (or 0 and 1), `w` (2,), `b` a number. The arrow shows
    the direction of `w`. A point on the line itself counts as wrong.
    """
    X, y, w, b = np.asarray(X, dtype=float), np.asarray(y), np.asarray(w, dtype=float), float(b)
    signs = np.where(y == _names(y)[1], 1, -1)
    wrong = signs * (X @ w + b) <= 0
    window = _window(X)
    ends = segment(w, b, window)
    with canvas() as (figure, ax):
        _shade(ax, w, b, window)
        if ends is not None:
            ax.plot(*ends.T, color=BLACK, label="line")
            _arrow(ax, w, ends, window)
        _scatter(ax, X, y)
        _ring(ax, X, wrong)
        _finish(ax, window, title)
    return Plot(figure, _boundary_sentence(w, b, int(wrong.sum()), len(X), ends is not None))


def _boundary_sentence(w: np.ndarray, b: float, wrong: int, n: int, crosses: bool) -> str:
    where = f"{n - wrong} of {count(n, 'point')} on the right side"
    if not w.any():
        return f"There is no line, since both weights are zero; {where}."
    line = f"{number(w[0])}·x₁ + {number(w[1])}·x₂ + {number(b)} = 0"
    outside = "" if crosses else ", which lies outside the picture,"
    return f"The line {line}{outside} has {where}.".replace("+ -", "- ")


def _shade(ax: Axes, w: np.ndarray, b: float, window: tuple[float, float, float, float]) -> None:
    if not w.any():
        return
    xs, ys = np.linspace(*window[:2], 300), np.linspace(*window[2:], 300)
    score = w[0] * xs[None, :] + w[1] * ys[:, None] + b
    ax.contourf(xs, ys, score > 0, levels=[-0.5, 0.5, 1.5], colors=[SHADES[-1], SHADES[1]])


def _arrow(
    ax: Axes, w: np.ndarray, ends: np.ndarray, window: tuple[float, float, float, float]
) -> None:
    middle = ends.mean(axis=0)
    length = 0.16 * min(window[1] - window[0], window[3] - window[2])
    tip = middle + length * w / np.linalg.norm(w)
    look = {"arrowstyle": "-|>", "color": BLACK, "lw": 1.8}
    ax.annotate("", xy=tip, xytext=middle, zorder=5, arrowprops=look)
    ax.text(*(tip + (tip - middle) * 0.22), "$w$", ha="center", va="center", zorder=5)


def boundary_history(
    X: np.ndarray,
    y: np.ndarray,
    weights: Sequence[Sequence[float]],
    biases: Sequence[float],
    title: str | None = None,
) -> Plot:
    """Successive lines w·x + b = 0, from thin and light (old) to thick and dark (new).

    `weights` (k, 2) and `biases` (k,) hold one line a row; rows without a line are left out.
    """
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    window, steps = _window(X), np.asarray(weights, dtype=float)
    drawn = 0
    with canvas() as (figure, ax):
        for place, (w, b) in enumerate(zip(steps, biases, strict=True)):
            ends = segment(w, float(b), window)
            if ends is None:
                continue
            age = (place + 1) / len(steps)
            last = place == len(steps) - 1
            name = "last line" if last else "earlier lines" if drawn == 0 else None
            shade = str(0.78 * (1 - age))
            ax.plot(*ends.T, color=shade, lw=0.8 + 1.8 * age, ls="-" if last else "--", label=name)
            if len(steps) <= 12:
                ax.text(*ends[1], f" {place + 1}", color=shade, va="center", fontsize=9)
            drawn += 1
        _scatter(ax, X, y)
        _finish(ax, window, title)
    return Plot(
        figure,
        f"{count(drawn, 'line')} drawn one over the other, after {count(len(steps), 'step')}; "
        f"the last has weights {number(steps[-1][0])} and {number(steps[-1][1])}.",
    )


def class_regions(
    X: np.ndarray,
    y: np.ndarray,
    predict: Callable[[np.ndarray], np.ndarray],
    title: str | None = None,
) -> Plot:
    """The regions in which a classifier gives each label, with the points on top.

    `predict` takes an array (m, 2) and returns m labels like those in `y`.
    """
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    window = _window(X)
    xs, ys = np.linspace(*window[:2], 160), np.linspace(*window[2:], 160)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    high = _names(y)[1]
    side = (np.asarray(predict(grid)).reshape(len(ys), len(xs)) == high).astype(float)
    right = np.asarray(predict(X)).reshape(-1) == y
    with canvas() as (figure, ax):
        ax.contourf(xs, ys, side, levels=[-0.5, 0.5, 1.5], colors=[SHADES[-1], SHADES[1]])
        if 0 < side.mean() < 1:
            ax.contour(xs, ys, side, levels=[0.5], colors=[BLACK], linewidths=2)
        _scatter(ax, X, y)
        _ring(ax, X, ~right)
        _finish(ax, window, title)
    return Plot(
        figure,
        f"Label {high:g} fills {100 * side.mean():.0f} % of the picture; "
        f"{int(right.sum())} of {count(len(X), 'point')} get their own label.",
    )
