"""A student solves an exercise in JupyterLab and hands it in; an instructor sees the marks."""

from __future__ import annotations

import re
from typing import Any

import pytest

WRONG = "def predict(X, w, b):\n    return X @ w + b\n"
RIGHT = "def predict(X, w, b):\n    return np.sign(X @ w + b)\n"


def menu(page: Any, *path: str) -> None:
    """Choose from the menu bar."""
    for name in path:
        page.get_by_role("menuitem", name=name, exact=True).click()


def cell(page: Any, text: str) -> Any:
    """The first code cell that holds a text."""
    return page.locator(".jp-CodeCell").filter(has_text=text).first


def answer(page: Any, source: str) -> None:
    """Type an answer into the cell for `predict`, run it and the check below."""
    cell(page, "def predict(X, w, b):").locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(source)
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")


def report(page: Any, text: str) -> None:
    """Wait for a text in the report of the first check."""
    check = cell(page, 'check("predict", points=1)')
    check.locator(".jp-OutputArea").filter(has_text=text).first.wait_for()


@pytest.fixture(scope="module")
def lab(course, serve):
    """The address of JupyterLab as `coursekit lab` opens it for a student."""
    with serve(["coursekit", "lab"], course.root) as url:
        yield url


def test_a_student_answers_validates_and_submits(page, lab, course):
    page.goto(f"{lab}/lab/tree/perceptron/perceptron.ipynb")
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    page.get_by_text("| Idle").wait_for()

    menu(page, "Run", "Run All Cells")
    report(page, "predict: not attempted yet. 0 of 1 point.")

    answer(page, WRONG)
    report(page, "returned [2, -2], expected [1, -1]; every value is 2 times the expected one")
    answer(page, RIGHT)
    report(page, "predict: 2 of 2 cases right, 1 of 1 point")

    page.get_by_role("button", name="Validate").click()
    dialog = page.locator(".jp-Dialog").filter(has_text="Validat")
    dialog.get_by_text("update: not attempted yet. 0 of 1 point.").first.wait_for()
    said = dialog.inner_text()
    assert "predict" not in said.lower().replace("predict_", "predict")
    assert "Traceback" not in said and "def update" not in said
    page.keyboard.press("Escape")

    menu(page, "Nbgrader", "Assignment List")
    page.get_by_text("Submit", exact=True).first.click()
    page.locator("#submitted_assignments_list").get_by_text("perceptron").first.wait_for()
    assert list((course.exchange / "mlp" / "inbound").iterdir())
    assert page.foreign == []


def test_the_formgrader_grades_and_shows_the_submission(page, lab, course, serve):
    course.nbgrader("generate_assignment", "perceptron")
    course.nbgrader("collect", "perceptron")
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    with serve(["jupyter", "lab"], course.root) as url:
        page.goto(f"{url}/formgrader/manage_submissions/perceptron")
        page.locator("td.autograde a").first.click()
        page.get_by_text("Successfully autograded").first.wait_for()

        page.goto(f"{url}/formgrader/gradebook/perceptron/perceptron")
        row = page.locator("table tbody tr").first
        row.wait_for()
        # Two right checks of one point each, of 21 points; the rest was not attempted.
        page.get_by_text(re.compile(r"^\s*2(\.0)?\s*/\s*21(\.0)?\s*$")).first.wait_for()
        row.get_by_role("link").first.click()
        page.get_by_text("predict: 3 of 3 cases right, 1 of 1 point").first.wait_for()
        # The page's own script ran to its end, without MathJax from the network.
        page.wait_for_function("document.activeElement.classList.contains('tabbable')")
        assert page.locator("math").count() > 0
    assert faults == [] and page.foreign == []
