"""What can be said of a submission before and after it was graded."""

from __future__ import annotations

import pytest

from coursekit.grading.status import Status, before_grading


def folder(tmp_path, files):
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


GOOD = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'


@pytest.mark.parametrize(
    ("files", "status", "said"),
    [
        ({"a.ipynb": b""}, Status.UNREADABLE, "a.ipynb is empty: ask for it again"),
        ({"a.ipynb": GOOD[:30]}, Status.UNREADABLE, "a.ipynb is cut off or damaged"),
        ({"a.ipynb": b"<<<<<<< HEAD\n" + GOOD}, Status.UNREADABLE, "cut off or damaged"),
        ({"a.ipynb": b"\xff\xfe\x00"}, Status.UNREADABLE, "cannot be read"),
        ({"a.ipynb": b"[1, 2]"}, Status.UNREADABLE, "is not a notebook"),
        ({"a (1).ipynb": GOOD}, Status.WRONG_NAME, "expected a.ipynb, found a (1).ipynb"),
        ({"notes.txt": b""}, Status.WRONG_NAME, "expected a.ipynb, found no notebook"),
    ],
)
def test_a_submission_that_cannot_be_graded_is_told_from_a_zero(tmp_path, files, status, said):
    found = before_grading(folder(tmp_path, files), ["a"])
    assert found is not None
    assert found[0] is status and said in found[1]


def test_a_good_file_with_copies_beside_it_can_be_graded(tmp_path):
    files = {"a.ipynb": GOOD, "a-Copy1.ipynb": b"", "a.html": b"<p>"}
    assert before_grading(folder(tmp_path, files), ["a"]) is None


def test_no_folder_is_no_submission(tmp_path):
    assert before_grading(tmp_path / "none", ["a"]) == (Status.NOT_SUBMITTED, "")
