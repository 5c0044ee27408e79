"""What the commands print, and their exit status."""

from __future__ import annotations

import csv
import json
import re
import sys

import nbformat
import pytest
from tests.grading.class_run.conftest import HALF, RIGHT

from coursekit import cli
from coursekit.grading import command
from coursekit.grading.sandbox import Protection

pytestmark = pytest.mark.xdist_group("class_run")


@pytest.fixture
def run(classroom, capsys, monkeypatch):
    """Run the command in the course: exit status, stdout, stderr."""
    monkeypatch.chdir(classroom.root)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["coursekit", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            cli.main()
            raise SystemExit(0)
        told = capsys.readouterr()
        return int(stop.value.code or 0), told.out, told.err

    return run


def lines(text, start):
    return [" ".join(line.split()) for line in text.splitlines() if line.startswith(start)]


def test_grade_ends_with_a_table_and_counts(run, classroom):
    classroom.enrol("absent")
    classroom.hand_in("ada", HALF)
    status, out, err = run("grade", "doubling", "--jobs", "2")
    assert (status, err) == (0, "")
    assert lines(out, "ada") == ["ada doubling needs hand grading 1 / 2 (+1)"]
    assert lines(out, "absent") == ["absent doubling not submitted"]
    assert out.endswith("1 needs hand grading, 1 not submitted\n")


def test_grade_fails_only_where_something_could_not_be_graded(run, classroom):
    classroom.hand_in("ada")
    (classroom.hand_in("cut") / "doubling.ipynb").write_bytes(b"{")
    status, out, _ = run("grade", "doubling")
    assert status == 1 and "cut off or damaged" in out and "2 / 2 (+1)" in out
    assert run("grade", "doubling", "--student", "ada")[0] == 0


def test_feedback_is_written_for_what_was_graded(run, classroom):
    classroom.hand_in("ada")
    assert run("grade", "doubling", "--feedback")[::2] == (0, "")
    assert (classroom.root / "feedback" / "ada" / "doubling" / "doubling.html").is_file()
    assert not (classroom.root / "feedback" / "ada" / "doubling" / "grading.json").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["doubling", "--jobs", "0"], "--jobs 0 is not possible: name a number from 1 on."),
        (["doubling", "--student", "nobody"], "there is no student 'nobody'"),
        (["nothing"], "does not know the assignment nothing"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(run, arguments, said):
    status, out, err = run("grade", *arguments)
    assert (status, out) == (1, "")
    assert err.startswith("coursekit: ") and err.count("\n") == 1 and said in err


def test_outside_a_course_is_one_sentence(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, _, err = run("grade", "doubling")
    assert status == 1 and "is not in a course" in err and err.count("\n") == 1


def test_missing_protections_are_told_or_refused(run, classroom, monkeypatch):
    lacking = [Protection("network", False, "can use the network")]
    monkeypatch.setattr(command, "missing", lambda: lacking)
    classroom.hand_in("ada")
    status, _, err = run("grade", "doubling")
    assert status == 0
    assert "confines student code only in part (missing: network)" in err
    status, out, err = run("grade", "doubling", "--require-isolation")
    assert (status, out) == (1, "") and "does not offer every protection" in err


def test_doctor_tells_of_each_protection(run):
    status, out, _ = run("doctor")
    assert status == 0 and "network" in out and "memory" in out


def test_report_writes_a_page_and_tables_without_a_false_zero(run, classroom):
    classroom.enrol("absent")
    classroom.enrol("ada", first_name="Ada", last_name="Okafor", email="ada@example.org")
    classroom.hand_in("ada", HALF, at="2026-03-01 12:30:00 CET")
    classroom.hand_in("bela", "def double(x):\n    return 0")
    (classroom.hand_in("cut") / "doubling.ipynb").write_bytes(b"{")
    run("grade", "doubling")
    classroom.hand_in("new")
    status, out, _ = run("report", "doubling", "--to", "there")
    names = ["report.html", "grades.csv", "items.csv", "marks.csv"]
    assert status == 0 and out.split() == [f"there/{name}" for name in names]

    def table(name):
        with (classroom.root / "there" / name).open(encoding="utf-8") as file:
            return list(csv.DictReader(file))

    grades = {row["student"]: row for row in table("grades.csv")}
    assert {s: (row["status"], row["score"]) for s, row in grades.items()} == {
        "absent": ("not submitted", ""),
        "ada": ("needs hand grading", "1"),
        "bela": ("needs hand grading", "0"),
        "cut": ("unreadable file", ""),
        "new": ("not graded yet", ""),
    }
    assert grades["ada"]["last_name"] == "Okafor" and grades["ada"]["email"] == "ada@example.org"
    assert re.fullmatch(r"2026-03-01 \d\d:\d\d \S+", grades["ada"]["handed_in"])
    assert table("items.csv") == [
        {
            "assignment": "doubling",
            "check": "double_numbers",
            "points": "2",
            "answers": "2",
            "full": "0",
            "none": "1",
            "mean": "0.25",
        }
    ]
    marks = {(row["student"], row["check"]): row["score"] for row in table("marks.csv")}
    assert marks == {
        ("ada", "double_numbers"): "1",
        ("ada", "why_even"): "",
        ("bela", "double_numbers"): "0",
        ("bela", "why_even"): "",
    }
    page = (classroom.root / "there" / "report.html").read_text(encoding="utf-8")
    assert "Ada Okafor (ada)" in page and "cut off or damaged" in page
    assert "<script" not in page


def test_flags_and_notes_are_in_the_report(run, classroom):
    classroom.hand_in("AB", "import os\nos._exit(1)")
    classroom.enrol("ab")
    spoil = "import coursekit.checks\ncoursekit.checks.check = lambda *a, **k: None\n"
    classroom.hand_in("odd", spoil + RIGHT)
    status, out, _ = run("grade", "doubling")
    assert "flag" in lines(out, "odd")[0]
    run("report", "doubling")
    page = (classroom.root / "build" / "report" / "report.html").read_text(encoding="utf-8")
    assert "Attempts to influence grading" in page and "The folder AB was taken for ab." in page


def test_validate_says_each_question_on_a_line_and_fails(run, classroom):
    released = "release/doubling/doubling.ipynb"
    status, out, _ = run("validate", released)
    assert status == 1
    assert out.splitlines()[0].startswith("✗ double_numbers 0 of 2: ")
    assert "Not attempted yet" in out and "✗ why_even: not answered yet" in out
    right = classroom.hand_in("ada") / "doubling.ipynb"
    status, out, _ = run("validate", str(right), "--json")
    data = json.loads(out)
    assert status == 0 and data["passed"]
    assert [(q["name"], q["state"]) for q in data["questions"]] == [
        ("double_numbers", "right"),
        ("why_even", "written"),
    ]


def test_validate_notices_what_graders_would_stumble_over(run, classroom):
    path = classroom.hand_in("ada", 'input("?")\n' + RIGHT) / "doubling.ipynb"
    nb = nbformat.read(path, 4)
    nb.cells[2].source += "\n# mine"
    nbformat.write(nb, path)
    status, out, _ = run("validate", str(path))
    assert status == 1
    assert any("keyboard" in line for line in lines(out, "✗ double:"))
    assert any("this cell was changed" in line for line in lines(out, "✗ double_numbers:"))


def test_validate_refuses_what_is_no_notebook(run, classroom):
    status, _, err = run("validate", "missing.ipynb")
    assert status == 1 and "missing.ipynb cannot be read" in err and err.count("\n") == 1
    (classroom.root / "x.ipynb").write_text("{")
    status, _, err = run("validate", "x.ipynb")
    assert status == 1 and "is not a notebook" in err and err.count("\n") == 1
