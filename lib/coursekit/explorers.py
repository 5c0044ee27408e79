"""Explorers: a picture that follows sliders, menus and switches, with its sentence under it."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets
from IPython.core.getipython import get_ipython

from coursekit.errors import CourseError
from coursekit.figures import Plot

STYLE = {"description_width": "initial"}
WIDE = {"width": "30em", "max_width": "100%"}
ASLEEP = "This explorer wakes up once the exercises above are solved: then move a control."
# What ipywidgets leaves out for screen readers, added by the picture once it is there: sliders
# carry their names, and a new sentence is read aloud, since it changes inside a live element.
ON_LOAD = (
    "const all = this.closest('.coursekit-explorer') ?? this;"
    "all.querySelector('.coursekit-sentence .widget-html-content')"
    "?.setAttribute('aria-live', 'polite');"
    "for (const slider of all.querySelectorAll('.widget-slider'))"
    "slider.querySelector('[role=slider]')"
    "?.setAttribute('aria-label', slider.querySelector('label').textContent)"
)
NOTHING = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
NO_PICTURE = f'<img onload="{ON_LOAD}" alt="" width="1" height="1" src="{NOTHING}">'


def slider(
    label: str,
    low: float,
    high: float,
    step: float = 1,
    value: float | None = None,
    live: bool = True,
) -> widgets.ValueWidget:
    """A slider from `low` to `high` that starts at `value`, or at `low` where none is given.

    Its values are whole numbers where all numbers given are whole. With `live=False` the picture
    waits until the slider is let go, which suits slow pictures.
    """
    start = low if value is None else value
    if not (low <= start <= high and low < high and step > 0):
        told = f"low = {low}, high = {high}, step = {step}, value = {start}"
        raise CourseError(f"The slider {label!r} cannot have {told}.")
    whole = all(float(given).is_integer() for given in (low, high, step, start))
    kind, cast = (widgets.IntSlider, int) if whole else (widgets.FloatSlider, float)
    return kind(
        value=cast(start),
        min=cast(low),
        max=cast(high),
        step=cast(step),
        description=label,
        continuous_update=live,
        style=STYLE,
        layout=WIDE,
        **({} if whole else {"readout_format": ".3g"}),
    )


def choice(label: str, options: Sequence[Any], value: Any = None) -> widgets.ValueWidget:
    """A menu of options that starts at `value`, or at the first option where none is given."""
    start = options[0] if options and value is None else value
    if start not in options:
        raise CourseError(f"The menu {label!r} has no option {start!r} among {list(options)}.")
    return widgets.Dropdown(
        options=options,
        value=start,
        description=label,
        style=STYLE,
        layout={"width": "max-content"},
    )


def toggle(label: str, value: bool = False) -> widgets.ValueWidget:
    """A switch that is on or off."""
    return widgets.Checkbox(value=value, description=label, indent=False, layout={"width": "auto"})


def explore(draw: Callable[..., Plot], **controls: widgets.ValueWidget) -> Explorer:
    """An explorer of `draw`, a function of the controls' values that returns a Plot.

    >>> explore(lambda step: figures.points(X[:step], y[:step]), step=slider("points", 2, 50))
    """
    return Explorer(draw, controls)


class Explorer(widgets.VBox):
    """Controls, the picture for their values, and the sentence that says what it shows.

    `draw` takes the values of the controls by name and returns a Plot. If it fails, a sentence
    stands in for the picture until a control moves again. Where no widget runs (an exported page,
    feedback), the first picture stands in for the explorer.
    """

    def __init__(self, draw: Callable[..., Plot], controls: dict[str, widgets.ValueWidget]) -> None:
        self._draw = draw
        self._controls = controls
        self._kept: dict[tuple[Any, ...], Plot] = {}
        self._picture = widgets.HTML()
        self._sentence = widgets.HTML()
        self._sentence.add_class("coursekit-sentence")
        row = widgets.Box(
            list(controls.values()), layout={"flex_flow": "row wrap", "grid_gap": "0 1.5em"}
        )
        super().__init__([row, self._picture, self._sentence])
        self.add_class("coursekit-explorer")
        self._first = self._redraw()
        for control in controls.values():
            control.observe(self._redraw, names="value")

    def show(self, **values: Any) -> str:
        """Set controls by name and return the picture and the sentence shown then, as HTML."""
        for name, value in values.items():
            self._controls[name].value = value
        return f"{self._picture.value}<p>{self._sentence.value}</p>"

    def _redraw(self, _change: Any = None) -> Plot | None:
        """Show the picture for the controls' values, or why there is none."""
        try:
            plot = self._plot()
            picture = plot.image().replace("<img ", f'<img onload="{ON_LOAD}" ', 1)
        except Exception as error:
            self._picture.value, self._sentence.value = NO_PICTURE, html.escape(_excuse(error))
            return None
        self._picture.value, self._sentence.value = picture, html.escape(plot.alt)
        return plot

    def _plot(self) -> Plot:
        shell = get_ipython()
        # A cell that has run since may have changed what `draw` draws.
        key = (
            shell.execution_count if shell else 0,
            *(getattr(control, "index", control.value) for control in self._controls.values()),
        )
        if key not in self._kept:
            plot = self._draw(**{name: control.value for name, control in self._controls.items()})
            if not isinstance(plot, Plot):
                raise CourseError(
                    f"There is no picture: draw returned {type(plot).__name__}, not a plot."
                )
            self._kept[key] = plot
        return self._kept[key]

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live explorer, and its first picture for pages where none can run."""
        bundle = super()._repr_mimebundle_(**options)
        live = bundle[0] if isinstance(bundle, tuple) else bundle
        if self._first is None:
            still = {"text/html": f"<p>{self._sentence.value}</p>"}
            return {**live, **still, "text/plain": html.unescape(self._sentence.value)}, {}
        still, metadata = self._first._repr_mimebundle_()
        still["text/html"] += f"<p>{html.escape(self._first.alt)}</p>"
        return {**live, **still}, metadata


def _excuse(error: Exception) -> str:
    """Why there is no picture, in one sentence."""
    if isinstance(error, NotImplementedError):
        return ASLEEP
    if isinstance(error, CourseError):
        return str(error)
    said = str(error).strip().split("\n")[0].rstrip(".")
    reason = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return f"There is no picture for these settings ({reason})."
