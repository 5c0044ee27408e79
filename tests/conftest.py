"""A small course for any test that needs one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).resolve().parents[1]

ANSWER = '''def double(x):
    """Twice the number x."""
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION'''
CHECK = """from coursekit.checks import check

c = check("double", points=2)
c.case("a small number", 2, expect=4)
### BEGIN HIDDEN TESTS
c.hidden("a secret number", -7, expect=-14, hint="What about numbers below zero?")
### END HIDDEN TESTS
c.score()"""
WRITTEN = """Why is the double of a whole number even?
### BEGIN SOLUTION
Because it is two times a whole number.
### END SOLUTION"""


def _graded(cell: NotebookNode, grade_id: str, **settings: object) -> NotebookNode:
    cell.id = grade_id.replace("_", "-")
    cell.metadata["nbgrader"] = {
        "schema_version": 3,
        "grade_id": grade_id,
        "cell_type": cell.cell_type,
        "task": False,
        **settings,
    }
    return cell


def tiny_notebook() -> NotebookNode:
    """A notebook with one exercise of two points and one written answer of one point."""
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    cells = [
        new_markdown_cell("# Doubling\n\n**Time:** 1 minute.", id="title"),
        _graded(new_code_cell(ANSWER), "double", grade=False, solution=True, locked=False),
        _graded(
            new_code_cell(CHECK),
            "double_numbers",
            grade=True,
            solution=False,
            locked=True,
            points=2,
        ),
        _graded(
            new_markdown_cell(WRITTEN),
            "why_even",
            grade=True,
            solution=True,
            locked=False,
            points=1,
        ),
    ]
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def make_course(folder: Path, *names: str) -> Path:
    """Write a course with this repository's nbgrader configuration and a tiny lesson per name."""
    for name in names:
        path = folder / "source" / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(tiny_notebook(), path)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    return folder


@pytest.fixture
def tiny_course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A function that makes a course of tiny lessons and returns its folder.

    The course is in `tmp_path / "course"`; with no names it has one lesson, "doubling".
    """
    for variable in ("COURSE_ROOT", "COURSE_DB_URL", "COURSE_EXCHANGE"):
        monkeypatch.delenv(variable, raising=False)

    def make(*names: str) -> Path:
        folder = tmp_path / "course"
        folder.mkdir()
        return make_course(folder, *(names or ("doubling",)))

    return make
