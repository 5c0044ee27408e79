"""What the course knows of a notebook: its cells in order, their texts, points and locks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Assignment, Gradebook, MissingEntry, Notebook
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme
from traitlets.config import Config

from coursekit.errors import CourseError
from coursekit.grading import course
from coursekit.grading.trust.asked import asked_names

PYTHON = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


@dataclass(frozen=True)
class Known:
    """A cell of the course. `name` is its grade_id, "" for a plain cell.

    `source` is the text that is graded, `released` the text that students got: the same without
    hidden tests. `written` is nbgrader's metadata in the course's file, `metadata` the rest of it.
    `asks` has the names of the notebook that an answer is meant to change.
    """

    kind: str
    source: str
    released: str
    name: str = ""
    grade: bool = False
    solution: bool = False
    task: bool = False
    locked: bool = False
    points: float = 0.0
    checksum: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    attachments: dict[str, Any] = field(default_factory=dict)
    written: dict[str, Any] = field(default_factory=dict)
    asks: list[str] = field(default_factory=list)

    @property
    def is_test(self) -> bool:
        """Whether the cell's run earns the points: a graded code cell that is no answer."""
        return self.grade and not self.solution and self.kind == "code"

    @property
    def by_hand(self) -> bool:
        """Whether the points are given by a person."""
        return self.task or (self.grade and not self.is_test)

    @property
    def is_answer(self) -> bool:
        """Whether the text of the cell is the student's to write."""
        return self.solution and not self.locked

    def nbgrader(self) -> dict[str, Any]:
        """The nbgrader metadata that the cell must have, in schema version 3."""
        settings: dict[str, Any] = {
            "schema_version": 3,
            "grade_id": self.name,
            "cell_type": self.kind,
            "grade": self.grade,
            "solution": self.solution,
            "locked": self.locked,
            "task": self.task,
        }
        if self.grade or self.task:
            settings["points"] = self.points
        if self.checksum is not None:
            settings["checksum"] = self.checksum
        return settings


@dataclass(frozen=True)
class Template:
    """One notebook of an assignment. `cells` are in the order of the source."""

    assignment: str
    name: str
    cells: tuple[Known, ...]
    kernelspec: dict[str, Any] = field(default_factory=lambda: dict(PYTHON))

    @cached_property
    def named(self) -> dict[str, Known]:
        """The cells with a grade_id, in order."""
        return {cell.name: cell for cell in self.cells if cell.name}

    @cached_property
    def points(self) -> dict[str, float]:
        """The points of each graded cell, also of those marked by hand."""
        return {name: cell.points for name, cell in self.named.items() if cell.grade or cell.task}

    @cached_property
    def hidden(self) -> frozenset[str]:
        """The grade ids of the cells with text that students did not get."""
        return frozenset(n for n, cell in self.named.items() if cell.source != cell.released)

    @cached_property
    def digest(self) -> str:
        """A fingerprint that changes with points, tests, stubs and order, not with prose."""
        parts = []
        for cell in self.named.values():
            about = asdict(cell)
            del about["metadata"], about["checksum"], about["written"], about["asks"]
            parts.append(about)
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def to_json(self) -> str:
        """The template as text, for another machine."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Template:
        """The template that `to_json` wrote."""
        content = json.loads(text)
        cells = tuple(Known(**cell) for cell in content.pop("cells"))
        return cls(cells=cells, **content)


def templates(root: Path, assignment: str) -> dict[str, Template]:
    """The template of each notebook of an assignment, by name.

    Raises CourseError where the course has no gradebook or it does not know the assignment.
    """
    config = course.configuration(root)
    nbgrader = course.api(root)
    with course.gradebook(root) as book:
        return from_gradebook(book, assignment, places(nbgrader.coursedir, assignment), config)


def places(coursedir: Any, assignment: str) -> list[Path]:
    """The folders where the order of an assignment's cells can be read, best first.

    `coursedir` is nbgrader's CourseDirectory.
    """
    steps = (coursedir.source_directory, coursedir.release_directory)
    return [Path(coursedir.format_path(step, ".", assignment)).absolute() for step in steps]


def from_gradebook(
    book: Gradebook, assignment: str, folders: Sequence[Path], config: Config | None = None
) -> dict[str, Template]:
    """The templates of an assignment from an open gradebook.

    The order of the cells and the plain cells come from the first of `folders` that has the
    notebook. Raises CourseError where the gradebook does not know the assignment.
    """
    try:
        found: Assignment = book.find_assignment(assignment)
    except MissingEntry:
        raise CourseError(
            f"the gradebook does not know the assignment {assignment}: run "
            f"`nbgrader generate_assignment {assignment}`"
        ) from None
    return {
        notebook.name: Template(
            assignment,
            notebook.name,
            _in_order(_named(notebook, config or Config()), _written(folders, notebook.name)),
            json.loads(notebook.kernelspec or "null") or dict(PYTHON),
        )
        for notebook in found.notebooks
    }


def _named(notebook: Notebook, config: Config) -> dict[str, Known]:
    """The cells that the gradebook knows, by grade_id."""
    graded = {cell.name: cell for cell in notebook.grade_cells}
    tasks = {cell.name: cell for cell in notebook.task_cells}
    answers = {cell.name for cell in notebook.solution_cells}
    known = {}
    for cell in notebook.source_cells:
        earns = graded.get(cell.name) or tasks.get(cell.name)
        made = Known(
            kind=cell.cell_type,
            source=cell.source or "",
            released="",
            name=cell.name,
            grade=cell.name in graded,
            solution=cell.name in answers,
            task=cell.name in tasks,
            locked=bool(cell.locked),
            points=float(earns.max_score) if earns else 0.0,
            checksum=cell.checksum,
        )
        known[cell.name] = _with(made, released=_released(made, config))
    return known


def _with(cell: Known, **changes: Any) -> Known:
    return Known(**{**asdict(cell), **changes})


def _released(cell: Known, config: Config) -> str:
    """The text without hidden tests and mark schemes, taken out as nbgrader takes them out."""
    node = NotebookNode(
        cell_type=cell.kind,
        source=cell.source,
        metadata=NotebookNode(nbgrader=NotebookNode(cell.nbgrader())),
    )
    try:
        for clear in (ClearHiddenTests(config=config), ClearMarkScheme(config=config)):
            node, _ = clear.preprocess_cell(node, {}, 0)
    except RuntimeError:  # such a cell cannot have been released
        return cell.source
    return str(node.source)


def _written(folders: Sequence[Path], name: str) -> list[dict[str, Any]]:
    """The cells of the instructor's file, or of the released one, or none."""
    for folder in folders:
        try:
            content = json.loads((folder / f"{name}.ipynb").read_text(encoding="utf-8"))
            return [cell for cell in content["cells"] if isinstance(cell, dict)]
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return []


def _in_order(known: dict[str, Known], file: list[dict[str, Any]]) -> tuple[Known, ...]:
    """The known cells in the order of the file, plain ones between; those not in it at the end."""
    left = dict(known)
    cells = []
    for cell in file:
        metadata = dict(cell.get("metadata") or {})
        written = metadata.pop("nbgrader", None) or {}
        name = written.get("grade_id", "")
        extra: dict[str, Any] = {
            "metadata": metadata,
            "attachments": cell.get("attachments") or {},
            "written": written,
        }
        text = cell.get("source", "")
        text = text if isinstance(text, str) else "".join(text)
        if name in left:
            asks = sorted(asked_names([text])) if left[name].is_answer else []
            cells.append(_with(left.pop(name), asks=asks, **extra))
        elif name not in known:
            cells.append(Known(str(cell.get("cell_type", "raw")), text, text, **extra))
    return (*cells, *left.values())
