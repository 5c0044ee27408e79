"""Labelled points, and the lines and regions that classify them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from coursekit.errors import CourseError
from coursekit.figures.plane import (
    Window,
    checked_line,
    checked_points,
    label_text,
    line_in_window,
    mark_size,
    plane,
    scatter,
    window_around,
)
from coursekit.figures.plot import Plot
from coursekit.figures.style import (
    CLASSES,
    INK,
    Array,
    as_array,
    class_style,
    legend_below,
    listed,
    number,
    plural,
    styled,
)

MINUS, PLUS = CLASSES[0], CLASSES[1]
HALO = [withStroke(linewidth=3, foreground="white")]  # keeps letters legible over points


@styled
def points(X: Any, y: Any, title: str | None = None) -> Plot:
    """Points in the plane, each class with a colour and a mark of its own.

    `X` has shape (n, 2), `y` (n,) holds whole-number labels such as -1 and 1.
    """
    X, y = checked_points(X, y)
    counts = listed(
        [f"{np.sum(y == name)} labelled {label_text(name, y)}" for name in np.unique(y)]
    )
    what = f"{plural(len(X), 'point')}: {counts}"
    figure, axes = plane(X, title or what)
    scatter(axes, X, y)
    legend_below(figure, axes, columns=4)
    ranges = [
        f"{number(low)} to {number(high)}" for low, high in zip(X.min(0), X.max(0), strict=True)
    ]
    return Plot(figure, f"{what}; x₁ runs from {ranges[0]} and x₂ from {ranges[1]}.")


@styled
def decision_boundary(X: Any, y: Any, w: Any, b: float, title: str | None = None) -> Plot:
    """Labelled points, the line w·x + b = 0 with its two sides, and a ring around each wrong point.

    `X` (n, 2); `y` (n,) with positive labels on the + side; `w` (2,). A point on the line itself
    counts as wrong. The arrow shows the direction of `w`, not its length.
    """
    X, y = checked_points(X, y)
    w, b = checked_line(w, b)
    wrong = (X @ w + b) * np.where(y > 0, 1, -1) <= 0
    count = f"{wrong.sum()} of {plural(len(X), 'point')}"
    figure, axes = plane(X, title or f"{count} on the wrong side", 2)
    window = window_around(X)
    _shade_sides(axes, w, b, window)
    scatter(axes, X, y)
    where = _draw_line(axes, w, b, window)
    _ring(axes, X, wrong, f"wrong: {count}")
    legend_below(figure, axes, columns=2)
    return Plot(figure, f"{where}; {count} on the wrong side.")


@styled
def boundary_history(X: Any, y: Any, weights: Any, biases: Any, title: str | None = None) -> Plot:
    """Labelled points and a line for each row of `weights` (k, 2) and `biases` (k,), old to new.

    Lines get darker and thicker; up to eight of them carry their number, counted from 0. A row
    of zero weights has no line.
    """
    X, y = checked_points(X, y)
    weights, biases = as_array(weights, "weights", 2), as_array(biases, "biases", 1)
    if weights.shape != (len(biases), 2) or not len(biases):
        raise CourseError(f"weights {weights.shape} and biases {biases.shape} do not go together.")
    window = window_around(X)
    ends = [line_in_window(w, b, window) for w, b in zip(weights, biases, strict=True)]
    lines = {index: end for index, end in enumerate(ends) if end is not None}
    figure, axes = plane(X, title or "How the line moved, from light to dark")
    scatter(axes, X, y, alpha=0.5)
    for place, (index, end) in enumerate(lines.items()):
        _draw_old_line(axes, end, index, place / max(len(lines) - 1, 1))
    _number_lines(axes, lines, window)
    legend_below(figure, axes, columns=4)
    return Plot(figure, _history_sentence(weights, biases, len(lines)))


def class_regions(
    X: Any, y: Any, predict: Callable[[Array], Any], title: str | None = None
) -> Plot:
    """Labelled points over the regions in which `predict` gives each label.

    `predict` takes an array (m, 2) and returns m whole-number labels. A point is ringed where its
    label is not the predicted one.
    """
    X, y = checked_points(X, y)
    left, right, bottom, top = window_around(X)
    x1, x2 = np.meshgrid(np.linspace(left, right, 256), np.linspace(bottom, top, 160))
    regions = _predicted(predict, np.column_stack([x1.ravel(), x2.ravel()])).reshape(x1.shape)
    return _regions(X, y, _predicted(predict, X) != y, x1, x2, regions, title)


@styled
def _regions(
    X: Array, y: Array, wrong: Array, x1: Array, x2: Array, regions: Array, title: str | None
) -> Plot:
    """The plot of `class_regions`, from numbers alone."""
    names = np.unique(np.concatenate([regions.ravel(), y]))
    count = f"{wrong.sum()} of {plural(len(X), 'point')}"
    figure, axes = plane(X, title or f"{count} predicted wrongly")
    for name in np.unique(regions):
        _shade_region(axes, x1, x2, regions == name, class_style(name, names).tint)
    scatter(axes, X, y, names)
    _ring(axes, X, wrong, f"wrong: {count}")
    legend_below(figure, axes, columns=4)
    shares = [
        f"{label_text(name, names)} on {100 * np.mean(regions == name):.0f} %"
        for name in np.unique(regions)
    ]
    return Plot(
        figure, f"The prediction is {listed(shares)} of the plane shown; {count} predicted wrongly."
    )


def _predicted(predict: Callable[[Array], Any], X: Array) -> Array:
    labels = as_array(predict(X), "the predictions").ravel()
    if labels.shape != (len(X),):
        raise CourseError(f"predict returned {labels.size} labels for {len(X)} points.")
    if not np.isin(labels, np.round(labels)).all():
        raise CourseError("predict returned numbers that are not labels: they should be whole.")
    return labels


def _ring(axes: Axes, X: Array, wrong: Array, label: str) -> None:
    size = mark_size(X) + 7
    look: dict[str, Any] = {
        "ls": "",
        "marker": "o",
        "ms": size,
        "mfc": "none",
        "mec": INK,
        "mew": 1.3,
    }
    axes.plot(*X[wrong].T, **look, gid="wrong", label=label)


def _shade_sides(axes: Axes, w: Array, b: float, window: Window) -> None:
    if not w.any():
        return
    x1, x2 = np.meshgrid(window[:2], window[2:])
    scores = w[0] * x1 + w[1] * x2 + b
    far = 2 * np.abs(scores).max()
    axes.contourf(x1, x2, scores, [-far, 0.0, far], colors=[MINUS.tint, PLUS.tint])


def _shade_region(axes: Axes, x1: Array, x2: Array, inside: Array, tint: str) -> None:
    axes.contourf(x1, x2, inside.astype(float), [0.5, 1.5], colors=[tint])
    if not inside.all():
        axes.contour(x1, x2, inside.astype(float), [0.5], colors=[INK], linewidths=1.0)


def _draw_line(axes: Axes, w: Array, b: float, window: Window) -> str:
    """Draw the line and the arrow of w if there are any; half a sentence on what is drawn."""
    if not w.any():
        axes.plot([], [], " ", label="no line, since w = (0, 0)")
        return f"There is no line, since w = (0, 0), with b = {number(b)}"
    ends = line_in_window(w, b, window)
    if ends is None:
        axes.plot([], [], " ", label="the line lies outside the plot")
        return f"The line {_equation(w, b)} lies outside the plot"
    axes.plot(*ends.T, color=INK, lw=2, label=_equation(w, b), gid="boundary")
    _draw_arrow(axes, ends.mean(axis=0), w, window)
    return f"The line {_equation(w, b)}"


def _draw_arrow(axes: Axes, start: Array, w: Array, window: Window) -> None:
    direction = w / np.linalg.norm(w)
    tip = start + direction * 0.16 * (window.top - window.bottom)
    arrow = {"arrowstyle": "-|>", "lw": 2, "color": INK, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", tuple(tip), tuple(start), arrowprops={**arrow, "mutation_scale": 16})
    name: dict[str, Any] = {"ha": "center", "va": "center", "weight": "bold", "size": 12}
    beyond = tuple(11 * direction)
    axes.annotate("w", tuple(tip), beyond, textcoords="offset points", path_effects=HALO, **name)


def _equation(w: Array, b: float) -> str:
    """The equation of the line as one writes it: "2 x₁ − x₂ + 3 = 0"."""
    parts = [(value, name) for value, name in ((w[0], "x₁"), (w[1], "x₂"), (b, "")) if value]
    (sign, first), *rest = [("−" if value < 0 else "+", _term(abs(value), n)) for value, n in parts]
    start = first if sign == "+" else sign + first
    return " ".join([start, *(f"{sign} {term}" for sign, term in rest), "= 0"])


def _term(size: float, name: str) -> str:
    return name if name and number(size) == "1" else f"{number(size)} {name}".rstrip()


def _draw_old_line(axes: Axes, ends: Array, index: int, age: float) -> None:
    """Draw one line of a history; `age` runs from 0 (oldest) to 1 (newest)."""
    colour = colormaps["cividis_r"](0.3 + 0.7 * age)
    axes.plot(*ends.T, color=colour, lw=1.0 + 1.6 * age, gid=f"line {index}")


def _number_lines(axes: Axes, lines: dict[int, Array], window: Window) -> None:
    """Number up to eight lines at their lower ends, the newest first, none over another."""
    order = list(lines)
    chosen = [order[round(at)] for at in np.linspace(0, len(order) - 1, min(8, len(order)))]
    taken: list[Array] = []
    for index in sorted(chosen, key=lambda i: (i != chosen[-1], i)):
        place = min(lines[index], key=lambda end: float(end[1] - 0.1 * end[0]))
        if all(
            np.linalg.norm(place - other) > 0.04 * (window.right - window.left) for other in taken
        ):
            taken.append(place)
            _write_number(axes, place, index)


def _write_number(axes: Axes, place: Array, index: int) -> None:
    box = {"boxstyle": "round,pad=0.2", "fc": "white", "ec": INK, "lw": 0.8}
    look: dict[str, Any] = {"ha": "center", "va": "center", "size": 9, "annotation_clip": False}
    axes.annotate(str(index), tuple(place), bbox=box, **look)


def _history_sentence(weights: Array, biases: Array, drawn: int) -> str:
    first, last = (
        f"w = ({number(weights[i][0])}, {number(weights[i][1])}), b = {number(biases[i])}"
        for i in (0, -1)
    )
    rest = len(biases) - drawn
    missing = f", {rest} without a line in the plot" if rest else ""
    return (
        f"{plural(len(biases), 'state')}{missing}: from {first} at the start to {last} at the end."
    )
