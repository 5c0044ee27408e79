"""A small assignment with plain asserts, and right answers to it and to the first real lesson."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from coursekit.authoring import notebooks

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
STUB = 'raise NotImplementedError("Not attempted yet: replace this line with your code.")'
ANSWERS = {
    "q1": "def center(X):\n    return X - X.mean(axis=0)",
    "q2": (
        "def train(X, y, epochs):\n    w = np.zeros(X.shape[1])\n    for _ in range(epochs):\n"
        "        w = w + X.T @ (y - X @ w) / len(X)\n    return w"
    ),
    "q3": "def softmax(z):\n    e = torch.exp(z - z.max())\n    return e / e.sum()",
    "q4": "def accuracy(y, z):\n    return float(np.mean(y == z))",
    "m1": "Because the mean is taken away.",
}
TESTS = {
    "t1": (
        2,
        "C = center(X0)\nassert C.shape == X0.shape\nassert np.allclose(C.mean(axis=0), 0)\n"
        "### BEGIN HIDDEN TESTS\n"
        "assert np.allclose(center(X0 + 7.5), C)  # swordfish\n### END HIDDEN TESTS",
    ),
    "t2": (
        3,
        "w = train(X0, X0 @ np.array([1.0, -2.0]), 60)\nassert w.shape == (2,)\n"
        "### BEGIN HIDDEN TESTS\n"
        "assert np.allclose(w, [1.0, -2.0], atol=0.2)  # swordfish\n### END HIDDEN TESTS",
    ),
    "t3": (
        2,
        "p = softmax(torch.tensor([0.0, 0.0]))\n"
        "assert torch.allclose(p, torch.tensor([0.5, 0.5]))\n"
        "### BEGIN HIDDEN TESTS\n"
        "assert bool(torch.isfinite(softmax(torch.tensor([900.0, 0.0]))).all())  # swordfish\n"
        "### END HIDDEN TESTS",
    ),
    "t4": (
        4,
        "score = 2 * accuracy(np.array([1, 0]), np.array([1, 0]))\n"
        "score += 4 * accuracy(np.array([1, 0]), np.array([1, 1]))\nscore",
    ),
}
FULL = {name: points for name, (points, _) in TESTS.items()}


def _settings(cell: NotebookNode, grade_id: str, **settings: object) -> NotebookNode:
    defaults = {"grade": False, "solution": False, "locked": False, "task": False}
    cell.id = grade_id
    cell.metadata["nbgrader"] = {
        "schema_version": 3,
        "grade_id": grade_id,
        "cell_type": cell.cell_type,
        **defaults,
        **settings,
    }
    return cell


def ps1() -> NotebookNode:
    """The source notebook of the assignment `ps1`."""
    cells = [
        new_markdown_cell("# A problem set", id="title"),
        new_code_cell("import numpy as np\nimport torch", id="imports"),
        _settings(
            new_code_cell("X0 = np.random.default_rng(3).normal(size=(40, 2))"), "data", locked=True
        ),
    ]
    for number in (1, 2, 3, 4):
        answer = f"### BEGIN SOLUTION\n{ANSWERS[f'q{number}']}\n### END SOLUTION"
        cells.append(_settings(new_code_cell(answer), f"q{number}", solution=True))
        points, test = TESTS[f"t{number}"]
        cells.append(
            _settings(new_code_cell(test), f"t{number}", grade=True, locked=True, points=points)
        )
    written = f"Why is it 0?\n### BEGIN SOLUTION\n{ANSWERS['m1']}\n### END SOLUTION"
    cells.append(_settings(new_markdown_cell(written), "m1", grade=True, solution=True, points=2))
    return new_notebook(cells=cells, metadata={"kernelspec": KERNEL})


def right_answers(source: Path) -> Mapping[str, str]:
    """The answers that a source notebook gives, by grade id."""
    found = {}
    for cell in notebooks.read(source).cells:
        if notebooks.kind(cell) in (notebooks.Kind.ANSWER, notebooks.Kind.WRITTEN):
            lines = [line.text for line in notebooks.lines(cell.source)]
            found[notebooks.grade_id(cell)] = "\n".join(lines)
    return found


def solved(released: Path, answers: Mapping[str, str]) -> NotebookNode:
    """The released notebook with answers filled in."""
    nb = nbformat.read(released, as_version=4)
    for cell in nb.cells:
        cell.source = answers.get(notebooks.grade_id(cell), cell.source)
    return copy.deepcopy(nb)


def cell(nb: NotebookNode, grade_id: str) -> NotebookNode:
    """The cell with a grade id."""
    return next(c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") == grade_id)
