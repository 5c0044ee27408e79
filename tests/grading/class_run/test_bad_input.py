"""Submission folders of any kind are graded or refused in a sentence, and the class goes on."""

from __future__ import annotations

import os
import shutil

import pytest

from coursekit.grading.status import Status

pytestmark = pytest.mark.xdist_group("class_run")


def test_odd_folders_are_graded_or_refused_in_a_sentence(classroom):
    submitted = classroom.root / "submitted"
    classroom.hand_in("ada")
    shutil.rmtree(classroom.hand_in("empty"))
    (submitted / "empty" / "doubling").mkdir()
    classroom.hand_in('l\'été  "x" $(id) %s')
    (submitted / "link").mkdir()
    (submitted / "link" / "doubling").symlink_to(submitted / "ada" / "doubling")
    (submitted / "file").mkdir()
    (submitted / "file" / "doubling").write_text("no folder")
    (submitted / "stray.txt").write_text("not a student")
    many = classroom.hand_in("many")
    for number in range(3000):
        (many / f"f{number}.txt").write_bytes(b"x")
    large = classroom.hand_in("large")
    with (large / "huge.bin").open("wb") as file:
        file.truncate(500 * 1024 * 1024)
    whole = classroom.hand_in("whole")
    with (whole / "doubling.ipynb").open("r+b") as file:
        file.truncate(500 * 1024 * 1024)
    os.mkfifo(classroom.hand_in("pipe") / "pipe")
    named = classroom.hand_in("named")
    (named / "doubling.ipynb").rename(named / "doubling (1).ipynb")
    found = classroom.grade()
    assert "stray.txt" not in found
    good = {"ada", 'l\'été  "x" $(id) %s', "many", "large", "pipe", "named"}
    assert {student for student, result in found.items() if result.score == 2.0} == good
    assert found["empty"].status is Status.NOT_SUBMITTED
    assert "is a link" in found["link"].note
    assert "a file in place of the submission folder" in found["file"].note
    assert found["whole"].status is Status.UNREADABLE and "larger than" in found["whole"].note
    assert any("files were left out" in note for note in found["many"].notes)
    assert any("huge.bin is larger than 50 MB" in note for note in found["large"].notes)
    assert any("doubling (1).ipynb" in note for note in found["named"].notes)


def test_a_notebook_without_a_cell_of_the_course_has_no_mark(classroom):
    import nbformat

    folder = classroom.hand_in("ada")
    other = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x = 1")])
    nbformat.write(other, folder / "doubling.ipynb")
    result = classroom.grade()["ada"]
    assert result.status in (Status.NO_CELLS, Status.WRONG_NAME) and result.score is None
    assert result.note
