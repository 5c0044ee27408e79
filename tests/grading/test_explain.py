"""Reports in words: behind the Validate button and on feedback pages."""

from __future__ import annotations

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from nbgrader.utils import compute_checksum
from nbgrader.validator import Validator
from traitlets.config import Config

from coursekit.grading import settings
from coursekit.grading.explain import ExplainFailures, HideHiddenTests, _row, title
from coursekit.grading.pages import harmless, marked_up, mathml, safe_html

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


def explained(cell, score, why="", points=1):
    verdict = {"score": score, "points": points, "why": why, "alerts": []}
    nb = new_notebook(cells=[cell])
    nb.metadata["coursekit"] = {"verdicts": {"predict_sides": verdict}}
    return ExplainFailures().preprocess(nb, {})[0].cells[0]


def failed(cell):
    """What nbgrader's Validator shows of a cell, "" where it passes."""
    nb = new_notebook(cells=[cell])
    return Validator()._extract_error(cell) if Validator()._get_failed_cells(nb) else ""


def test_a_failed_check_shows_its_report_and_not_its_source():
    cell = explained(graded(REPORT, 0.33), 0.33)
    assert cell.source == "# Predict sides (1 point)"
    assert failed(cell).startswith("✗ predict: 1 of 3 cases right")


def test_a_cell_that_was_changed_keeps_its_source_so_that_the_change_is_told():
    changed = graded(REPORT, 0.33)
    changed.source += "\nprint(1)"
    cell = explained(changed, 0.33)
    assert cell.source.endswith("print(1)") and "checksum" in cell.metadata.nbgrader


@pytest.mark.parametrize("shown", ["1", "0", "-3", "7", "nan", "'text'"])
def test_a_verdict_counts_and_not_what_a_test_shows(shown):
    cell = graded("", shown)
    cell.outputs.append(new_output("stream", name="stderr", text="a warning"))
    assert failed(explained(cell, 1.0)) == ""


def test_a_test_that_earned_nothing_fails_though_it_shows_a_mark():
    cell = explained(graded("", 1), 0.0, "The test gave False.")
    assert failed(cell) == "The test gave False."


def test_a_plain_assert_shows_its_error_and_its_source():
    cell = graded("", 0)
    cell.outputs = [new_output("error", ename="AssertionError", evalue="", traceback=["no"])]
    cell = explained(cell, 0.0, "This does not hold.")
    assert (failed(cell), cell.source) == ("no", "c.score()")


def test_a_test_without_points_fails_where_it_raises():
    cell = graded("", 0, points=0)
    cell.outputs = [new_output("error", ename="AssertionError", evalue="", traceback=["no"])]
    assert failed(explained(cell, 0.0, points=0)) == "no"


@pytest.mark.parametrize("name", ["NoKeyboard", "Stopped"])
@pytest.mark.parametrize("metadata", [{}, {"nbgrader": {"solution": True, "grade": False}}])
def test_a_cell_that_cannot_be_graded_as_it_is_counts_as_failed(name, metadata):
    cell = new_code_cell("input()", metadata=metadata)
    cell.outputs = [new_output("error", ename=name, evalue="", traceback=["it waits"])]
    nb = ExplainFailures().preprocess(new_notebook(cells=[cell]), {})[0]
    assert failed(nb.cells[0]) == "it waits"


def test_other_errors_of_free_cells_are_the_students_business():
    cell = new_code_cell("1/0")
    cell.outputs = [new_output("error", ename="ZeroDivisionError", evalue="", traceback=["no"])]
    nb = ExplainFailures().preprocess(new_notebook(cells=[cell]), {})[0]
    assert failed(nb.cells[0]) == ""


def row(cell, score, why="", waiting=()):
    cell.metadata.nbgrader.score = score
    return _row(cell, set(waiting), {"predict_sides": why} if why else {})


def test_the_reason_for_missing_points_becomes_the_sentence_of_the_summary():
    found = row(graded(REPORT, 0.33), 0.33, "Hidden case: two. The value is wrong.")
    assert (found["state"], found["said"]) == ("part", "Hidden case: two. The value is wrong.")


@pytest.mark.parametrize(
    ("score", "why", "waiting", "state", "said"),
    [
        (1, "", [], "full", ""),
        (0, "Not attempted yet.", [], "untouched", "Not attempted yet."),
        (0, "`w`: wrong.", [], "none", "`w`: wrong."),
        (0, "", ["predict_sides"], "waiting", "Waits to be marked by hand."),
    ],
)
def test_each_state_has_its_words(score, why, waiting, state, said):
    found = row(graded("", score), score, why, waiting)
    assert (found["state"], found["said"]) == (state, said)


def test_an_error_without_verdict_is_named():
    cell = graded("", 0.0)
    cell.outputs = [new_output("error", ename="NameError", evalue="no x", traceback=[])]
    assert row(cell, 0.0)["said"] == "NameError: no x"


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
    assert row(failed_secretly(), 0.0)["said"] == "AssertionError"


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


def test_text_for_the_formgrader_is_harmless_and_its_formulas_need_no_network():
    page = harmless("<p>$x^2$ <img src=x onerror=alert(1)></p><script>alert(1)</script>")
    assert "<math" in page and "onerror" not in page and "script" not in page


def test_feedback_keeps_the_formgraders_own_pages():
    c = Config()
    settings.explain_feedback(c)
    assert "HTMLExporter" not in c
