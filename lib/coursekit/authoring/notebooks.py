"""Reading source notebooks and telling their cells apart."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from coursekit.errors import CourseError


class Kind(Enum):
    """What a cell is to nbgrader: the two flags `grade` and `solution` decide."""

    PLAIN = "plain"
    ANSWER = "answer"
    TEST = "test"
    WRITTEN = "written"


def read(path: Path) -> NotebookNode:
    """The notebook in a file, as it is stored: nothing is repaired.

    Raises CourseError where the file is missing or is not a notebook of format 4.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise CourseError(f"{path}: there is no such notebook; check its name.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(f"{path}: the notebook cannot be read ({error}).") from None
    try:
        stored = json.loads(text)
    except ValueError as error:
        raise CourseError(
            f"{path}: not valid JSON ({error}); restore the last committed version."
        ) from None
    if not (isinstance(stored, dict) and stored.get("nbformat") == 4 and "cells" in stored):
        raise CourseError(f"{path}: not a notebook of format 4; save it again from JupyterLab.")
    try:
        return nbformat.v4.reads(text)
    except (AttributeError, KeyError, TypeError) as error:
        raise CourseError(f"{path}: not a valid notebook ({error}).") from None


def kind(cell: NotebookNode) -> Kind:
    """The kind of a cell by its nbgrader metadata."""
    meta = cell.metadata.get("nbgrader", {})
    grade, solution = bool(meta.get("grade")), bool(meta.get("solution"))
    if grade and solution:
        return Kind.WRITTEN
    return Kind.TEST if grade else Kind.ANSWER if solution else Kind.PLAIN


def grade_id(cell: NotebookNode) -> str:
    """The grade id of a cell, "" where it has none."""
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def label(cell: NotebookNode) -> str:
    """What to call a cell in a message: its grade id, else its cell id."""
    return grade_id(cell) or str(cell.get("id", "without an id"))


def code_cells(nb: NotebookNode) -> list[NotebookNode]:
    """The code cells in order."""
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def markdown_cells(nb: NotebookNode) -> list[NotebookNode]:
    """The markdown cells in order."""
    return [cell for cell in nb.cells if cell.cell_type == "markdown"]


def of_kind(nb: NotebookNode, *kinds: Kind) -> list[NotebookNode]:
    """The cells of some kinds in order."""
    return [cell for cell in nb.cells if kind(cell) in kinds]


def exercises(nb: NotebookNode) -> dict[str, list[str]]:
    """The grade ids of each exercise: its answer cell, and the test cells up to the next one."""
    found: dict[str, list[str]] = {}
    for cell in of_kind(nb, Kind.ANSWER, Kind.TEST):
        if kind(cell) is Kind.ANSWER:
            found[grade_id(cell)] = []
        elif found:
            found[next(reversed(found))].append(grade_id(cell))
    return found


@dataclass(frozen=True)
class Line:
    """A line of a cell: its number from 1, its text, and "solution", "hidden" or "" by region."""

    number: int
    text: str
    region: str


_MARK = re.compile(r"\b(BEGIN|END) (SOLUTION|HIDDEN TESTS)\b")
_REGIONS = {"SOLUTION": "solution", "HIDDEN TESTS": "hidden"}


def lines(source: str) -> Iterator[Line]:
    """The lines of a cell with the region that each is in; the marks themselves are left out."""
    region = ""
    for number, text in enumerate(source.split("\n"), start=1):
        mark = _MARK.search(text)
        if mark:
            region = _REGIONS[mark[2]] if mark[1] == "BEGIN" else ""
        else:
            yield Line(number, text, region)


def region_problem(source: str) -> str:
    """What is wrong with the marks of a cell's regions, or ""."""
    open_region = ""
    for mark in _MARK.finditer(source):
        if mark[1] == "BEGIN" and open_region:
            return f"BEGIN {mark[2]} stands inside a {open_region} region"
        if mark[1] == "END" and mark[2] != open_region:
            return f"END {mark[2]} has no BEGIN"
        open_region = mark[2] if mark[1] == "BEGIN" else ""
    return f"BEGIN {open_region} has no END" if open_region else ""


def has_region(source: str, region: str) -> bool:
    """Whether a cell has a "solution" or "hidden" region."""
    return any(
        mark[1] == "BEGIN" and _REGIONS[mark[2]] == region for mark in _MARK.finditer(source)
    )


def released(source: str) -> str:
    """A cell as students get it, without the stub that stands in for the solution."""
    return "\n".join(line.text for line in lines(source) if not line.region)


def snake(name: str) -> bool:
    """Whether a name is lower-case snake case."""
    return re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) is not None
