"""A course folder as nbgrader sees it."""

from __future__ import annotations

import pytest

from coursekit.errors import CourseError
from coursekit.grading.course import configuration, last_error


def test_a_folder_that_is_no_course_is_named(tmp_path):
    with pytest.raises(CourseError, match=r"there is no nbgrader_config\.py in"):
        configuration(tmp_path)


def test_the_most_telling_line_of_a_log_is_told():
    log = "INFO: a\nValueError: cut off\nNbGraderException: see above"
    assert last_error({"log": log}) == "ValueError: cut off"
    assert last_error({}) == "no reason given"
