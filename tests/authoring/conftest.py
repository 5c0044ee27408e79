"""Tiny notebooks for the tests of the authoring tools."""

from __future__ import annotations

from types import SimpleNamespace

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def _graded(cell: NotebookNode, grade_id: str, **meta: object) -> NotebookNode:
    cell.id = grade_id.replace("_", "-")
    flags = {"schema_version": 3, "grade_id": grade_id, "task": False, **meta}
    cell.metadata["nbgrader"] = flags
    return cell


def answer(grade_id: str, source: str) -> NotebookNode:
    return _graded(new_code_cell(source), grade_id, grade=False, solution=True, locked=False)


def test(grade_id: str, source: str, points: float = 1) -> NotebookNode:
    flags = {"grade": True, "solution": False, "locked": True, "points": points}
    return _graded(new_code_cell(source), grade_id, **flags)


def written(grade_id: str, source: str, points: float = 2) -> NotebookNode:
    flags = {"grade": True, "solution": True, "locked": False, "points": points}
    return _graded(new_markdown_cell(source), grade_id, **flags)


def code(source: str, cell_id: str) -> NotebookNode:
    return new_code_cell(source, id=cell_id)


def text(source: str, cell_id: str) -> NotebookNode:
    return new_markdown_cell(source, id=cell_id)


def notebook(*cells: NotebookNode) -> NotebookNode:
    nb = new_notebook(cells=list(cells), metadata={"kernelspec": dict(KERNEL)})
    return nbformat.from_dict({**nb, "nbformat_minor": 5})


@pytest.fixture(scope="session")
def cells() -> SimpleNamespace:
    """Makers of cells and notebooks."""
    return SimpleNamespace(
        answer=answer, test=test, written=written, code=code, text=text, notebook=notebook
    )
