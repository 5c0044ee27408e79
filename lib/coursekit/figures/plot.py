"""A finished picture together with the sentence that stands in for it."""

from __future__ import annotations

import base64
import html
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from coursekit.errors import CourseError
from coursekit.figures import kept
from coursekit.figures.style import course_style

DPI = 144  # of the stored picture
SHOWN_DPI = 100  # of the picture on the page; the surplus keeps it sharp on fine screens


def graded() -> bool:
    """Whether the notebook is being graded: then time counts more than sharpness."""
    return os.environ.get("NBGRADER_EXECUTION") == "autograde"


class Plot:
    """A matplotlib figure and its text alternative `alt`, one sentence.

    A notebook shows the picture; screen readers, and whoever prints the plot, get the sentence.
    """

    def __init__(self, figure: Figure, alt: str) -> None:
        self.alt = alt
        self.size: tuple[float, float] = tuple(figure.get_size_inches())
        self.key = b""  # under which `kept` may keep the picture
        self._png = b""
        self._figure: Callable[[], Figure] = lambda: figure

    @classmethod
    def ready(cls, picture: kept.Picture, draw: Callable[[], Plot]) -> Plot:
        """A plot whose picture is there already; `draw` makes it again for who wants the figure."""
        plot = cls.__new__(cls)
        plot._png, plot.alt, plot.size = picture
        plot.key, plot._figure = b"", lambda: draw().figure
        return plot

    @property
    def figure(self) -> Figure:
        """The matplotlib figure."""
        return self._figure()

    def png(self) -> bytes:
        """The picture as a PNG file; it is drawn once."""
        if not self._png:
            figure = self.figure
            canvas, file = FigureCanvasAgg(figure), io.BytesIO()
            with course_style():
                figure.set_dpi(SHOWN_DPI if graded() else DPI)
                canvas.draw()
            # Without the alpha channel and with light compression it is written three times faster.
            picture = Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3].copy())
            picture.save(file, format="png", compress_level=2)
            self._png = file.getvalue()
            kept.keep(self.key, kept.Picture(self._png, self.alt, self.size))
        return self._png

    def image(self) -> str:
        """The picture as an HTML element that needs no other file."""
        data = base64.b64encode(self.png()).decode("ascii")
        width, height = (round(SHOWN_DPI * inches) for inches in self.size)
        return (
            f'<img alt="{html.escape(self.alt)}" width="{width}" height="{height}" '
            'decoding="sync" style="max-width: 100%; height: auto" '
            f'src="data:image/png;base64,{data}">'
        )

    def save(self, path: str | Path) -> None:
        """Write the picture to a file; its ending (.png, .svg, .pdf) decides the format.

        Raises CourseError for an unknown ending or a file that cannot be written.
        """
        path, figure = Path(path), self.figure
        kind = path.suffix.lstrip(".").lower()
        if kind not in figure.canvas.get_supported_filetypes():
            raise CourseError(f"A plot cannot be saved as {path.name}: let it end in .png or .svg.")
        try:
            with course_style():
                figure.savefig(path, dpi=DPI)
        except OSError as error:
            raise CourseError(f"The plot cannot be written to {path}: {error.strerror}.") from error

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data = {
            "text/html": self.image(),
            "image/png": base64.b64encode(self.png()).decode("ascii"),
            "text/plain": self.alt,
        }
        return data, {"image/png": {"alt": self.alt}}

    def __repr__(self) -> str:
        return self.alt
