"""Which folders a confined process may read."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from coursekit.grading.sandbox import paths


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course with its own package and a virtual environment, on `sys.path` as a whole."""
    root = tmp_path / "course"
    for name in ("source", "submitted", "tools", "notes", ".venv/lib"):
        (root / name).mkdir(parents=True)
    for name in ("gradebook.db", "tools/__init__.py", "source/__init__.py", "key.py"):
        (root / name).touch()
    monkeypatch.setattr(sys, "path", [str(root), *sys.path])
    monkeypatch.setattr(sys, "prefix", str(root / ".venv"))
    monkeypatch.chdir(tmp_path)
    return root


def readable():
    return paths.readable.__wrapped__()


def opens(path):
    return any(path.is_relative_to(folder) for folder in readable())


def test_of_a_course_on_the_path_only_its_packages_are_open(course):
    assert opens(course / "tools" / "x.py")
    assert opens(course / ".venv" / "lib" / "x.py")
    for name in ("gradebook.db", "submitted/ada", "source/x", "key.py", "notes/x"):
        assert not opens(course / name)


@pytest.mark.parametrize("name", ["gradebook.db", "nbgrader_config.py"])
def test_a_folder_with_a_gradebook_or_settings_is_a_course(tmp_path, name):
    folder = tmp_path / "a"
    folder.mkdir()
    assert not paths.exposes(folder)
    (folder / name).touch()
    assert paths.exposes(folder)


def test_two_of_nbgraders_folders_make_a_course(tmp_path):
    (tmp_path / "source").mkdir()
    assert not paths.exposes(tmp_path)
    (tmp_path / "submitted").mkdir()
    assert paths.exposes(tmp_path)


def test_what_holds_home_or_the_current_folder_stays_closed(tmp_path, monkeypatch):
    home, here = tmp_path / "a/home", tmp_path / "b/here"
    home.mkdir(parents=True)
    here.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(here)
    for folder in (home, home.parent, here, here.parent, tmp_path, Path("/")):
        assert paths.exposes(folder)
    assert not paths.exposes(home / "lib")


def test_a_link_to_a_course_is_one(course):
    link = course.parent / "link"
    link.symlink_to(course)
    assert paths.exposes(link)


def test_a_python_whose_prefix_is_the_course_opens_its_library_alone(course, monkeypatch):
    (course / "lib").mkdir()
    monkeypatch.setattr(sys, "prefix", str(course))
    assert opens(course / "lib" / "x")
    assert not opens(course / "submitted")


def test_an_imported_package_is_open_wherever_it_lies(tmp_path, monkeypatch):
    package = tmp_path / "far" / "hooked"
    package.mkdir(parents=True)
    module = type(os)("hooked")
    module.__path__ = [str(package)]
    monkeypatch.setitem(sys.modules, "hooked", module)
    assert opens(package / "a.py") and not opens(package.parent / "b.py")


def test_outermost_leaves_out_what_lies_in_another(tmp_path):
    for name in ("a/b", "ab"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "a")
    found = [tmp_path / "a/b", tmp_path / "ab", tmp_path / "a", tmp_path / "link"]
    assert paths.outermost(found) == (tmp_path / "a", tmp_path / "ab")


def test_no_folder_of_the_user_is_open():
    for folder in (Path.home(), Path("/tmp"), Path("/etc"), Path("/proc"), Path("/dev")):
        assert folder.resolve() not in readable()


def test_a_folder_on_the_path_that_is_gone_or_closed_is_no_error(course, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(course.parent / "gone"), "/proc/1/cwd/x", *sys.path])
    assert course.parent / "gone" not in readable()


def test_a_current_folder_that_is_gone_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "here").rmdir()
    assert not paths.exposes(tmp_path)
