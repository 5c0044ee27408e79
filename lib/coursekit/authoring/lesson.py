"""A lesson as the checks see it: its notebook, its bank, one run of its own solutions."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions

from coursekit.authoring.bank import Bank
from coursekit.authoring.notebooks import Kind, grade_id, label, of_kind
from coursekit.authoring.outcomes import Run
from coursekit.authoring.runner import run
from coursekit.grading.course import configuration

# For the whole of a notebook with its own solutions; lessons are meant to take under 10.
SECONDS = 120.0


@dataclass(frozen=True)
class Fault:
    """Something wrong with a lesson: the file, the cell ("" for none), what, and what to do."""

    file: str
    cell: str
    what: str
    do: str = ""

    def __str__(self) -> str:
        """One sentence."""
        place = f"{self.file}, cell {self.cell}" if self.cell else self.file
        return f"{place}: {self.what}{f'; {self.do}' if self.do else ''}."


@dataclass(frozen=True)
class Lesson:
    """One assignment of the course at `root`; `bank` is None where it could not be loaded."""

    assignment: str
    root: Path
    notebook: NotebookNode
    bank: Bank | None = None

    @property
    def path(self) -> Path:
        """The source notebook."""
        return source(self.assignment, self.root)

    @property
    def release(self) -> Path:
        """The folder that students get."""
        return self.root / "release" / self.assignment

    def fault(self, cell: NotebookNode | None, what: str, do: str = "") -> Fault:
        """A fault in the source notebook, in one cell or in the whole of it."""
        file = self.path.relative_to(self.root).as_posix()
        return Fault(file, "" if cell is None else label(cell), what, do)

    @cached_property
    def reference(self) -> Run:
        """The run of the notebook as it stands, with the values of the bank's figures."""
        figures = self.bank.figures if self.bank else ()
        values = [figure.value for figure in figures]
        folder = self.path.parent
        return run(self.notebook, {"": {}}, folder=folder, evaluate=values, seconds=SECONDS)[""]


def untouched(nb: NotebookNode, root: Path) -> dict[str, str]:
    """The answer cells as the release has them, by grade id: nobody has written anything yet."""
    stubbed, _ = ClearSolutions(config=configuration(root)).preprocess(copy.deepcopy(nb), {})
    return {grade_id(cell): cell.source for cell in of_kind(stubbed, Kind.ANSWER)}


def source(assignment: str, root: Path) -> Path:
    """Where the source notebook of an assignment is kept."""
    return root / "source" / assignment / f"{assignment}.ipynb"
