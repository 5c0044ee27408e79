"""Graded folders and records are there whole or not at all."""

from __future__ import annotations

import os

import pytest

from coursekit.grading.class_run.keep import Record, Store, untouched
from coursekit.grading.intake.notes import Note
from coursekit.grading.status import Status

RECORD = Record(
    Status.TIME_LIMIT, "d", {"p": "t"}, "s", "why", (Note("q", "n"),), (Note("", "\ud800"),), 1.5
)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "autograded")


def test_a_record_comes_back_as_it_was(store):
    store.save("ps1", "zoë's", RECORD)
    assert store.load("ps1", "zoë's") == RECORD
    assert store.load("ps1", "other") is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"status": "unheard of"}', "null"])
def test_a_record_that_cannot_be_read_is_none(store, text):
    store.save("ps1", "ada", RECORD)
    path = store.own / "records" / "ps1" / "ada.json"
    path.chmod(0o644)
    path.write_text(text)
    assert store.load("ps1", "ada") is None


def test_a_graded_folder_takes_the_place_of_the_older(store, tmp_path):
    target = tmp_path / "autograded" / "ada" / "ps1"
    store.lay(target, {"old.txt": b"1", "sub/x.csv": b"2"}, {"p": b"{}"})
    stamps = store.lay(target, {"new.txt": b"1"}, {"p": b"{ }"})
    assert sorted(path.name for path in target.iterdir()) == ["new.txt", "p.ipynb"]
    assert not list((store.own / "writing").iterdir())
    record = Record(Status.GRADED, "d", {}, "s", stamps=stamps)
    assert untouched(target, record)
    (target / "p.ipynb").chmod(0o644)
    (target / "p.ipynb").write_bytes(b"{x}")
    assert not untouched(target, record)
    store.drop(target)
    assert not target.exists() and not untouched(target, record)


def test_a_fault_while_writing_leaves_the_older_folder(store, tmp_path):
    target = tmp_path / "autograded" / "ada" / "ps1"
    store.lay(target, {}, {"p": b"old"})
    with pytest.raises(OSError):
        store.lay(target, {"a": b"1", "a/b": b"2"}, {"p": b"new"})
    assert (target / "p.ipynb").read_bytes() == b"old"


def test_only_old_leftovers_are_removed(store):
    for name, age in (("old", 7200), ("young", 0)):
        path = store.own / "writing" / name
        path.mkdir(parents=True)
        then = path.stat().st_mtime - age
        os.utime(path, (then, then))
    store.tidy()
    assert [path.name for path in (store.own / "writing").iterdir()] == ["young"]
