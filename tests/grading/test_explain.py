"""Reports in words: behind the Validate button and on feedback pages."""

from __future__ import annotations

import pytest
from nbformat.v4 import new_code_cell, new_output
from nbgrader.utils import compute_checksum
from nbgrader.validator import Validator
from traitlets.config import Config

from coursekit.grading import settings
from coursekit.grading.explain import (
    ExplainFailures,
    HideHiddenTests,
    _sentence,
    title,
)
from coursekit.grading.pages import marked_up, mathml, safe_html

REPORT = """✗ predict: 1 of 3 cases right, 0.33 of 1 point.
  ✓ one
  ✗ hidden case: two. The value is
    wrong. Hint: think.
  ✗ three. Nothing.
  note: a warning.
"""


def graded(report, score, points=1, **changes):
    cell = new_code_cell("c.score()", id="a")
    cell.outputs = [
        new_output("stream", name="stdout", text=report),
        new_output("execute_result", data={"text/plain": str(score)}, execution_count=1),
    ]
    cell.metadata["nbgrader"] = {
        "grade": True, "solution": False, "locked": True, "points": points,
        "grade_id": "predict_sides", "cell_type": "code", "schema_version": 3, **changes,
    }  # fmt: skip
    cell.metadata.nbgrader["checksum"] = compute_checksum(cell)
    return cell


def explained(cell):
    return ExplainFailures().preprocess_cell(cell, {}, 0)[0]


def test_a_failed_check_shows_its_report_and_not_its_source():
    cell = explained(graded(REPORT, 0.33))
    assert cell.source == "# Predict sides (1 point)"
    assert Validator()._extract_error(cell).startswith("✗ predict: 1 of 3 cases right")


def test_a_cell_that_was_changed_keeps_its_source_so_that_the_change_is_told():
    cell = graded(REPORT, 0.33)
    cell.source += "\nprint(1)"
    assert explained(cell).source.endswith("print(1)")
    assert "checksum" in cell.metadata.nbgrader


@pytest.mark.parametrize("report", ["✓ predict: 1 of 1 cases right, 1 of 1 point.\n", ""])
def test_a_passed_or_plain_check_stays_as_it_is(report):
    cell = explained(graded(report, 1.0 if report else 0.0))
    assert cell.source == "c.score()" and len(cell.outputs) == 2


def test_the_first_fault_becomes_the_sentence_of_the_summary():
    cell = graded(REPORT, 0.33)
    assert _sentence(cell, "part", REPORT) == "Hidden case: two. The value is wrong. Hint: think."


def test_a_report_of_one_line_becomes_the_sentence_without_its_points():
    line = "✗ n: not defined: run the cell that gives `n` a value. 0 of 1 point.\n"
    expected = "n: not defined: run the cell that gives `n` a value."
    assert _sentence(graded(line, 0.0), "none", line) == expected


def test_an_error_without_report_is_named():
    cell = graded("", 0.0)
    cell.outputs = [new_output("error", ename="NameError", evalue="no x", traceback=[])]
    assert _sentence(cell, "none", "") == "NameError: no x"


SECRET = "assert f(1) == 1\n### BEGIN HIDDEN TESTS\nassert f(41) == 42\n### END HIDDEN TESTS"


def failed_secretly():
    cell = graded("", 0.0)
    cell.source = SECRET
    traceback = ["assert f(41) == 42", "AssertionError: 41 is not 42"]
    cell.outputs = [
        new_output("error", ename="AssertionError", evalue="41 is not 42", traceback=traceback)
    ]
    return cell


def test_the_hidden_part_of_a_plain_test_and_its_traceback_are_cut_out():
    cell = HideHiddenTests().preprocess_cell(failed_secretly(), {}, 0)[0]
    assert cell.source == "assert f(1) == 1"
    assert "41" not in str(cell.outputs[0].traceback) and "AssertionError" in str(cell.outputs)
    assert _sentence(failed_secretly(), "none", "") == "AssertionError"


def test_a_student_who_types_the_mark_of_hidden_tests_stops_nothing():
    cell = graded("", 0.0, grade=False, solution=True)
    cell.source = "x = 1  # BEGIN HIDDEN TESTS"
    assert HideHiddenTests().preprocess_cell(cell, {}, 0)[0].source == "x = 1  # BEGIN HIDDEN TESTS"


def test_titles_and_code_in_sentences():
    assert title("predict_on_line") == "Predict on line"
    assert str(marked_up("`w` < 3")) == "<code>w</code> &lt; 3"


def test_formulas_become_mathml_and_code_keeps_its_dollars():
    page = mathml("<p>$x^2$ and $$a &lt; b$$ <code>$y$</code></p><pre>$z$</pre>")
    assert page.count("<math") == 2 and "<code>$y$</code>" in page and "<pre>$z$</pre>" in page
    assert "$x" not in page


def test_a_formula_that_cannot_be_read_shows_as_its_source():
    assert mathml(r"<p>$\begin{nosuch$</p>").count("nosuch") >= 1


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '<a href="javascript:alert(1)">x</a>',
        '<a href="data:text/html,<script>">x</a>',
        "<iframe src='http://example.org'></iframe>",
        "<svg onload=alert(1)>",
    ],
)
def test_a_student_text_cannot_act_in_a_browser(attack):
    page = safe_html(f"<p>Hello</p>{attack}").lower()
    assert "<p>hello</p>" in page
    assert not any(bad in page for bad in ("script", "onerror", "onload", "iframe", "data:"))


def test_pictures_and_tables_of_a_text_stay():
    page = '<table><tr><td>1</td></tr></table><img src="data:image/png;base64,AA" alt="a">'
    assert 'src="data:image/png;base64,AA"' in safe_html(page) and "<td>1</td>" in safe_html(page)


def test_the_formgrader_keeps_its_own_pages():
    c = Config()
    settings.explain_feedback(c)
    assert "HTMLExporter" not in c
