"""Each fault of a source notebook is found, and told in one sentence."""

from __future__ import annotations

import copy

import pytest

from coursekit.authoring.bank import Bank, Figure
from coursekit.authoring.lesson import Lesson
from coursekit.authoring.rules import figures, notebook, tests

TITLE = "# Doubling\n\nTakes 30 minutes. The sum is 12.75, the list is [2, 4]."
ANSWER = "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"
TEST = """from coursekit.checks import check

c = check("double", points=2)
c.case("a one", 1, expect=2)
### BEGIN HIDDEN TESTS
c.hidden("zero", 0, expect=0, hint="Try zero.")
### END HIDDEN TESTS
c.score()"""
WRITTEN = "Why?\n\n### BEGIN SOLUTION\nBecause.\n\nRubric: 2 for a reason.\n### END SOLUTION"
FIGURES = (
    Figure("the sum", text="12.75", value="total"),
    Figure("the list", text="[2, 4]", value="[double(1), double(2)]"),
)


@pytest.fixture
def good(cells, tmp_path):
    nb = cells.notebook(
        cells.text(TITLE, "title"),
        cells.answer("double", ANSWER),
        cells.test("double_one", TEST, 2),
        cells.code("total = 12.75", "sum"),
        cells.written("why", WRITTEN),
    )
    (tmp_path / "source" / "tiny").mkdir(parents=True)
    return Lesson("tiny", tmp_path, nb, Bank(tmp_path / "tiny.py", figures=FIGURES))


RULES = [*notebook.STRUCTURE, *notebook.CONTENT, *tests.RULES, *figures.RULES]
QUICK = [rule for rule in RULES if rule not in figures.RULES]


def told(lesson, rules=QUICK):
    return [str(fault) for rule in rules for fault in rule(lesson)]


def with_cell(lesson, name, **changes):
    nb = copy.deepcopy(lesson.notebook)
    cell = next(cell for cell in nb.cells if name in (cell.id, cell.id.replace("-", "_")))
    meta = changes.pop("nbgrader", {})
    cell.update(changes)
    if meta:
        cell.metadata.nbgrader.update(meta)
    return Lesson(lesson.assignment, lesson.root, nb, lesson.bank)


def test_a_good_lesson_has_no_fault(good):
    assert told(good, RULES) == []


FILE = "source/tiny/tiny.ipynb"


@pytest.mark.parametrize(
    ("cell", "change", "said"),
    [
        ("sum", {"id": "a b"}, "not a valid notebook at id: 'a b' does not match"),
        ("sum", {"id": "title"}, '2 cells have the id "title"; give each its own id'),
        (
            "double",
            {"nbgrader": {"schema_version": 2}},
            "cell double: nbgrader metadata of schema 2",
        ),
        ("double", {"nbgrader": {"grade": "no"}}, "metadata is not valid: 'no' is not of type"),
        ("why", {"nbgrader": {"solution": False}}, "cell why: nbgrader metadata is not valid"),
        ("double", {"nbgrader": {"grade_id": "why"}}, '2 cells have the grade id "why"'),
        ("double", {"source": ANSWER[:-16]}, "cell double: BEGIN SOLUTION has no END"),
        ("sum", {"source": "# BEGIN SOLUTION\n# END SOLUTION"}, "cell sum: a solution region in a"),
        (
            "double",
            {"nbgrader": {"grade_id": "Double"}},
            "the grade id is not lower-case snake case",
        ),
        ("double_one", {"nbgrader": {"points": 0}}, "worth 0 points; give it a number above 0"),
        ("why", {"nbgrader": {"points": 0}}, "cell why: worth 0 points"),
        ("sum", {"execution_count": 3}, "cell sum: has an execution count; clear all outputs"),
        (
            "sum",
            {"outputs": [{"output_type": "stream", "name": "stdout", "text": "1"}]},
            "cell sum: has stored outputs; clear all outputs and save",
        ),
        ("double", {"source": "def double(x): ..."}, "cell double: has no solution region"),
        ("double_one", {"metadata": {}}, "cell double: no test cell comes before the next answer"),
        ("double", {"metadata": {}, "source": ""}, "cell double_one: stands before every answer"),
        ("why", {"source": "Because."}, "cell why: the solution region names no rubric"),
        ("why", {"metadata": {}, "source": ""}, "has no written answer graded by hand; add one"),
        ("title", {"source": "Doubling in 30 minutes"}, "does not start with a title"),
        ("title", {"source": "# Doubling"}, "does not say how long the lesson takes"),
        ("sum", {"source": "x = 'https://example.org'"}, "the code names an address (https://…)"),
        (
            "sum",
            {"source": "open('/home/me/x.csv')"},
            "names an absolute path (/home/…); use a path",
        ),
        ("sum", {"source": 'open("~/x")'}, "the code names an absolute path (~/…)"),
    ],
)
def test_faults_of_the_notebook(good, cell, change, said):
    found = told(with_cell(good, cell, **change))
    assert any(fault.startswith(FILE) and said in fault for fault in found), found


def test_faults_of_the_file(good):
    old = Lesson("Tiny-1", good.root, copy.deepcopy(good.notebook))
    old.notebook.nbformat_minor = 4
    old.notebook.metadata.kernelspec.name = "julia"
    found = "\n".join(told(old))
    assert "Tiny-1.ipynb: format 4.4; save it in format 4.5 or later." in found
    assert '"Tiny-1" is not lower-case snake case' in found
    old.notebook.nbformat_minor = 5
    assert "the kernel is 'julia'; choose the kernel python3." in "\n".join(told(old))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("expect=2)", "expect=2", "line 4 is not Python ("),
        ("c.case(", "if True:\n    ### BEGIN HIDDEN TESTS\n    pass\n", "is not Python"),
        (
            'c.hidden("zero", 0, expect=0, hint="Try zero.")\n### END HIDDEN TESTS',
            '### END HIDDEN TESTS\nif True:\n### BEGIN HIDDEN TESTS\n    c.hidden("z", 0, hint="h")'
            "\n### END HIDDEN TESTS",
            "is not Python without its hidden part",
        ),
        ("c.score()", "c.score();", "does not end in a score; let its last line be `c.score()`"),
        ("c.score()", "c", "does not end in a score"),
        ("c.score()", "print(c.score())", "does not end in a score"),
        ("c.score()", "x = c.score()", "does not end in a score"),
        (
            "points=2",
            "points=3",
            "the check says points=3, the cell is worth 2; make both the same",
        ),
        (", points=2", "", "the check says points=no number"),
        ("c.score()", "c = check('x', points=2)\nc.score()", "makes 2 checks; call"),
        ("### BEGIN HIDDEN TESTS", "", "line 6 calls `hidden` outside the hidden tests; move it"),
        (', hint="Try zero."', "", "the hidden case in line 6 has no hint"),
        ('hint="Try zero."', 'hint=""', "the hidden case in line 6 has no hint"),
        ("c.hidden(", "c.case(", "line 6 calls `case` inside the hidden tests; call `hidden`"),
        ('c.hidden("zero", 0, expect=0, hint="Try zero.")', "x = 1", "the hidden tests call no"),
        ('c.case("a one", 1, expect=2)', "", "shows no case to the student; add a `c.case(...)`"),
        ("expect=2", "expect=np.sqrt(4)", "uses `np` of the notebook, which a student can change"),
        ("expect=0", "expect=double(0)", "uses `double` of the notebook"),
        ("c.hidden(", "import math\nc.hidden(", None),
        (
            "expect=2)",
            "expect=pi)\n### BEGIN HIDDEN TESTS\npi = 3\n### END HIDDEN TESTS",
            "uses `pi`",
        ),
        ("c.case(", "n = [k for k in range(2)]\nf = lambda z: z\nc.case(", None),
    ],
)
def test_faults_of_test_cells(good, old, new, said):
    lesson = with_cell(good, "double_one", source=TEST.replace(old, new, 1))
    found = told(lesson)
    if said is None:
        assert found == []
    else:
        assert any(f"{FILE}, cell double_one: " in f and said in f for f in found), found


@pytest.mark.parametrize(
    ("cell", "source", "said"),
    [
        ("sum", "total = 1 / 0", "cell sum: raises ZeroDivisionError: division by zero."),
        ("sum", "import warnings\nwarnings.warn('old')", "cell sum: writes to stderr: "),
        (
            "double",
            ANSWER.replace("2 * x", "x + 1"),
            "double_one: the solution earns 1 of 2 points.",
        ),
        ("sum", "total = 12.76", 'figure "the sum" says 12.75, but `total` gives 12.76; correct'),
        ("sum", "total = 'x'", "but `total` gives 'x', not numbers"),
        ("sum", "total = [1, 2]", "but it has 1 numbers and `total` gives 2"),
        ("sum", "", "but `total` failed: NameError: name 'total' is not defined"),
        ("sum", "total = print", "but `total` failed: TypeError: is builtin_function_or_method"),
        (
            "title",
            TITLE.replace("12.75", "12.8"),
            'of the figure "the sum" (12.75) is in no markdown',
        ),
        (
            "title",
            TITLE + " 0.5631",
            "number 0.5631 in cell title is not checked by any Figure; add",
        ),
        ("title", TITLE + " 3,312.75", "number 3,312.75 in cell title is not checked by any"),
        ("title", TITLE + " 112.75", "number 112.75 in cell title is not checked by any Figure"),
        ("title", TITLE + " 12.75, 12.75 and 100.", None),
    ],
)
def test_faults_of_figures(good, cell, source, said):
    found = told(with_cell(good, cell, source=source), figures.RULES)
    if said is None:
        assert found == []
    else:
        assert any(said in fault for fault in found), found


@pytest.mark.parametrize(
    ("figure", "right"),
    [
        (Figure("f", "12.75", "12.7", abs=0.1), True),
        (Figure("f", "12.75", "12.7", rel=0.001), False),
        (Figure("f", "12.75", "12.0", upper=True), True),
        (Figure("f", "12.75", "[1.0, 13.0]", upper=True), False),
        (Figure("f", "12.75", "13.0", lower=True), True),
        (Figure("f", "12.75", "12.0", lower=True), False),
        (Figure("f", "[2, 4]", "__import__('numpy').array([[2.], [4.]])"), True),
    ],
)
def test_tolerances_and_bounds(good, figure, right):
    lesson = Lesson("tiny", good.root, good.notebook, Bank(good.root, figures=(figure,)))
    assert (list(figures.figures_are_computed(lesson)) == []) is right


def test_a_source_that_hangs_is_told(good, monkeypatch):
    monkeypatch.setattr("coursekit.authoring.lesson.SECONDS", 2.0)
    lesson = with_cell(good, "sum", source="while True: pass")
    reason = "cell sum of the source ran for more than 2 seconds"
    assert told(lesson, figures.RULES)[0] == f"{FILE}: its own solutions do not run ({reason})."
