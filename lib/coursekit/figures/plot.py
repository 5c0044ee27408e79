"""A plot with a sentence that says what it shows, and the look that all plots share."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart by colour-blind readers; markers and line styles differ too.
BLUE, ORANGE, GREEN, RED, PURPLE, SKY, BLACK = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#222222",
)
COLOURS = [BLUE, RED, GREEN, ORANGE, PURPLE, SKY]
DASHES = ["-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1))]
MARKERS = ["o", "s", "^", "D", "v", "P"]
STYLE: dict[str, Any] = {
    "font.size": 11,
    "axes.titlesize": 12,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.8,
    "axes.axisbelow": True,
    "lines.linewidth": 2.0,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
}
DPI = 100


@dataclass(frozen=True)
class Plot:
    """A finished picture. `alt` is the one sentence that stands in for it.

    Shown as the last value of a cell. Exported pages and screen readers get the sentence too.
    """

    figure: Figure
    alt: str

    def png(self) -> bytes:
        """The picture as PNG."""
        buffer = io.BytesIO()
        self.figure.savefig(buffer, format="png", dpi=DPI)
        return buffer.getvalue()

    def save(self, path: str | Path) -> None:
        """Write the picture to a file; its ending says in which format."""
        self.figure.savefig(path, dpi=DPI)

    def image(self) -> str:
        """The picture as an HTML element that needs no other file."""
        data = base64.b64encode(self.png()).decode()
        alt = html.escape(self.alt, quote=True)
        return f'<img alt="{alt}" src="data:image/png;base64,{data}" style="max-width: 100%">'

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data = {"text/html": self.image(), "image/png": self.png(), "text/plain": self.alt}
        return data, {"image/png": {"alt": self.alt}}


@contextmanager
def canvas(
    width: float = 6.0, height: float = 4.0, columns: int = 1
) -> Iterator[tuple[Figure, Any]]:
    """A figure in the course's style (sizes in inches) and its axes, an array if several.

    The figure is pyplot's business in no way: nothing is left open and nothing is shown twice.
    """
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.subplots(1, columns)
        yield figure, axes


def label(ax: Axes, x: str, y: str, title: str | None = None) -> None:
    """Name the axes and, if wanted, the plot."""
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    if title:
        ax.set_title(title)


def number(value: float) -> str:
    """A number for a sentence: three significant digits."""
    value = float(value)
    if not np.isfinite(value):
        return "infinity" if value > 0 else "an undefined number"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def count(many: int, one: str, several: str | None = None) -> str:
    """A number with its noun: "1 point", "3 points"."""
    return f"{many} {one if many == 1 else several or one + 's'}"
