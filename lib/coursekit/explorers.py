"""Explorers: a picture that redraws when sliders, menus or switches are moved."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from coursekit.figures import Plot

STYLE = {"description_width": "initial"}
WIDE = widgets.Layout(width="auto", max_width="30em")


def slider(
    label: str, low: float, high: float, step: float = 1, value: float | None = None
) -> widgets.Widget:
    """A slider from `low` to `high`; whole numbers give a slider of whole numbers."""
    whole = all(float(number).is_integer() for number in (low, high, step))
    kind = widgets.IntSlider if whole else widgets.FloatSlider
    cast = int if whole else float
    options = {} if whole else {"readout_format": ".3g"}
    return kind(
        value=cast(low if value is None else value),
        min=cast(low),
        max=cast(high),
        step=cast(step),
        description=label,
        style=STYLE,
        layout=WIDE,
        **options,
    )


def choice(label: str, options: list[Any], value: Any = None) -> widgets.Widget:
    """A menu of options; the first is chosen unless `value` names another."""
    return widgets.Dropdown(
        options=options,
        value=options[0] if value is None else value,
        description=label,
        style=STYLE,
        layout=WIDE,
    )


def toggle(label: str, value: bool = False) -> widgets.Widget:
    """A switch that is on or off."""
    return widgets.Checkbox(value=value, description=label, indent=False, layout=WIDE)


class Explorer(widgets.VBox):
    """Controls, the picture for their values, and the sentence that says what it shows.

    `draw(**values)` takes the values of the controls by name and returns a Plot. Pictures are kept,
    so that going back to a value is immediate. Where no widget runs (an exported page), the first
    picture stands in.
    """

    def __init__(self, draw: Callable[..., Plot], controls: dict[str, widgets.Widget]) -> None:
        self._draw = draw
        self._controls = controls
        self._kept: dict[tuple[Any, ...], tuple[str, Plot | None]] = {}
        self._picture = widgets.HTML()
        row = widgets.Box(
            list(controls.values()), layout=widgets.Layout(flex_flow="row wrap", grid_gap="0 1.5em")
        )
        super().__init__([row, self._picture])
        for control in controls.values():
            control.observe(self._redraw, names="value")
        self._redraw()

    def show(self, **values: Any) -> str:
        """Set controls by name and return what is shown then, as HTML."""
        for name, value in values.items():
            self._controls[name].value = value
        return str(self._picture.value)

    def _redraw(self, _change: Any = None) -> None:
        self._picture.value = self._shown()[0]

    def _shown(self) -> tuple[str, Plot | None]:
        values = {name: control.value for name, control in self._controls.items()}
        key = tuple(values.values())
        if key not in self._kept:
            shown = _drawn(self._draw, values)
            if shown[1] is None:
                # A failure may be mended by running a cell above, so it is tried again.
                return shown
            self._kept[key] = shown
        return self._kept[key]

    def _repr_mimebundle_(self, **options: Any) -> Any:
        bundle = super()._repr_mimebundle_(**options)
        plot = self._shown()[1]
        if bundle is None or plot is None:
            return bundle
        data, metadata = plot._repr_mimebundle_()
        live = bundle[0] if isinstance(bundle, tuple) else bundle
        return {**live, **data}, metadata


def _drawn(draw: Callable[..., Plot], values: dict[str, Any]) -> tuple[str, Plot | None]:
    try:
        plot = draw(**values)
        return f"{plot.image()}{_sentence(plot.alt)}", plot
    except NotImplementedError:
        return _sentence("This explorer wakes up once the exercises above are solved."), None
    except Exception as error:
        told = f"Nothing to show for these values: {type(error).__name__}: {error}"
        return _sentence(told), None


def _sentence(text: str) -> str:
    """A line of text that screen readers announce when it changes."""
    return f'<p role="status" aria-live="polite" style="margin: 0">{html.escape(text)}</p>'


def explore(draw: Callable[..., Plot], **controls: widgets.Widget) -> Explorer:
    """An explorer of `draw`, a function of the controls' values that returns a Plot.

    >>> explore(lambda step: figures.points(X[:step], y[:step]), step=slider("points", 2, 50))
    """
    return Explorer(draw, controls)
