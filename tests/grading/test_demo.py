"""The demonstration with a part of its class: a real release, real grading, real pages."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from coursekit.authoring import bank as banks
from coursekit.authoring import notebooks
from coursekit.authoring.release import assignments
from coursekit.demo import year
from coursekit.demo.sample_class import CLASS, answers_of, lesson_of
from coursekit.demo.tell import tell, unexpected
from coursekit.grading.status import Result, Status

ROOT = Path(__file__).parents[2]
HABITS = ("right", "slips", "endless", "broken", "late", "untouched", "absent")
STUDENTS = [next(s for s in reversed(CLASS) if s.habit == habit) for habit in HABITS]
pytestmark = pytest.mark.xdist_group("demo")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def results(place):
    found = year.whole_year(ROOT, place, ["perceptron"], STUDENTS, 0)
    return {STUDENTS[number].habit: result for number, result in enumerate(found)}


def page(place, student):
    path = place / "course" / "feedback" / student / "perceptron" / "perceptron.html"
    return path.read_text(encoding="utf-8")


def test_each_habit_has_its_result(results):
    right, slips = results["right"], results["slips"]
    assert (right.status, right.score, right.waiting) == (Status.BY_HAND, 18.0, 3.0)
    assert slips.score is not None and 0 < slips.score < 18
    assert results["endless"].score == 16.0  # all but the two points of the exercise with the loop
    assert results["late"].late and not right.late
    assert (results["untouched"].score, results["untouched"].points) == (0.0, 21.0)
    assert results["broken"].status is Status.UNREADABLE and results["broken"].score is None
    assert results["absent"].status is Status.NOT_SUBMITTED and results["absent"].score is None
    assert unexpected(list(results.values())) == []


def test_the_feedback_explains_and_keeps_secrets(results, place):
    text = page(place, results["slips"].student)
    assert "To be marked".lower() in text.lower() and "not right" in text
    source = notebooks.read(ROOT / "source" / "perceptron" / "perceptron.ipynb")
    released = "\n".join(notebooks.released(cell.source) for cell in source.cells)
    plain = re.sub(r"<[^>]+>", "", text)
    for cell in source.cells:
        for line in notebooks.lines(cell.source):
            secret = line.text.strip()
            told = secret.startswith(('"', "hint=")) or secret in released
            if line.region == "hidden" and len(secret) > 25 and not told:
                assert secret not in plain
    assert not re.search(r"""(src|href)=["']https?://""", text)
    assert "<script" not in text


def test_the_plots_and_the_explorer_stand_on_the_page_as_pictures(results, place):
    text = page(place, results["right"].student)
    pictures = re.findall(r'<img[^>]*alt="([^"]*)"', text)
    assert len(pictures) == 5 and all(len(alt) > 30 for alt in pictures)
    assert "&lt;img" not in text and "&lt;p&gt;" not in text


def test_the_endless_loop_is_named_in_words(results, place):
    assert "does a loop never end?" in page(place, results["endless"].student)


def test_grades_have_no_false_zero(results, place):
    with (place / "grades.csv").open(encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert rows[results["broken"].student]["score"] == ""
    assert rows[results["broken"].student]["status"] == "unreadable file"
    assert rows[results["absent"].student]["score"] == ""
    assert rows[results["untouched"].student]["score"] == "0"
    assert rows[results["late"].student]["late"] == "yes"


def test_the_class_report_links_pages_that_exist(results, place):
    report = (place / "report.html").read_text(encoding="utf-8")
    links = re.findall(r'href="([^"]+)"', report)
    assert len(links) == 5
    assert all((place / link).is_file() for link in links)
    assert "cut off or damaged" in report and "predict_on_line" in report


def test_the_table_tells_where_to_look(results, place):
    out = io.StringIO()
    console = Console(file=out, width=160)
    tell(console, place, place, ["perceptron"], list(results.values()))
    assert "unreadable file" in out.getvalue() and "report.html" in out.getvalue()


def test_nothing_outside_is_touched(results, place):
    assert not (ROOT / "gradebook.db").exists()
    assert {path.name for path in place.iterdir()} >= {"course", "exchange", "report.html"}


@pytest.mark.parametrize("name", assignments(ROOT))
def test_students_of_the_class_do_what_is_said_of_them(name):
    source = notebooks.read(ROOT / "source" / name / f"{name}.ipynb")
    lesson = lesson_of(source, banks.load(name, ROOT))
    for number, student in enumerate(CLASS):
        answers = answers_of(student, number, lesson)
        slips = [exercise for exercise in answers if answers[exercise] in lesson.mutants[exercise]]
        assert bool(slips) is (student.habit == "slips")
        whole = len(lesson.solutions)
        assert len(answers) == (whole // 2 if student.habit == "half" else whole)
        assert ("it never reaches" in str(answers)) is (student.habit == "endless")


def test_wrong_marks_of_the_class_are_noticed():
    points = {"points": 21.0, "waiting": 3.0}
    cases = [
        ("ada", Status.BY_HAND, 18.0, True),
        ("ada", Status.BY_HAND, 17.5, False),
        ("emil", Status.BY_HAND, 18.0, False),
        ("ada", Status.FAILED, None, False),
        ("jonas", Status.UNREADABLE, None, True),
        ("jonas", Status.BY_HAND, 18.0, False),
    ]
    for student, status, score, fine in cases:
        result = Result(student, "perceptron", status, score=score, **points)
        assert (unexpected([result]) == []) is fine
