"""Before a large class: the kernels' server draws the plots of the course's own notebooks once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import nbformat

from coursekit.grading.class_run.lesson import Lesson

ENOUGH = 6  # submissions of a lesson from which on the time for its own notebook is won back


@dataclass(frozen=True)
class Example:
    """A notebook of the course: its cells, the folder with its files, and what keeps its plots."""

    module: str
    cells: tuple[str, ...]
    folder: Path


def examples(lesson: Lesson, module: str) -> list[Example]:
    """The source notebooks of a lesson; none where they are gone or cannot be read."""
    found = []
    for name in lesson.templates:
        folder = Path(lesson.api.coursedir.format_path("source", ".", lesson.assignment))
        try:
            nb = nbformat.read(folder / f"{name}.ipynb", as_version=4)
        except (OSError, ValueError, AttributeError):
            continue
        cells = tuple(cell.source for cell in nb.cells if cell.cell_type == "code")
        found.append(Example(module, cells, folder))
    return found
