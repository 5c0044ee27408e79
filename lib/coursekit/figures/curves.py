"""Curves and bars: mistakes, losses, bounds, functions of one input, singular values, counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.ticker import MaxNLocator

from coursekit.figures.plot import (
    BLACK,
    BLUE,
    COLOURS,
    DASHES,
    MARKERS,
    RED,
    Plot,
    canvas,
    count,
    label,
    number,
)


def mistakes_per_epoch(
    mistakes: Sequence[int] | Mapping[str, Sequence[int]], title: str | None = None
) -> Plot:
    """The number of mistakes in each epoch, of one run or of several named ones."""
    runs = dict(mistakes) if isinstance(mistakes, Mapping) else {"mistakes": mistakes}
    with canvas(6.0, 3.4) as (figure, ax):
        for place, (name, values) in enumerate(runs.items()):
            ax.plot(
                range(1, len(values) + 1), values, color=COLOURS[place % 6], ls=DASHES[place % 6],
                marker=MARKERS[place % 6], ms=7, label=name,
            )  # fmt: skip
        ax.set_ylim(bottom=-0.25)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(MaxNLocator(integer=True))
        label(ax, "epoch", "mistakes in the epoch", title)
        if len(runs) > 1:
            figure.legend(loc="outside right upper")
    told = "; ".join(
        f"{name}: {v[0]} in the first, {v[-1]} in the last of {count(len(v), 'epoch')}"
        for name, v in runs.items()
    )
    return Plot(figure, f"Mistakes per epoch. {told}.")


def loss_curves(
    losses: Mapping[str, Sequence[float]],
    log: bool = True,
    reference: float | None = None,
    title: str | None = None,
    x: str = "step",
    y: str = "mean squared error",
) -> Plot:
    """Losses over the steps of several runs; `reference` is a level to compare them with.

    Values that are not finite are left out; `log` shows the losses on a logarithmic axis.
    """
    with canvas(6.0, 3.8) as (figure, ax):
        for place, (name, values) in enumerate(losses.items()):
            series = np.asarray(values, dtype=float)
            series = np.where(np.isfinite(series), series, np.nan)
            ax.plot(series, color=COLOURS[place % 6], ls=DASHES[place % 6], label=name)
        if reference is not None:
            ax.axhline(reference, color=BLACK, lw=1, ls=(0, (1, 2)), label="lowest possible")
        if log:
            ax.set_yscale("log")
        label(ax, x, y, title)
        figure.legend(loc="outside right upper")
    told = "; ".join(
        f"{name}: from {number(values[0])} to {number(values[-1])} in {len(values) - 1} steps"
        for name, values in losses.items()
    )
    level = "" if reference is None else f" The lowest possible value is {number(reference)}."
    return Plot(figure, f"Loss curves. {told}.{level}")


def bound_comparison(
    margins: Sequence[float],
    bounds: Sequence[float],
    mistakes: Sequence[int],
    title: str | None = None,
) -> Plot:
    """The mistakes that a perceptron made against the bound (R/margin)², over several margins."""
    with canvas(6.0, 3.8) as (figure, ax):
        ax.plot(margins, bounds, color=RED, ls="--", marker="s", label="bound $(R/\\gamma)^2$")
        ax.plot(margins, mistakes, color=BLUE, marker="o", label="mistakes made")
        ax.set_xscale("log")
        ax.set_yscale("log")
        label(ax, "margin $\\gamma$ (log scale)", "mistakes (log scale)", title)
        figure.legend(loc="outside right upper")
    low, high = int(np.argmin(margins)), int(np.argmax(margins))
    return Plot(
        figure,
        f"At margin {number(margins[low])} the bound is {number(bounds[low])} and "
        f"{count(mistakes[low], 'mistake')} happened; at {number(margins[high])} the bound is "
        f"{number(bounds[high])} and {count(mistakes[high], 'mistake')} happened.",
    )


def line_1d(
    x: np.ndarray,
    curves: Mapping[str, np.ndarray],
    title: str | None = None,
    labels: tuple[str, str] = ("input $x$", "output"),
) -> Plot:
    """Functions of one input. Each curve has the shape of `x`."""
    with canvas(6.0, 3.8) as (figure, ax):
        for place, (name, values) in enumerate(curves.items()):
            ax.plot(x, values, color=COLOURS[place % 6], ls=DASHES[place % 6], label=name)
        label(ax, *labels, title)
        if len(curves) > 1:
            figure.legend(loc="outside right upper")
    told = "; ".join(
        f"{name}: from {number(np.min(v))} to {number(np.max(v))}" for name, v in curves.items()
    )
    return Plot(figure, f"Outputs for inputs from {number(x[0])} to {number(x[-1])}. {told}.")


def bars(names: Sequence[str], values: Sequence[float], y: str, title: str | None = None) -> Plot:
    """A bar for each of a few numbers, with the number written on top."""
    with canvas(6.0, 3.4) as (figure, ax):
        drawn = ax.bar(names, values, color=COLOURS[: len(names)], edgecolor=BLACK, width=0.6)
        ax.bar_label(drawn, [number(value) for value in values], padding=2)
        ax.margins(y=0.15)
        ax.grid(visible=False, axis="x")
        label(ax, "", y, title)
    told = ", ".join(f"{name}: {number(v)}" for name, v in zip(names, values, strict=True))
    return Plot(figure, f"{y[:1].upper() + y[1:]}. {told}.")


def singular_values(values: Mapping[str, Sequence[float]], title: str | None = None) -> Plot:
    """Singular values of matrices from the largest down, on a logarithmic axis."""
    with canvas(6.0, 3.6) as (figure, ax):
        for place, (name, series) in enumerate(values.items()):
            shown = np.maximum(np.asarray(series, dtype=float), 1e-18)
            ax.plot(
                range(1, len(shown) + 1), shown, color=COLOURS[place % 6], ls=DASHES[place % 6],
                marker=MARKERS[place % 6], ms=7, label=name,
            )  # fmt: skip
        ax.set_yscale("log")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        label(ax, "number of the singular value", "singular value (log scale)", title)
        if len(values) > 1:
            figure.legend(loc="outside right upper")
    told = "; ".join(
        f"{name}: from {number(max(series))} down to {number(min(series))}"
        for name, series in values.items()
    )
    return Plot(figure, f"Singular values. {told}.")
