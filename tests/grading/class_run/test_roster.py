"""Whose folder is whose."""

from __future__ import annotations

import unicodedata

import pytest

from coursekit.errors import CourseError
from coursekit.grading import course
from coursekit.grading.class_run.roster import Entry, chosen, entries, folders, same


def pairs(known, found):
    return {entry.student: entry.folder for entry in entries(known, found)}


def test_folders_go_to_students_of_the_same_name_else_of_another_case():
    assert pairs(["ab12", "zoe"], ["AB12"]) == {"ab12": "AB12", "zoe": "zoe"}
    assert pairs(["AB12", "ab12"], ["AB12", "ab12"]) == {"AB12": "AB12", "ab12": "ab12"}
    assert pairs([], ["new"]) == {"new": "new"}


def test_accents_may_be_stored_in_two_ways():
    apart = unicodedata.normalize("NFD", "zoë")
    assert apart != "zoë" and pairs(["zoë"], [apart]) == {"zoë": apart}


@pytest.mark.parametrize(
    ("known", "found", "student"),
    [(["ab12"], ["AB12", "ab12"], "ab12"), ([], ["AB12", "ab12"], "AB12")],
)
def test_two_folders_for_one_student_clash(known, found, student):
    assert entries(known, found) == [Entry(student, student, ("AB12", "ab12"))]


def test_students_are_chosen_by_id_in_the_order_asked_for():
    students = ["ada", "Bela", "cora"]
    assert chosen(students, None) == students
    assert chosen(students, ["cora", "bela", "cora"]) == ["cora", "Bela"]
    with pytest.raises(CourseError, match="there is no student 'nobody'"):
        chosen(students, ["ada", "nobody"])


def test_same_is_the_same_for_any_case():
    assert same("Straße") == same("STRASSE")


@pytest.mark.parametrize(
    ("structure", "place"),
    [
        ("{nbgrader_step}/{student_id}/{assignment_id}", "submitted/{}/ps1"),
        ("{nbgrader_step}/{assignment_id}/{student_id}", "submitted/ps1/{}"),
    ],
)
def test_folders_are_found_in_either_structure(tiny_course, structure, place):
    root = tiny_course()
    with (root / "nbgrader_config.py").open("a") as file:
        file.write(f"\nc.CourseDirectory.directory_structure = {structure!r}\n")
    for student in ("ada", "b e", ".hidden"):
        (root / place.format(student)).mkdir(parents=True)
    coursedir = course.api(root).coursedir
    assert folders(coursedir, "ps1") == ["ada", "b e"]
    assert folders(coursedir, "ps2") == []
