"""A class run: everybody gets a status, nothing is done twice, and hand marks stay."""

from __future__ import annotations

import nbformat
import pytest
from tests.grading.class_run.conftest import HALF, RIGHT, generate

from coursekit.errors import CourseError
from coursekit.grading import course
from coursekit.grading.class_run import pool, tasks
from coursekit.grading.class_run.tasks import execute
from coursekit.grading.kernels.cells import Limits
from coursekit.grading.status import Status

pytestmark = pytest.mark.xdist_group("class_run")


def test_each_student_has_a_status_and_no_trouble_spreads(classroom):
    classroom.enrol("absent")
    classroom.hand_in("ada")
    classroom.hand_in("bela", HALF)
    (classroom.hand_in("cut") / "doubling.ipynb").write_bytes(b'{"cells": [')
    (classroom.hand_in("dead") / "x").mkdir()
    classroom.hand_in("dead", "import os\nos._exit(3)")
    classroom.hand_in("zoe")
    found = classroom.grade()
    assert list(found) == ["absent", "ada", "bela", "cut", "dead", "zoe"]
    assert {s: (r.status, r.score, r.waiting) for s, r in found.items()} == {
        "absent": (Status.NOT_SUBMITTED, None, 0.0),
        "ada": (Status.BY_HAND, 2.0, 1.0),
        "bela": (Status.BY_HAND, 1.0, 1.0),
        "cut": (Status.UNREADABLE, None, 0.0),
        "dead": (Status.BY_HAND, 0.0, 1.0),
        "zoe": (Status.BY_HAND, 2.0, 1.0),
    }
    assert "cut off or damaged" in found["cut"].note
    assert any("kernel died" in note for note in found["dead"].notes)
    with classroom.book() as book:
        assert {s.student.id for s in book.assignment_submissions("doubling")} == {
            "ada",
            "bela",
            "dead",
            "zoe",
        }


def test_the_gradebook_is_what_plain_nbgrader_makes(classroom):
    classroom.hand_in("right")
    classroom.hand_in("half", HALF, why="Write your answer here", at="2026-03-01 12:30:00 CET")
    classroom.hand_in("none", "def double(x):\n    raise ValueError")
    untouched = classroom.hand_in("untouched")
    released = classroom.root / "release" / "doubling" / "doubling.ipynb"
    (untouched / "doubling.ipynb").write_bytes(released.read_bytes())
    with classroom.book() as book:
        book.update_or_create_assignment("doubling", duedate="2026-03-01 11:45:00 UTC")
    classroom.grade()

    def held():
        keep = ("auto_score", "manual_score", "extra_credit", "max_score", "comment",
                "needs_manual_grade", "failed_tests")  # fmt: skip
        found = {}
        for student in ("right", "half", "none", "untouched"):
            marks = classroom.marks(student)
            found[student] = {n: {k: m.get(k) for k in keep} for n, m in marks.items()}
            with classroom.book() as book:
                about = book.find_submission("doubling", student)
                penalty = about.late_submission_penalty
                found[student]["late"] = (about.timestamp, about.total_seconds_late, penalty)
        return found

    ours = held()
    with classroom.book() as book:
        for student in ours:
            book.remove_submission("doubling", student)
    with course.inside(classroom.root):
        for student in ours:
            done = course.api(classroom.root).autograde("doubling", student, force=True)
            assert done["success"], done["log"]
    assert held() == ours
    assert ours["right"]["double_numbers"]["auto_score"] == 2.0
    assert ours["untouched"]["why_even"]["comment"] == "No response."


def test_what_is_unchanged_is_not_run_again(classroom):
    classroom.hand_in("ada")
    classroom.hand_in("bela", HALF)
    first = classroom.grade()
    assert sorted(classroom.fresh) == ["ada", "bela"]
    assert classroom.grade() == first and classroom.fresh == []
    assert classroom.grade("bela", force=True)["bela"] == first["bela"]
    assert classroom.fresh == ["bela"]


def test_a_submission_in_place_of_another_is_graded_without_a_timestamp(classroom):
    classroom.hand_in("ada", HALF, at=None)
    assert classroom.grade()["ada"].score == 1.0
    classroom.hand_in("ada", at=None)
    assert classroom.grade()["ada"].score == 2.0 and classroom.fresh == ["ada"]


def test_a_graded_folder_that_somebody_changed_is_graded_again(classroom):
    classroom.hand_in("ada")
    classroom.grade()
    path = classroom.root / "autograded" / "ada" / "doubling" / "doubling.ipynb"
    path.unlink()
    classroom.grade()
    assert classroom.fresh == ["ada"] and path.is_file()


def test_a_new_time_or_due_date_changes_the_penalty_without_a_run(classroom):
    classroom.configure('c.LateSubmissionPlugin.penalty_method = "zero"')
    classroom.hand_in("ada", at=None)
    with classroom.book() as book:
        book.update_or_create_assignment("doubling", duedate="2026-03-01 12:00:00 UTC")
    result = classroom.grade()["ada"]
    assert (result.score, result.late) == (2.0, False)
    late = "2026-03-01 12:30:00 UTC"
    classroom.hand_in("ada", at=late)
    result = classroom.grade()["ada"]
    assert (result.score, result.penalty, result.late, classroom.fresh) == (0.0, 2.0, True, [])
    copied = classroom.root / "autograded" / "ada" / "doubling" / "timestamp.txt"
    assert copied.read_text() == late
    with classroom.book() as book:
        book.update_or_create_assignment("doubling", duedate="2026-03-01 13:00:00 UTC")
    result = classroom.grade()["ada"]
    assert (result.score, result.penalty, result.late, classroom.fresh) == (2.0, 0.0, False, [])


@pytest.mark.parametrize(
    ("text", "late", "noted"),
    [
        ("2026-03-01 12:30:00 UTC", True, False),
        ("2026-03-01 12:30:00 CET", False, False),
        ("2026-03-01T12:30:00+02:00", False, False),
        ("2026-03-01 12:30:00", True, True),
        ("yesterday, perhaps", False, True),
    ],
)
def test_time_zones(classroom, text, late, noted):
    classroom.hand_in("ada", at=text)
    with classroom.book() as book:
        book.update_or_create_assignment("doubling", duedate="2026-03-01 12:00:00 UTC")
    result = classroom.grade()["ada"]
    assert result.late is late
    assert any("time of hand-in" in note for note in result.notes) is noted


def give(classroom, cell, mark, extra=None):
    with classroom.book() as book:
        grade = book.find_grade(cell, "doubling", "doubling", "ada")
        grade.manual_score, grade.extra_credit, grade.needs_manual_grade = mark, extra, False
        book.db.commit()


def test_hand_marks_survive_and_wait_where_the_text_changed(classroom):
    classroom.hand_in("ada", HALF)
    classroom.grade()
    give(classroom, "why_even", 0.5)
    give(classroom, "double_numbers", 1.5, extra=0.25)
    result = classroom.grade(force=True)["ada"]
    assert (result.status, result.score, result.note) == (Status.GRADED, 2.25, "")
    classroom.hand_in("ada", HALF, why="Another answer.")
    result = classroom.grade()["ada"]
    assert (result.status, result.score, result.waiting) == (Status.BY_HAND, 1.75, 1.0)
    assert result.note == "hand mark of `why_even` to be confirmed: the text was changed"
    assert classroom.marks("ada")["why_even"]["manual_score"] == 0.5
    classroom.hand_in("ada", "def double(x):\n    return 0", why="Another answer.")
    result = classroom.grade()["ada"]
    assert result.waiting == 3.0 and "`double_numbers`" in result.note
    assert classroom.grade()["ada"] == result


def test_changed_points_are_told_and_all_are_graded_again(classroom):
    for student in ("ada", "bela", "cora"):
        classroom.hand_in(student, HALF)
    classroom.grade()
    assert classroom.said == []
    path = classroom.root / "source" / "doubling" / "doubling.ipynb"
    nb = nbformat.read(path, 4)
    for cell in nb.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "double_numbers":
            cell.metadata.nbgrader.points = 4
            cell.source = cell.source.replace("points=2", "points=4")
    nbformat.write(nb, path)
    generate(classroom.root, "doubling")
    found = classroom.grade()
    assert classroom.said == [
        "3 graded submissions were graded with other points or tests: they are graded again."
    ]
    assert {(r.score, r.points) for r in found.values()} == {(2.0, 5.0)}
    classroom.said.clear()
    classroom.grade()
    assert classroom.said == [] and classroom.fresh == []


def test_a_file_of_the_student_is_replaced_unless_it_is_declared(classroom):
    (classroom.root / "source" / "doubling" / "helper.py").write_text("FACTOR = 3\n")
    code = "import helper\n\ndef double(x):\n    return helper.FACTOR * x"
    classroom.hand_in("ada", code, helper__py=b"FACTOR = 2\n")
    result = classroom.grade()["ada"]
    assert result.score == 0.0 and any("helper.py was replaced" in n for n in result.notes)
    classroom.configure('c.Autograde.exclude_overwriting = {"doubling": ["helper.py"]}')
    result = classroom.grade()["ada"]
    assert result.score == 2.0 and not result.notes
    kept = classroom.root / "autograded" / "ada" / "doubling" / "helper.py"
    assert kept.read_text() == "FACTOR = 2\n"


def test_ids_match_without_regard_to_case_and_odd_ones_are_safe(classroom):
    odd = "Zoë van 't Hof+1 [x]*"
    classroom.enrol("ab12", odd)
    classroom.hand_in("AB12")
    classroom.hand_in(odd)
    found = classroom.grade()
    assert set(found) == {"ab12", odd}
    assert found["ab12"].score == found[odd].score == 2.0
    assert "The folder AB12 was taken for ab12." in found["ab12"].notes
    assert (classroom.root / "autograded" / "ab12" / "doubling" / "doubling.ipynb").is_file()
    assert classroom.grade("Ab12")["ab12"] == found["ab12"]


def test_two_folders_for_one_student_are_refused_and_both_kept(classroom):
    classroom.enrol("ab12")
    folders = [classroom.hand_in("AB12"), classroom.hand_in("ab12"), classroom.hand_in("zed")]
    found = classroom.grade()
    assert found["ab12"].status is Status.FAILED and found["ab12"].score is None
    assert found["ab12"].note == "the folders AB12 and ab12 are the same student's: keep one"
    assert found["zed"].score == 2.0 and all(folder.is_dir() for folder in folders)


def test_a_fault_of_grading_itself_is_one_students_status(classroom, monkeypatch):
    def broken(task, kernels, stop):
        if task.student == "bela":
            raise ZeroDivisionError("oh")
        return execute(task, kernels, stop)

    monkeypatch.setattr(pool.Threads.__init__, "__defaults__", (broken,))
    for student in ("ada", "bela", "cora"):
        classroom.hand_in(student)
    found = classroom.grade()
    assert [r.score for r in found.values()] == [2.0, None, 2.0]
    assert found["bela"].status is Status.FAILED
    assert "(ZeroDivisionError: oh)" in found["bela"].note
    monkeypatch.undo()


def test_a_fault_in_writing_is_one_students_status(classroom):
    for student in ("ada", "bela", "cora"):
        classroom.hand_in(student)
    # Where the graded folder of one student belongs, nothing can be put.
    (classroom.root / "autograded").mkdir(exist_ok=True)
    (classroom.root / "autograded" / "bela").write_text("in the way")
    found = classroom.grade()
    assert [r.status for r in found.values()].count(Status.FAILED) == 1
    assert found["cora"].score == 2.0
    (classroom.root / "autograded" / "bela").unlink()
    assert classroom.grade()["bela"].score == 2.0 and classroom.fresh == ["bela"]


def test_an_unreadable_newer_submission_is_told_from_the_marks_that_stand(classroom):
    folder = classroom.hand_in("ada")
    classroom.grade()
    (folder / "doubling.ipynb").write_bytes(b"")
    result = classroom.grade()["ada"]
    assert (result.status, result.score) == (Status.UNREADABLE, None)
    assert "the gradebook still has the marks of an earlier submission" in result.note


def test_several_assignments_come_student_by_student_in_the_order_named(classroom):
    for lesson in ("doubling", "halving"):
        for student in ("ada", "bela"):
            classroom.hand_in(student, lesson=lesson)
    from coursekit.grading.class_run import Options, grade

    outcome = grade(classroom.root, ["halving", "doubling"], options=Options(jobs=2))
    assert [(r.student, r.assignment) for r in outcome.results] == [
        ("ada", "halving"),
        ("ada", "doubling"),
        ("bela", "halving"),
        ("bela", "doubling"),
    ]


def test_time_that_runs_out_keeps_what_was_earned(classroom, monkeypatch):
    limits = Limits(notebook_seconds=1.0)
    monkeypatch.setattr("coursekit.grading.class_run.lesson.limits", lambda config: limits)
    classroom.hand_in("ada", RIGHT + "\nimport time\ntime.sleep(5)")
    result = classroom.grade()["ada"]
    assert (result.status, result.score) == (Status.TIME_LIMIT, 0.0)
    assert "1 test not reached" in result.note
    assert classroom.grade()["ada"] == result and classroom.fresh == []


def test_a_kernel_that_runs_no_cell_gives_no_mark(classroom, monkeypatch):
    class Dead:
        def __init__(self, *arguments):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

        def interrupt(self):
            pass

        def run(self, cell):
            from coursekit.grading.kernels.session import _without_kernel

            return _without_kernel(cell, "the kernel died (a crash in C code) in the cell `double`")

    classroom.hand_in("ada")
    monkeypatch.setattr(tasks, "Session", Dead)
    result = classroom.grade()["ada"]
    assert (result.status, result.score) == (Status.CRASHED, None)
    marks = classroom.marks("ada")
    assert marks["double_numbers"]["auto_score"] is None
    assert marks["double_numbers"]["needs_manual_grade"]
    monkeypatch.undo()


def test_asking_too_early_is_answered_in_a_sentence(classroom, tiny_course):
    with pytest.raises(CourseError, match="does not know the assignment nothing"):
        classroom.grade(lessons=("nothing",))
    with pytest.raises(CourseError, match="there is no student 'nobody'"):
        classroom.grade("nobody")
    with pytest.raises(CourseError, match="-1 jobs at once are not possible"):
        classroom.grade(jobs=-1)
    (classroom.root / "gradebook.db").unlink()
    with pytest.raises(CourseError, match=r"there is no gradebook .*gradebook\.db: run"):
        classroom.grade()
    assert not (classroom.root / "gradebook.db").exists()
    (classroom.root / "nbgrader_config.py").unlink()
    with pytest.raises(CourseError, match=r"there is no nbgrader_config\.py in"):
        classroom.grade()
