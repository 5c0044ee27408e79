"""Paths of gradient descent on the surface of the squared error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from coursekit.errors import CourseError
from coursekit.figures.plane import RATIO, Window
from coursekit.figures.plot import Plot
from coursekit.figures.style import (
    INK,
    Array,
    as_array,
    curve,
    legend_below,
    new_axes,
    number,
    plural,
    styled,
)


@styled
def weight_paths(
    X: Any, y: Any, paths: Mapping[str, Any], bias: float = 0.0, title: str | None = None
) -> Plot:
    """Paths of two weights over contours of the mean squared error of X @ w + bias.

    `X` (n, 2), `y` (n,), `paths` maps names to arrays (steps, 2). A ring marks each start, a larger
    mark each end, a star the lowest point. A path that leaves the plot says so in its name.
    """
    X, y = as_array(X, "X", 2), as_array(y, "y", 1)
    if X.shape != (len(y), 2):
        raise CourseError(f"X {X.shape} and y {y.shape} do not go together: X needs shape (n, 2).")
    walks = {name: _checked(name, path) for name, path in paths.items()}
    best = np.linalg.lstsq(X, y - bias, rcond=None)[0]
    window = _window(best, list(walks.values()))
    rows = -(-(len(walks) + 1) // 2)
    title = title or "Mean squared error over the two weights"
    figure, axes = new_axes(title, "w₁ (no unit)", "w₂ (no unit)", rows)
    axes.set(xlim=window[:2], ylim=window[2:], aspect="equal")
    axes.grid(visible=False)
    _contours(axes, X, y, bias, window)
    for index, (name, walk) in enumerate(walks.items()):
        _draw(axes, index, name, walk, window)
    axes.plot(*best, marker="*", ms=15, mfc="white", mec=INK, ls="", label="lowest point")
    legend_below(figure, axes, columns=2)
    told = "; ".join(_story(name, walk, best, window) for name, walk in walks.items())
    where = f"({number(best[0])}, {number(best[1])})"
    return Plot(figure, f"Contours of the mean squared error, lowest at {where}; {told}.")


def _checked(name: str, path: Any) -> Array:
    walk = as_array(path, f"the path {name!r}", 2)
    if walk.shape[1] != 2 or not len(walk) or not np.isfinite(walk[0]).all():
        raise CourseError(f"The path {name!r} has shape {walk.shape}: it needs (steps, 2), finite.")
    return walk


def _window(best: Array, walks: list[Array]) -> Window:
    """Around the lowest point and all starts, however far a path may run away."""
    away = np.vstack([np.zeros(2), *[walk[:1] - best for walk in walks]])
    reach = 1.35 * max(0.2, *np.abs(away / [RATIO, 1.0]).max(axis=0))
    return Window(
        best[0] - RATIO * reach, best[0] + RATIO * reach, best[1] - reach, best[1] + reach
    )


def _contours(axes: Axes, X: Array, y: Array, bias: float, window: Window) -> None:
    w1, w2 = np.linspace(*window[:2], 80), np.linspace(*window[2:], 50)
    grid = np.stack(np.meshgrid(w1, w2), axis=-1)
    loss = ((grid @ X.T + bias - y) ** 2).mean(axis=-1)
    # Levels that grow with the square of their number lie evenly spaced in a bowl.
    levels = loss.min() + np.ptp(loss) * np.linspace(0.05, 0.95, 10) ** 2
    lines = axes.contour(w1, w2, loss, levels, colors="#8A8A8A", linewidths=0.9)
    axes.clabel(lines, levels[1::2], fmt=number, fontsize=8.5)


def _inside(walk: Array, window: Window) -> Array:
    low, high = np.array(window[::2]), np.array(window[1::2])
    return np.all((walk >= low) & (walk <= high), axis=1)


def _draw(axes: Axes, index: int, name: str, walk: Array, window: Window) -> None:
    inside = _inside(walk, window)
    # One step outside shows where a path goes; more would only pile up at the edge.
    shown = walk[: np.flatnonzero(inside)[-1] + 2]
    shown = np.clip(shown[np.isfinite(shown).all(axis=1)], -1e4, 1e4)
    look = curve(index)
    away = "" if inside[-1] else " (leaves the plot)"
    axes.plot(
        *shown.T, color=look.colour, ls=look.line, marker=look.marker, ms=3.5, label=name + away
    )
    axes.plot(*shown[0], marker="o", ms=9, mfc="white", mec=look.colour, mew=2, ls="")
    axes.plot(*shown[-1], marker=look.marker, ms=9, mfc=look.colour, mec=INK, ls="")


def _story(name: str, walk: Array, best: Array, window: Window) -> str:
    if not _inside(walk[-1:], window).all():
        return f"{name} leaves the plot at step {int(np.argmin(_inside(walk, window)))}"
    gap = number(float(np.linalg.norm(walk[-1] - best)))
    end = f"({number(walk[-1][0])}, {number(walk[-1][1])})"
    return (
        f"{name} ends after {plural(len(walk) - 1, 'step')} at {end}, {gap} from the lowest point"
    )
