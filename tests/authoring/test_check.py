"""`coursekit check` on a small course: what is released, and how faults reach the user."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import nbformat
import pytest

from coursekit.authoring import check, release
from coursekit.authoring.check import faults
from coursekit.errors import CourseError

ROOT = Path(__file__).parents[2]
ANSWER = "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x + 0 * x\n    ### END SOLUTION"
TEST = """from coursekit.checks import check

c = check("double", points=1)
c.case("a one", 1.0, expect=2)
### BEGIN HIDDEN TESTS
c.hidden("zero", 0.0, expect=0.0, hint="Try zero.")
### END HIDDEN TESTS
c.score()"""
WRITTEN = "Why?\n\n### BEGIN SOLUTION\nRubric: 1 for a reason.\n### END SOLUTION"
BANK = """
from coursekit.authoring.bank import Alternative, Mutant

ALTERNATIVES = [Alternative(f"a{n}", {"double": f"double = {n}"}) for n in range(2)]
MUTANTS = [
    Mutant(f"m{n}", {"double": f"double = {n}"}, {"double_one"}, ["expected"], n == 0)
    for n in range(4)
]
"""


@pytest.fixture
def course(cells, tmp_path, monkeypatch):
    """A course with one faultless lesson; returns its root."""
    nb = cells.notebook(
        cells.text("# Doubling\n\nTakes 5 minutes.", "title"),
        cells.answer("double", ANSWER),
        cells.test("double_one", TEST),
        cells.written("why", WRITTEN),
    )
    for folder in ("source/tiny", "tests/lessons"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    nbformat.write(nb, tmp_path / "source/tiny/tiny.ipynb")
    (tmp_path / "source/tiny/data.csv").write_text("1,2\n")
    (tmp_path / "tests/lessons/tiny.py").write_text(BANK)
    monkeypatch.chdir(tmp_path)
    release.generate(["tiny"], tmp_path / "release", root=tmp_path)
    return tmp_path


def told(course):
    return [str(fault) for fault in faults("tiny", course)]


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_good_course_passes_and_says_so(course, capsys):
    assert told(course) == []
    check.run()
    assert capsys.readouterr().out == "tiny: no fault\n"


def test_faults_are_printed_and_end_in_an_error(course, capsys):
    edit(course / "source/tiny/tiny.ipynb", "points=1", "points=3")
    with pytest.raises(CourseError, match=r"The check found \d faults; see the list above"):
        check.run(["tiny"])
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith("tiny: ") and first.endswith(" faults")
    assert (
        "  source/tiny/tiny.ipynb, cell double_one: the check says points=3, the cell is worth 1; "
        "make both the same." in others
    )


def test_an_unknown_name_is_refused(course):
    with pytest.raises(CourseError, match=r"There is no assignment 'tine'.*did you mean tiny\?"):
        check.run(["tine"])


def test_broken_json_is_one_fault(course):
    (course / "source/tiny/tiny.ipynb").write_text("{")
    (fault,) = told(course)
    assert fault.startswith("source/tiny/tiny.ipynb: not valid JSON (")


def test_faults_of_structure_come_alone(course):
    edit(course / "source/tiny/tiny.ipynb", '"why"', '"double"')
    edit(course / "source/tiny/tiny.ipynb", "5 minutes", "a while")
    file = "source/tiny/tiny.ipynb"
    assert told(course) == [
        f'{file}: 2 cells have the id "double"; give each its own id.',
        f'{file}: 2 cells have the grade id "double"; give each a grade id of its own.',
    ]


def test_faults_of_the_bank_are_told(course):
    (course / "tests/lessons/tiny.py").unlink()
    assert (
        "tests/lessons/tiny.py: missing; add the bank of alternatives and mutants there."
        in told(course)
    )


AGAIN = "; run `coursekit release tiny` and commit the result."


def test_a_release_out_of_step_is_told(course):
    edit(course / "source/tiny/tiny.ipynb", "5 minutes", "6 minutes")
    assert told(course) == [f"release/tiny/tiny.ipynb: is not what the source generates{AGAIN}"]


def test_missing_and_stray_files_are_told(course):
    (course / "release/tiny/data.csv").unlink()
    (course / "release/tiny/notes.md").write_text("old")
    assert told(course) == [
        f"release/tiny/data.csv: is missing{AGAIN}",
        "release/tiny/notes.md: does not come from the source; delete it.",
    ]


def test_a_missing_release_is_told(course):
    shutil.rmtree(course / "release")
    assert f"release/tiny/tiny.ipynb: is missing{AGAIN}" in told(course)


@pytest.mark.parametrize(
    ("cell", "line", "where"),
    [
        ("double", "    return 2 * x + 0 * x", "double"),
        ("double_one", 'c.hidden("zero", 0.0, expect=0.0, hint="Try zero.")', "double_one"),
        ("title", "The rubric: Rubric: 1 for a reason.", "why"),
    ],
)
def test_a_secret_in_the_release_is_told(course, cell, line, where):
    path = course / "release/tiny/tiny.ipynb"
    stored = json.loads(path.read_text())
    for found in stored["cells"]:
        if found["id"] == cell.replace("_", "-"):
            found["source"] = [*found["source"], "\n", line]
    path.write_text(json.dumps(stored))
    secret = line.strip().removeprefix("The rubric: ")
    assert (
        f"release/tiny/tiny.ipynb, cell {where}: a secret line of the source stands in the "
        f"release: `{secret}`{AGAIN}" in told(course)
    )


def test_a_secret_in_another_released_file_is_told(course):
    (course / "release/tiny/data.csv").write_text("return 2 * x + 0 * x\n### BEGIN SOLUTION")
    found = told(course)
    assert any(f.startswith("release/tiny/data.csv, cell double: a secret line") for f in found)
    assert any("region stands in the release" in f for f in found)


def test_a_stub_that_is_not_in_the_solution_is_told(course):
    edit(course / "release/tiny/tiny.ipynb", "def double(x):", "def double(value):")
    assert (
        "release/tiny/tiny.ipynb, cell double: the line `def double(value):` does not stand in the "
        f"solution{AGAIN}" in told(course)
    )


def test_what_also_stands_in_a_released_line_is_no_secret(course):
    edit(course / "source/tiny/tiny.ipynb", "Takes 5", "`return 2 * x + 0 * x` takes 5")
    release.generate(["tiny"], course / "release", root=course)
    assert told(course) == []
