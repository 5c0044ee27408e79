"""Curves and bars: mistakes, losses, bounds, functions of one input, singular values, counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from coursekit.errors import CourseError
from coursekit.figures.plot import Plot
from coursekit.figures.style import (
    CURVES,
    INK,
    Array,
    as_array,
    curve,
    legend_below,
    listed,
    new_axes,
    number,
    plural,
    styled,
)

ZERO = 1e-18  # where a singular value of exactly zero is drawn on a logarithmic axis
ROUNDING = 1e-12  # singular values below this share of the largest count as zero


@styled
def mistakes_per_epoch(
    mistakes: Sequence[int] | Mapping[str, Sequence[int]], title: str | None = None
) -> Plot:
    """The mistakes of each epoch, numbered from 1, of one training run or of several named ones."""
    named = isinstance(mistakes, Mapping)
    runs = _series(mistakes if isinstance(mistakes, Mapping) else {"": mistakes})
    figure, axes = new_axes(title or "Mistakes made in each epoch", "epoch", "mistakes", int(named))
    for index, (name, counts) in enumerate(runs.items()):
        _draw(axes, index, np.arange(1, len(counts) + 1), counts, name, clip=False)
    axes.set_ylim(0, 1.08 * max(1.0, *(counts.max() for counts in runs.values())))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    if named:
        legend_below(figure, axes, columns=3)
    told = [f"{name + ': ' if name else ''}{_counts(counts)}" for name, counts in runs.items()]
    return Plot(figure, f"Mistakes per epoch, {'; '.join(told)}.")


@styled
def loss_curves(
    losses: Mapping[str, Sequence[float]],
    log: bool = True,
    reference: float | None = None,
    title: str | None = None,
    x: str = "step",
    y: str = "mean squared error",
) -> Plot:
    """Losses over the steps, counted from 0, of several named runs.

    `reference` is a level to compare them with, the lowest loss possible. A run that grows
    far above where the runs began, or is not finite, leaves the plot, and its name says so.
    """
    runs = _series(losses)
    top = (1e3 if log else 3.0) * max(values[0] for values in runs.values())
    rows = -(-(len(runs) + (reference is not None)) // 2)
    scale = " (log scale)" if log else ""
    figure, axes = new_axes(title or "Loss during training", x, y + scale, rows)
    shown = {name: _drawable(values, log) for name, values in runs.items()}
    leaves = {name: not np.all(values <= top) for name, values in runs.items()}
    for index, (name, values) in enumerate(shown.items()):
        note = " (leaves the plot)" if leaves[name] else ""
        _draw(axes, index, np.arange(len(values)), np.minimum(values, 9 * top), name + note)
    if reference is not None:
        name = f"lowest possible: {number(reference)}"
        axes.axhline(reference, color=INK, lw=1.2, ls=(0, (1, 2)), label=name)
    if log:
        axes.set_yscale("log")
    if any(leaves.values()):
        lowest = min(np.nanmin(values) for values in shown.values())
        axes.set_ylim(lowest / 2 if log else 0, top)
    legend_below(figure, axes, columns=2)
    told = "; ".join(f"{name}: {_loss_story(values)}" for name, values in runs.items())
    level = "" if reference is None else f"; the lowest possible is {number(reference)}"
    return Plot(figure, f"{y[:1].upper()}{y[1:]}, {told}{level}.")


@styled
def bound_comparison(
    margins: Sequence[float],
    bounds: Sequence[float],
    mistakes: Sequence[float],
    title: str | None = None,
) -> Plot:
    """The mistakes that a perceptron made against the bound (R/γ)² on them, over margins γ."""
    gaps, limits, made = (as_array(v, "each list", 1) for v in (margins, bounds, mistakes))
    if not len(gaps) == len(limits) == len(made) > 0:
        raise CourseError("margins, bounds and mistakes need the same length, and at least one.")
    order = np.argsort(gaps)
    title = title or "The bound limits the mistakes, it does not predict them"
    figure, axes = new_axes(title, "margin γ (log scale)", "mistakes (log scale)", 1)
    _draw(axes, 1, gaps[order], _drawable(limits[order], True), "bound (R/γ)²")
    _draw(axes, 0, gaps[order], _drawable(made[order], True), "mistakes made")
    axes.set(xscale="log", yscale="log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: number(value))
    axes.xaxis.set_minor_formatter(lambda value, _: "")
    legend_below(figure, axes, columns=2)
    ends = [
        f"margin {number(gaps[i])}: {number(made[i])} made, {number(limits[i])} allowed"
        for i in (order[0], order[-1])
    ]
    return Plot(figure, f"Mistakes against their bound, {'; '.join(ends)}.")


@styled
def line_1d(
    x: Any,
    curves: Mapping[str, Any],
    title: str | None = None,
    labels: tuple[str, str] = ("input x", "output"),
) -> Plot:
    """Functions of one input: `x` (n,), and a named array (n,) of outputs for each function."""
    x, lines = as_array(x, "x", 1), _series(curves)
    if any(len(values) != len(x) for values in lines.values()):
        raise CourseError(f"Each curve needs {len(x)} values, one for each x.")
    figure, axes = new_axes(title or "Output against input", *labels, -(-len(lines) // 3))
    for index, (name, values) in enumerate(lines.items()):
        _draw(axes, index, x, values, name)
    legend_below(figure, axes, columns=3)
    told = "; ".join(
        f"{name} lies between {number(np.nanmin(values))} and {number(np.nanmax(values))}"
        for name, values in lines.items()
    )
    return Plot(figure, f"Outputs for inputs from {number(x.min())} to {number(x.max())}: {told}.")


@styled
def bars(names: Sequence[str], values: Sequence[float], y: str, title: str | None = None) -> Plot:
    """A bar for each of a few numbers of the quantity `y`, with the number on top."""
    heights = as_array(values, "values", 1)
    if not len(names) == len(heights) > 0:
        raise CourseError(f"The plot has {len(names)} names for {len(heights)} bars.")
    figure, axes = new_axes(title or "", "", y)
    drawn = axes.bar(names, heights, color=CURVES[0].colour, edgecolor=INK, width=0.55)
    axes.bar_label(drawn, [number(height) for height in heights], padding=3)
    axes.margins(x=0.6 / len(names), y=0.12)
    axes.grid(visible=False, axis="x")
    axes.yaxis.set_major_formatter(lambda value, _: number(value))
    told = [f"{number(height)} for {name}" for name, height in zip(names, heights, strict=True)]
    return Plot(figure, f"{y[:1].upper()}{y[1:]}: {listed(told)}.")


@styled
def singular_values(values: Mapping[str, Sequence[float]], title: str | None = None) -> Plot:
    """Singular values of named matrices, largest first, and the rank that they show.

    The rank counts the values above 1e-12 of the largest; the rest is rounding.
    """
    series = {name: np.sort(each)[::-1] for name, each in _series(values).items()}
    ranks = {name: int(np.sum(each > ROUNDING * each[0])) for name, each in series.items()}
    rows = -(-len(series) // 2)
    axis_names = ("place in order of size", "singular value (log scale)")
    figure, axes = new_axes(title or "Singular values", *axis_names, rows)
    for index, (name, each) in enumerate(series.items()):
        places = np.arange(1, len(each) + 1)
        _draw(axes, index, places, np.maximum(each, ZERO), f"{name}: rank {ranks[name]}")
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    legend_below(figure, axes, columns=2)
    told = "; ".join(
        f"{name}: {plural(len(each), 'value')} from {number(each[0])} to {number(each[-1])}, "
        f"rank {ranks[name]}"
        for name, each in series.items()
    )
    return Plot(figure, f"Singular values, {told}.")


def _series(curves: Mapping[str, Any]) -> dict[str, Array]:
    """Every named list as an array; CourseError where there is nothing to draw."""
    arrays = {str(name): as_array(values, name or "the list", 1) for name, values in curves.items()}
    if not arrays or not all(len(values) for values in arrays.values()):
        raise CourseError("There is nothing to plot: a list of numbers is empty.")
    return arrays


def _draw(axes: Axes, index: int, x: Array, y: Array, name: str, clip: bool = True) -> None:
    """Draw one curve in its own look, with a mark on every point or on about a dozen."""
    look = curve(index)
    every = max(1, len(x) // 12) if len(x) > 40 else 1
    axes.plot(
        x,
        y,
        color=look.colour,
        ls=look.line,
        marker=look.marker,
        markevery=(index * every // 3, every),
        mec=INK,
        mew=0.5,
        clip_on=clip,
        label=name or None,
    )


def _counts(counts: Array) -> str:
    """The record of one run in words."""
    total = f"{number(counts.sum())} in all"
    if len(counts) > 1 and len(set(counts)) == 1:
        return f"{number(counts[0])} in each of {len(counts)} epochs"
    if len(counts) <= 12:
        return f"{listed([number(count) for count in counts])} ({total})"
    ends = f"from {number(counts[0])} in the first to {number(counts[-1])} in the last"
    return f"{ends} of {len(counts)} epochs ({total})"


def _drawable(values: Array, log: bool) -> Array:
    """The values with gaps where an axis cannot show them."""
    return np.where(np.isfinite(values) & ((values > 0) | (not log)), values, np.nan)


def _loss_story(values: Array) -> str:
    finite = np.isfinite(values)
    if not finite.all():
        return f"from {number(values[0])} up until it is not finite at step {np.argmin(finite)}"
    return f"from {number(values[0])} to {number(values[-1])} in {plural(len(values) - 1, 'step')}"
