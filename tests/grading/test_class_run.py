"""Asking too early is answered in a sentence, and leaves nothing behind."""

from __future__ import annotations

import pytest

from coursekit.errors import CourseError
from coursekit.grading.class_run import grade_class, last_error
from coursekit.grading.course import configuration


def test_a_missing_gradebook_is_named_and_not_made(tiny_course):
    root = tiny_course()
    with pytest.raises(CourseError, match=r"there is no gradebook .*gradebook\.db: run"):
        grade_class(root, ["doubling"], ["ada"])
    assert not (root / "gradebook.db").exists()


def test_an_assignment_that_was_never_generated_is_named(tiny_course):
    from nbgrader.api import Gradebook

    root = tiny_course()
    Gradebook(f"sqlite:///{root}/gradebook.db").close()
    with pytest.raises(CourseError, match="knows no assignment 'doubling': generate it first"):
        grade_class(root, ["doubling"], ["ada"])


def test_a_folder_that_is_no_course_is_named(tmp_path):
    with pytest.raises(CourseError, match=r"there is no nbgrader_config\.py in"):
        configuration(tmp_path)


def test_the_most_telling_line_of_a_log_is_told():
    log = "INFO: a\nValueError: cut off\nNbGraderException: see above"
    assert last_error({"log": log}) == "ValueError: cut off"
    assert last_error({}) == "no reason given"
