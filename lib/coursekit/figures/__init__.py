"""Every plot of the course, each with a sentence that says what it shows."""

from coursekit.figures.boundaries import boundary_history, class_regions, decision_boundary, points
from coursekit.figures.curves import (
    bars,
    bound_comparison,
    line_1d,
    loss_curves,
    mistakes_per_epoch,
    singular_values,
)
from coursekit.figures.plot import Plot
from coursekit.figures.surface import weight_paths

__all__ = [
    "Plot",
    "bars",
    "bound_comparison",
    "boundary_history",
    "class_regions",
    "decision_boundary",
    "line_1d",
    "loss_curves",
    "mistakes_per_epoch",
    "points",
    "singular_values",
    "weight_paths",
]
