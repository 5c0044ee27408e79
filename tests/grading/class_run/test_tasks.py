"""A task is bytes in and bytes out, and what is wrong with it is in its status."""

from __future__ import annotations

import pickle
import shutil
import threading

import pytest
from tests.grading.class_run.conftest import generate

from coursekit.grading import course
from coursekit.grading.class_run import tasks
from coursekit.grading.class_run.lesson import Lesson
from coursekit.grading.class_run.roster import Entry
from coursekit.grading.sandbox import Protection
from coursekit.grading.status import Status

pytestmark = pytest.mark.xdist_group("class_run")


def task_of(classroom, student="ada", **options):
    lesson = Lesson.of(classroom.root, "doubling")
    return lesson.task(lesson.find(Entry(student, student)), **options)


def test_a_task_and_its_outcome_can_be_sent_elsewhere(classroom, kernels, tmp_path):
    classroom.hand_in("ada", data__txt=b"here")
    task = pickle.loads(pickle.dumps(task_of(classroom)))
    shutil.rmtree(classroom.root)
    done = pickle.loads(pickle.dumps(tasks.execute(task, kernels)))
    assert done.status is Status.BY_HAND and done.digest == task.digest and done.seconds > 0
    assert [mark.score for mark in done.marks["doubling"] if mark.graded] == [2.0, None]
    assert task.files == {"data.txt": b"here"}


def test_isolation_that_is_required_and_missing_is_a_sentence(classroom, kernels, monkeypatch):
    classroom.hand_in("ada")
    monkeypatch.setattr(tasks, "missing", lambda: [Protection("network", False, "")])
    done = tasks.execute(task_of(classroom, require_isolation=True), kernels)
    assert (done.status, done.marks) == (Status.FAILED, {})
    assert "cannot isolate" in done.note
    assert tasks.execute(task_of(classroom), kernels).status is Status.BY_HAND


def test_a_fault_in_grading_is_one_line_that_asks_for_a_report():
    done = tasks.failed("ps1", "ada", ValueError("a\nb"))
    assert done.note == "an error in grading itself (ValueError: a b): report it"


def test_a_notebook_that_is_not_there_waits_and_the_other_is_graded(classroom):
    source = classroom.root / "source" / "doubling"
    shutil.copy(source / "doubling.ipynb", source / "second.ipynb")
    generate(classroom.root, "doubling")
    folder = classroom.hand_in("ada")
    (folder / "second.ipynb").write_bytes(b"{")
    result = classroom.grade()["ada"]
    assert (result.status, result.score, result.points) == (Status.BY_HAND, 2.0, 6.0)
    assert result.waiting == 4.0 and "second.ipynb is cut off" in result.note
    graded = classroom.root / "autograded" / "ada" / "doubling"
    assert sorted(path.name for path in graded.glob("*.ipynb")) == ["doubling.ipynb"]


def test_two_runs_at_once_share_the_gradebook(classroom):
    students = [f"s{number}" for number in range(8)]
    for student in students:
        classroom.hand_in(student)
    found = {}
    runs = [
        threading.Thread(target=lambda part=part: found.update(classroom.grade(*part)))
        for part in (students[::2], students[1::2])
    ]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    scores = {student: result.score for student, result in found.items()}
    assert scores == dict.fromkeys(students, 2.0)


def test_nbgrader_writes_feedback_for_the_whole_class_and_exports(classroom, monkeypatch):
    for student in ("ada", "bela"):
        classroom.hand_in(student)
    classroom.grade()
    monkeypatch.chdir(classroom.root)
    with course.inside(classroom.root):
        nbgrader = course.api(classroom.root)
        assert nbgrader.get_autograded_students("doubling") == {"ada", "bela"}
        done = nbgrader.generate_feedback("doubling")
    assert done["success"], done["log"]
    pages = {path.parts[-3] for path in classroom.root.glob("feedback/*/doubling/*.html")}
    assert pages == {"ada", "bela"}
    assert not list(classroom.root.glob("feedback/**/*.json"))
