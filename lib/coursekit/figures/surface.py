"""Paths of gradient descent on the surface of the squared error."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from coursekit.figures.plot import BLACK, COLOURS, DASHES, MARKERS, Plot, canvas, label, number

Window = tuple[float, float, float, float]


def weight_paths(
    X: np.ndarray,
    y: np.ndarray,
    paths: Mapping[str, np.ndarray],
    bias: float = 0.0,
    title: str | None = None,
) -> Plot:
    """Paths of two weights over contours of the mean squared error of X @ w + bias.

    `paths` maps a name to an array (steps, 2). The lowest point is marked with a star; a path that
    leaves the picture is cut off at the edge, and its legend entry says so.
    """
    X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    best = np.linalg.lstsq(X, y - bias, rcond=None)[0]
    walks = {name: np.asarray(path, dtype=float).reshape(-1, 2) for name, path in paths.items()}
    window = _window(best, list(walks.values()))
    with canvas(6.4, 4.4) as (figure, ax):
        _contours(ax, X, y, bias, window)
        for place, (name, walk) in enumerate(walks.items()):
            _walk(ax, name, walk, place, window)
        ax.plot(*best, marker="*", ms=15, color="white", mec=BLACK, ls="", label="lowest point")
        ax.set_xlim(*window[:2])
        ax.set_ylim(*window[2:])
        ax.grid(visible=False)
        label(ax, "first weight $w_1$", "second weight $w_2$", title)
        figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    told = "; ".join(_end(name, walk, best, window) for name, walk in walks.items())
    return Plot(
        figure,
        f"Contours of the mean squared error, lowest at ({number(best[0])}, {number(best[1])}). "
        f"{told}.",
    )


def _window(best: np.ndarray, walks: list[np.ndarray]) -> Window:
    """Around the lowest point and the starts, however far a path may run away."""
    centre = np.vstack([best[None], *[walk[:1] for walk in walks]])
    reach = max(float(np.abs(centre - best).max()), 0.25) * 1.5
    return best[0] - reach * 1.25, best[0] + reach * 1.25, best[1] - reach, best[1] + reach


def _contours(ax: Axes, X: np.ndarray, y: np.ndarray, bias: float, window: Window) -> None:
    w1, w2 = np.linspace(*window[:2], 120), np.linspace(*window[2:], 120)
    grid = np.stack(np.meshgrid(w1, w2), axis=-1)
    loss = ((grid @ X.T + bias - y) ** 2).mean(axis=-1)
    low, high = loss.min(), loss.max()
    # Levels that grow with the square of their number lie evenly spaced on a bowl.
    levels = low + (high - low) * np.linspace(0.06, 1, 11) ** 2
    drawn = ax.contour(w1, w2, loss, levels=levels, colors="#8a8a8a", linewidths=0.9)
    ax.clabel(drawn, levels[1::3], fmt=lambda value: f"{value:.2g}", fontsize=8)


def _inside(walk: np.ndarray, window: Window) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        across = (walk[:, 0] >= window[0]) & (walk[:, 0] <= window[1])
        return across & (walk[:, 1] >= window[2]) & (walk[:, 1] <= window[3])


def _walk(ax: Axes, name: str, walk: np.ndarray, place: int, window: Window) -> None:
    # Beyond this, lines of huge length make drawing slow and show nothing more.
    finite = walk[np.isfinite(walk).all(axis=1)]
    shown = np.clip(finite, -1e4, 1e4)
    colour, dash = COLOURS[place % len(COLOURS)], DASHES[place % len(DASHES)]
    away = "" if _inside(walk, window).all() else " (leaves the picture)"
    marker = MARKERS[place % len(MARKERS)]
    ax.plot(*shown.T, color=colour, ls=dash, marker=marker, ms=4, lw=1.5, label=name + away)
    ax.plot(*shown[0], marker="o", ms=9, mfc="white", mec=colour, mew=2, ls="")


def _end(name: str, walk: np.ndarray, best: np.ndarray, window: Window) -> str:
    last = walk[-1]
    if not np.isfinite(last).all() or not _inside(walk[-1:], window).all():
        return f"{name} leaves the picture"
    gap = float(np.linalg.norm(last - best))
    return (
        f"{name} ends after {len(walk) - 1} steps at ({number(last[0])}, {number(last[1])}), "
        f"{number(gap)} from the lowest point"
    )
