"""`nbgrader autograde`, its button and the Validate button in a warm kernel."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook
from nbgrader.validator import Validator
from tests.conftest import make_course

from coursekit.grading import course
from coursekit.grading.autograde import ShowNotes, request

pytestmark = pytest.mark.xdist_group("kernels")

RIGHT = "def double(x):\n    return 2 * x"
WRONG = "def double(x):\n    return 3 * x"


class Course:
    """A course with one generated lesson and its students."""

    def __init__(self, root: Path) -> None:
        self.root = root
        os.environ.pop("COURSE_DB_URL", None)
        self.api = course.api(root)
        assert self.api.generate_assignment("doubling")["success"]

    def released(self):
        path = self.root / "release" / "doubling" / "doubling.ipynb"
        return nbformat.read(path, as_version=4)

    def hand_in(self, student, answer=RIGHT, before=(), written="Because.", change=None):
        nb = self.released()
        if answer:
            cell(nb, "double").source = answer
        if written:
            cell(nb, "why_even").source = written
        nb.cells[1:1] = [new_code_cell(source) for source in before]
        if change:
            change(nb)
        folder = self.root / "submitted" / student / "doubling"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "data.txt").write_text("data")
        nbformat.write(nb, folder / "doubling.ipynb")
        return self

    def grade(self, student):
        with course.inside(self.root):
            result = self.api.autograde("doubling", student, force=True, create=True)
        assert result["success"], result["log"]
        path = self.root / "autograded" / student / "doubling" / "doubling.ipynb"
        return nbformat.read(path, as_version=4)

    def grades(self, student):
        """Scores and "waits" of the test and of the written answer."""
        with course.gradebook(self.root) as book:
            found = [
                book.find_grade(name, "doubling", "doubling", student)
                for name in ("double_numbers", "why_even")
            ]
            return [(g.auto_score, g.manual_score, g.needs_manual_grade) for g in found]

    def mark(self, student, name, score):
        """What the formgrader does when a mark is typed in."""
        with Gradebook(f"sqlite:///{self.root}/gradebook.db") as book:
            grade = book.find_grade(name, "doubling", "doubling", student)
            grade.manual_score, grade.needs_manual_grade = score, False
            book.db.commit()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return Course(make_course(tmp_path_factory.mktemp("course"), "doubling"))


def cell(nb, name):
    return next(c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") == name)


def notes(nb):
    return " ".join(note.text for note in nb.metadata.coursekit.notes)


def top(nb):
    return nb.cells[0].source


def test_a_right_answer_earns_its_points_and_a_written_one_waits(place):
    nb = place.hand_in("ada").grade("ada")
    assert place.grades("ada") == [(2.0, None, False), (None, None, True)]
    assert nb.metadata.coursekit.verdicts.double_numbers.score == 2.0
    assert nb.metadata.coursekit.notes == [] and top(nb).startswith("# Doubling")
    nbformat.validate(nb)


def test_an_untouched_notebook_earns_nothing_and_waits_for_nobody(place):
    nb = place.hand_in("bea", answer="", written="").grade("bea")
    assert place.grades("bea") == [(0.0, None, False), (0.0, None, False)]
    assert "ot attempted" in nb.metadata.coursekit.verdicts.double_numbers.why


LOUD = """import sys, warnings
def double(x):
    print("0.0"); print("warned", file=sys.stderr); warnings.warn("odd")
    return 2 * x"""
MARKS = {
    "loud": (LOUD, [], 2.0),
    "wrong": (WRONG, ["print(2.0)", "2.0"], 0.0),
    "dies": (RIGHT, ["import os; os._exit(1)"], 2.0),
    "asks": (RIGHT, ["input('name')"], 2.0),
    "quits": (RIGHT, ["exit()", "raise SystemExit"], 2.0),
    "stops": (RIGHT, ["raise KeyboardInterrupt"], 2.0),
    "visible only": ("def double(x):\n    return 4", [], None),
}


@pytest.mark.parametrize("habit", MARKS)
def test_what_code_prints_or_breaks_decides_no_mark(place, habit):
    answer, before, score = MARKS[habit]
    place.hand_in(habit, answer, before).grade(habit)
    (earned, _, waits), _ = place.grades(habit)
    assert not waits
    assert earned == score if score is not None else 0 < earned < 2


def test_a_stop_is_told_to_student_and_grader(place):
    nb = place.hand_in("eve", before=["import os; os._exit(1)", "input()"]).grade("eve")
    assert "died" in notes(nb) and "keyboard" in notes(nb)
    assert top(nb).startswith("<strong>Notes from grading</strong>") and "died" in top(nb)
    assert nb.cells[0].metadata.coursekit.role == "notes"


def test_a_time_limit_is_the_kernels_and_told_in_words(place):
    place.api.config.Execute.timeout = 1
    try:
        nb = place.hand_in("fay", before=["while True: pass"]).grade("fay")
    finally:
        place.api.config.Execute.timeout = 30
    assert place.grades("fay")[0][0] == 2.0
    assert "topped after 1 s" in notes(nb)


def test_a_test_that_is_tagged_to_be_skipped_runs(place):
    def tag(nb):
        cell(nb, "double_numbers").metadata["tags"] = ["skip-execution"]

    place.hand_in("gil", WRONG, change=tag).grade("gil")
    assert place.grades("gil")[0][0] == 0.0


def test_verdicts_that_a_submission_brings_do_not_count(place):
    def forge(nb):
        full = {"score": 2.0, "points": 2.0, "why": "", "alerts": []}
        nb.metadata["coursekit"] = {"verdicts": {"double_numbers": full}, "notes": 3}
        cell(nb, "double_numbers").metadata["coursekit"] = {"role": "notes"}

    place.hand_in("hal", WRONG, change=forge).grade("hal")
    assert place.grades("hal")[0][0] == 0.0


def test_files_of_the_submission_are_there_and_the_course_is_not(place):
    look = (
        f"import os\nprint(open('data.txt').read(), os.path.exists({str(place.root / 'source')!r}))"
    )
    nb = place.hand_in("ian", before=[look]).grade("ian")
    shown = next(c for c in nb.cells if c.source == look).outputs
    assert shown[0].text.startswith("data")


def test_a_hand_mark_survives_the_same_text_and_is_to_be_confirmed_after_another(place):
    place.hand_in("joy").grade("joy")
    place.mark("joy", "why_even", 0.5)
    place.mark("joy", "double_numbers", 1.0)
    place.hand_in("joy", before=["print('more')"]).grade("joy")
    assert place.grades("joy") == [(2.0, 1.0, True), (None, 0.5, False)]
    place.mark("joy", "double_numbers", 1.0)
    place.grade("joy")
    assert place.grades("joy") == [(2.0, 1.0, False), (None, 0.5, False)]
    place.hand_in("joy", WRONG, written="For no reason.").grade("joy")
    assert place.grades("joy") == [(0.0, 1.0, True), (None, 0.5, True)]
    place.grade("joy")
    assert place.grades("joy") == [(0.0, 1.0, True), (None, 0.5, True)]


def test_a_deleted_written_answer_earns_nothing_but_can_still_be_marked(place):
    def delete(nb):
        nb.cells.remove(cell(nb, "why_even"))

    nb = place.hand_in("kim", change=delete).grade("kim")
    assert place.grades("kim")[1] == (0.0, None, False)
    assert cell(nb, "why_even").metadata.nbgrader.solution


def test_what_students_write_cannot_act_on_the_graders_page(place):
    show = "from IPython.display import HTML, Javascript, display\n"
    show += "display(HTML('<b>bold</b><script>evil(1)</script><img src=x onerror=evil(2)>'))\n"
    show += "display(Javascript('evil(3)'))"
    written = "$x^2$ <script>evil(4)</script> <img src=x onerror=evil(5)>"
    place.hand_in("lea", before=[show], written=written).grade("lea")
    settings = course.configuration(place.root)
    settings.HTMLExporter.template_name = "formgrade"
    path = place.root / "autograded" / "lea" / "doubling" / "doubling.ipynb"
    about = {"base_url": "", "index": 0, "total": 1, "notebook_path": "", "submission_id": "s"}
    page, _ = HTMLExporter(config=settings).from_filename(str(path), resources=about)
    alive = page.replace("&lt;", "<nothing>").split("def double")[0]
    assert "<b>bold</b>" in page and "scoring-buttons" in page and "<math" in page
    assert "<script>evil" not in alive and "onerror=evil(2)>'))" not in page.split("output_html")[1]
    assert 'onerror="' not in page and "evil(3)\n</script>" not in page
    assert "cdnjs" not in page and "Startup" in page


def test_feedback_shows_the_notes_and_no_flags(place):
    nb = place.hand_in("mia", before=["import os; os._exit(1)"]).grade("mia")
    nb.metadata.coursekit.flags = [{"cell": "double_numbers", "text": "patched `len`"}]
    nb = ShowNotes().preprocess(nb, {})[0]
    assert "patched <code>len</code>" in top(nb)
    nbformat.write(nb, place.root / "autograded" / "mia" / "doubling" / "doubling.ipynb")
    with course.inside(place.root):
        assert place.api.generate_feedback("doubling", "mia")["success"]
    page = (place.root / "feedback" / "mia" / "doubling" / "doubling.html").read_text()
    assert "Notes from grading" in page and "The kernel died" in page
    assert "patched" not in page


def test_feedback_says_why_points_are_missing(place):
    place.hand_in("noa", WRONG).grade("noa")
    with course.inside(place.root):
        assert place.api.generate_feedback("doubling", "noa")["success"]
    page = (place.root / "feedback" / "noa" / "doubling" / "doubling.html").read_text()
    said = page.split('class="said">')[1].split("</span>")[0]
    assert "double" in said and "-14" not in said


def validated(place, folder, nb):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "data.txt").write_text("data")
    path = folder / "doubling.ipynb"
    cell(nb, "why_even").source = "Because."
    nbformat.write(nb, path)
    result = Validator(config=course.configuration(place.root)).validate(str(path))
    return [found["raw_error"] for found in result.get("failed", [])], result


def test_validate_runs_a_notebook_of_a_foreign_kernel_with_the_files_beside_it(place, tmp_path):
    nb = place.released()
    nb.metadata.kernelspec.name = "conda-env-ml-py"
    cell(nb, "double").source = RIGHT + "\nassert open('data.txt').read() == 'data'"
    assert validated(place, tmp_path / "own", nb) == ([], {})


def test_validate_says_what_grading_would_say(place, tmp_path):
    nb = place.released()
    cell(nb, "double").source = WRONG
    nb.cells.insert(1, new_code_cell("name = input()"))
    shown, result = validated(place, tmp_path / "own", nb)
    assert "keyboard" in shown[0] and shown[1].startswith("✗")
    assert [found["source"] for found in result["failed"]] == [
        "name = input()",
        "# Double numbers (2 points)",
    ]


def test_validate_reads_no_mark_from_what_a_test_shows(place, tmp_path):
    nb = place.released()
    cell(nb, "double").source = LOUD
    assert validated(place, tmp_path / "own", nb)[0] == []


def test_validate_accepts_a_notebook_with_a_copied_cell(place, tmp_path):
    nb = place.released()
    cell(nb, "double").source = RIGHT
    nb.cells.append(cell(nb, "double").copy())
    assert validated(place, tmp_path / "own", nb)[0] == []


def test_only_tests_have_points_and_only_locked_text_is_the_courses():
    test = {"grade": True, "solution": False, "points": 2, "grade_id": "t1"}
    cells = [
        new_code_cell("x = 1"),
        new_code_cell("x = 2", metadata={"coursekit": {"role": "course"}}),
        new_code_cell("f()\n### BEGIN HIDDEN TESTS", metadata={"nbgrader": test}),
        new_code_cell("y", metadata={"nbgrader": {**test, "solution": True}}),
    ]
    assert [request(c) for c in cells] == [
        {"name": "", "course": False},
        {"name": "", "course": True},
        {"name": "t1", "course": True, "points": 2.0, "hidden": True},
        {"name": "t1", "course": False},
    ]


def test_notes_for_the_grader_cannot_carry_markup():
    nb = new_notebook(cells=[new_markdown_cell("# A")])
    nb.metadata["coursekit"] = {"notes": [{"cell": "t1", "text": "a\n\n<script>`x`</script>"}]}
    shown = top(ShowNotes().preprocess(nb, {})[0])
    assert "<script>" not in shown and "<li><code>t1</code>: a &lt;script&gt;" in shown
    again = ShowNotes().preprocess(nb, {})[0]
    assert len(again.cells) == 2
