"""How all plots look: colours, marks, fonts, and how numbers are written."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec

import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from coursekit.errors import CourseError
from coursekit.figures import kept

if TYPE_CHECKING:
    from coursekit.figures.plot import Plot

Array = np.ndarray
P = ParamSpec("P")

INK = "#222222"
# In inches: the panel that the axes enclose, and the margins around it.
PANEL = (5.12, 3.2)
LEFT, RIGHT, ABOVE, BELOW, LEGEND_ROW = 0.8, 0.15, 0.4, 0.57, 0.22
STYLE = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#777777",
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.labelsize": 11,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "font.size": 10,
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.8,
    "legend.fontsize": 10,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "lines.markersize": 5.5,
    "savefig.facecolor": "white",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


class ClassStyle(NamedTuple):
    """The look of one class of points: its mark, and the tint of the region that belongs to it."""

    colour: str
    tint: str
    marker: str


class CurveStyle(NamedTuple):
    """The look of one curve: colour, line and mark all differ, and any one of them is enough."""

    colour: str
    line: Any
    marker: str


# Okabe and Ito's colours, ordered so that neighbours also differ in grey.
CLASSES = (
    ClassStyle("#E69F00", "#FDF1DA", "s"),
    ClassStyle("#0072B2", "#CFE2F0", "o"),
    ClassStyle("#009E73", "#DDF1EB", "^"),
    ClassStyle("#CC79A7", "#F6E6EF", "D"),
    ClassStyle("#56B4E9", "#E4F2FB", "v"),
    ClassStyle("#D55E00", "#F8E0CF", "P"),
)
CURVES = (
    CurveStyle("#0072B2", "-", "o"),
    CurveStyle("#E69F00", "--", "s"),
    CurveStyle("#009E73", "-.", "^"),
    CurveStyle("#CC79A7", ":", "D"),
    CurveStyle("#D55E00", (0, (5, 1, 1, 1, 1, 1)), "v"),
    CurveStyle("#56B4E9", (0, (1, 1)), "P"),
)


def course_style() -> AbstractContextManager[None]:
    """Matplotlib's defaults with the course's changes, whatever settings the notebook has made."""
    return matplotlib.style.context(STYLE, after_reset=True)


def styled(draw: Callable[P, Plot]) -> Callable[P, Plot]:
    """Make a drawing function draw in the style of the course, or find what was drawn before."""

    @functools.wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> Plot:
        key = kept.key(draw.__qualname__, args, kwargs)
        found = kept.find(key)
        if found is not None:
            from coursekit.figures.plot import Plot  # which imports this module

            return Plot.ready(found, lambda: styled_draw(*args, **kwargs))
        plot = styled_draw(*args, **kwargs)
        plot.key = key
        return plot

    def styled_draw(*args: P.args, **kwargs: P.kwargs) -> Plot:
        with course_style():
            return draw(*args, **kwargs)

    return drawn


def new_axes(title: str, x: str, y: str, legend_rows: int = 0) -> tuple[Figure, Axes]:
    """An empty figure with a title, the names of both axes and room for a legend below them.

    The axes have the same place in every figure, so that an explorer's picture keeps still.
    """
    below = BELOW + LEGEND_ROW * legend_rows
    width, height = LEFT + PANEL[0] + RIGHT, below + PANEL[1] + ABOVE
    figure = Figure(figsize=(width, height), facecolor="white")
    place = (LEFT / width, below / height, PANEL[0] / width, PANEL[1] / height)
    axes = figure.add_axes(place)
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.yaxis.set_label_coords(-0.56 / PANEL[0], 0.5)
    return figure, axes


def legend_below(figure: Figure, axes: Axes, columns: int) -> None:
    """Put the legend under the axes, where it hides nothing."""
    figure.legend(
        *axes.get_legend_handles_labels(),
        loc="lower left",
        bbox_to_anchor=(LEFT / figure.get_figwidth(), 0.01),
        ncols=columns,
        columnspacing=1.4,
        borderpad=0.2,
        borderaxespad=0.0,
        handletextpad=0.6,
    )


def curve(index: int) -> CurveStyle:
    """The look of curve number `index`; after six curves they repeat."""
    return CURVES[index % len(CURVES)]


def class_style(label: float, labels: Iterable[float]) -> ClassStyle:
    """The look of class `label` among all `labels`: 0 and -1 look alike, and so does each 1."""
    order = int(label)
    if -1 in labels:
        order = {-1: 0, 0: 2}.get(order, order)
    return CLASSES[order % len(CLASSES)]


def as_array(values: Any, name: str, ndim: int | None = None) -> Array:
    """An array of floats from a list, an array or a tensor; CourseError if it has another shape."""
    if hasattr(values, "detach"):
        values = values.detach()
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise CourseError(
            f"The plot needs numbers for {name}, not {type(values).__name__}."
        ) from error
    if ndim is not None and array.ndim != ndim:
        raise CourseError(f"{name} has shape {array.shape}: the plot needs {ndim} dimension(s).")
    return array


def number(value: float, digits: int = 3) -> str:
    """A number as a reader wants it: few digits, a real minus sign, no "-0"."""
    if not np.isfinite(value):
        return "not a number" if np.isnan(value) else "infinity" if value > 0 else "−infinity"
    if abs(value) >= 1e6:
        text = f"{value:.{digits - 1}e}".replace("e+0", "e").replace("e+", "e")
    elif abs(value) >= 1000 or value == round(value):
        text = f"{value:,.0f}"
    else:
        text = f"{value:.{digits}g}"
    return "0" if text == "-0" else text.replace("-", "−")


def listed(items: Sequence[str]) -> str:
    """Join words as in a sentence: "a, b and c"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def plural(count: int, noun: str) -> str:
    """A count with its noun: "1 point", "3 points"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
