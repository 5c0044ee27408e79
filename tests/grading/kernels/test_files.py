"""What lies beside a notebook comes along, and nothing from elsewhere."""

from __future__ import annotations

import os

from coursekit.grading.kernels import files
from coursekit.grading.kernels.files import copy_files


def lay(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


def copied(source, target):
    copy_files(source, target)
    return sorted(str(path.relative_to(target)) for path in target.rglob("*") if path.is_file())


def test_files_and_folders_are_copied_but_no_notebooks_and_nothing_hidden(tmp_path):
    lay(tmp_path / "a", "d.csv", "sub/e é 'q'.txt", "n.ipynb", ".ssh/id", "__pycache__/x.pyc")
    assert copied(tmp_path / "a", tmp_path / "b") == ["d.csv", "sub/e é 'q'.txt"]
    assert (tmp_path / "b" / "d.csv").read_text() == "d.csv"


def test_links_out_of_the_folder_and_pipes_are_left_out(tmp_path):
    lay(tmp_path, "a/inside.txt", "secret.txt", "elsewhere/deep.txt")
    (tmp_path / "a" / "out.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "a" / "folder").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "a" / "broken").symlink_to("nothing")
    (tmp_path / "a" / "within.txt").symlink_to("inside.txt")
    os.mkfifo(tmp_path / "a" / "pipe")
    assert copied(tmp_path / "a", tmp_path / "b") == ["inside.txt", "within.txt"]


def test_the_nearest_files_come_first_where_there_are_too_many(tmp_path, monkeypatch):
    lay(tmp_path / "a", "deep/er/1.txt", "deep/2.txt", "z.txt")
    monkeypatch.setattr(files, "MOST_FILES", 2)
    assert copied(tmp_path / "a", tmp_path / "b") == ["deep/2.txt", "z.txt"]


def test_a_huge_file_and_what_follows_is_left_out(tmp_path, monkeypatch):
    lay(tmp_path / "a", "1.txt", "3.txt")
    (tmp_path / "a" / "2.bin").write_bytes(b"0" * 3_000_000)
    monkeypatch.setattr(files, "MOST_MB", 2)
    assert copied(tmp_path / "a", tmp_path / "b") == ["1.txt", "3.txt"]


def test_an_endless_folder_is_not_walked_to_its_end(tmp_path, monkeypatch):
    lay(tmp_path / "a", *(f"{number}.txt" for number in range(20)))
    monkeypatch.setattr(files, "MOST_LOOKED_AT", 5)
    assert len(copied(tmp_path / "a", tmp_path / "b")) == 5


def test_a_folder_that_is_not_there_leaves_an_empty_one(tmp_path):
    assert copied(tmp_path / "none", tmp_path / "b") == []
