"""What is taken from the folder that a student handed in."""

from __future__ import annotations

import copy
import dataclasses
import json
import os
import shutil

import pytest
from tests.grading.intake.damage import cell_of, claim

from coursekit.grading.intake.files import Taken
from coursekit.grading.intake.repair import repair
from coursekit.grading.intake.submission import course_files, read
from coursekit.grading.status import Status

pytestmark = pytest.mark.xdist_group("intake")
NAME = "perceptron"
FILE = f"{NAME}.ipynb"


@pytest.fixture
def raw(solved):
    return json.dumps(solved).encode()


@pytest.fixture
def known(template):
    return {NAME: template}


@pytest.fixture
def hand_in(tmp_path):
    """Write files into the submission folder and return it."""

    def write(files):
        folder = tmp_path / "submitted" / "amy" / NAME
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        return folder

    return write


def texts(found):
    return [note.text for note in found.notes]


def test_a_right_submission_is_taken_without_a_word(hand_in, raw, known):
    found = read(hand_in({FILE: raw, "data/a b.csv": b"1,2", "timestamp.txt": b"now"}), known)
    assert found.status is None and found.why == "" and found.notes == []
    assert found.files == {"data/a b.csv": b"1,2"} and found.missing == {}
    assert repair(found.notebooks[NAME], known[NAME]).notes == []


@pytest.mark.parametrize(
    "name",
    [
        f"{NAME} (1).ipynb",
        "Perceptron.ipynb",
        "Müller 'Zoë' \"final\" 😀.ipynb",
        "a\nb.ipynb",
        ".hidden.ipynb",
        "x.IPYNB",
    ],
)
def test_a_renamed_notebook_is_graded_under_the_right_name(hand_in, raw, known, name):
    found = read(hand_in({name: raw}), known)
    assert found.status is None and set(found.notebooks) == {NAME}
    assert len(found.notes) == 1 and f"{FILE} was expected" in texts(found)[0]
    assert texts(found)[0].isprintable()


def test_a_renamed_notebook_without_metadata_is_found_by_its_texts(hand_in, solved, known):
    book = copy.deepcopy(solved)
    for cell in book["cells"]:
        cell["metadata"] = {}
    found = read(hand_in({"mine.ipynb": json.dumps(book).encode()}), known)
    assert set(found.notebooks) == {NAME}


def test_two_notebooks_that_could_be_it_are_not_graded(hand_in, solved, raw, known):
    other = copy.deepcopy(solved)
    cell_of(other, "predict")["source"] = "def predict(X, w, b): return 0"
    found = read(hand_in({"a.ipynb": raw, "b.ipynb": json.dumps(other).encode()}), known)
    assert found.status is Status.WRONG_NAME and found.notebooks == {}
    assert found.why == (
        "expected perceptron.ipynb, found a.ipynb, b.ipynb: more than one could be it"
    )


def test_two_equal_copies_under_other_names_are_one(hand_in, raw, known):
    found = read(hand_in({"a.ipynb": raw, "b.ipynb": raw}), known)
    assert found.status is None and set(found.notebooks) == {NAME}


def test_a_notebook_of_something_else_is_not_graded(hand_in, known):
    found = read(hand_in({"other.ipynb": b'{"cells": []}'}), known)
    assert found.status is Status.WRONG_NAME and "found other.ipynb" in found.why


def test_an_empty_notebook_with_the_right_name_gives_way_to_the_right_one(hand_in, raw, known):
    found = read(hand_in({FILE: b'{"cells": []}', "Untitled.ipynb": raw}), known)
    assert json.loads(found.notebooks[NAME])["cells"]
    assert "Untitled.ipynb was graded in its place" in texts(found)[0]


def test_copies_beside_the_notebook_are_listed_and_not_taken(hand_in, solved, raw, known):
    copies = {
        f"{NAME}-Copy1.ipynb": raw,
        f".ipynb_checkpoints/{NAME}-checkpoint.ipynb": raw,
        "old/perceptron.ipynb": raw,
    }
    found = read(hand_in({FILE: raw, **copies}), known)
    assert texts(found) == [
        "Not graded, since the notebook is there already: old/perceptron.ipynb, "
        "perceptron-Copy1.ipynb."
    ]
    assert found.files == {}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda raw: b"", "is empty"),
        (lambda raw: raw[:1500], "is cut off or damaged"),
        (lambda raw: raw.replace(b'"cells"', b'\n<<<<<<< HEAD\n"cells"', 1), "conflict marks"),
        (lambda raw: b"[]", "is not a notebook"),
    ],
)
def test_a_damaged_file_is_unreadable(hand_in, raw, known, change, said):
    found = read(hand_in({FILE: change(raw)}), known)
    assert found.status is Status.UNREADABLE and found.notebooks == {}
    assert said in found.why and found.why.endswith("ask for it again")


def test_a_damaged_file_under_another_name_is_no_notebook(hand_in, known):
    found = read(hand_in({"mine.ipynb": b""}), known)
    assert found.status is Status.WRONG_NAME and "found mine.ipynb" in found.why


def test_a_nested_folder_is_found_with_its_files(hand_in, raw, known):
    found = read(hand_in({f"{NAME}/{FILE}": raw, f"{NAME}/helper.py": b"1", "x.txt": b""}), known)
    assert found.files == {"helper.py": b"1", "x.txt": b""}
    assert texts(found) == [
        "perceptron.ipynb was expected: perceptron/perceptron.ipynb was graded in its place."
    ]


@pytest.mark.parametrize("files", [{}, {"timestamp.txt": b"now"}, {"p.html": b"<p>"}])
def test_an_empty_folder_is_not_submitted(hand_in, known, files):
    found = read(hand_in(files), known)
    assert found.status is Status.NOT_SUBMITTED and found.why == "the submission folder is empty"


def test_no_folder_is_not_submitted(tmp_path, known):
    found = read(tmp_path / "nobody" / NAME, known)
    assert found.status is Status.NOT_SUBMITTED and found.why == ""


def test_a_folder_without_a_notebook_says_so(hand_in, known):
    found = read(hand_in({"answer.docx": b"PK"}), known)
    assert found.status is Status.WRONG_NAME
    assert found.why == "expected perceptron.ipynb, found no notebook"


def test_a_file_in_place_of_the_folder_is_refused(hand_in, raw, known):
    found = read(hand_in({FILE: raw}) / FILE, known)
    assert found.status is Status.UNREADABLE and "a file in place" in found.why


def test_a_folder_that_is_a_link_is_refused(hand_in, raw, known, tmp_path):
    folder = hand_in({FILE: raw})
    (tmp_path / "link").symlink_to(folder)
    (tmp_path / "submitted" / "bob").symlink_to(tmp_path / "away")
    (tmp_path / "away" / NAME).mkdir(parents=True)
    for linked in (tmp_path / "link", tmp_path / "submitted" / "bob" / NAME):
        found = read(linked, known)
        assert found.status is Status.UNREADABLE and "is a link, which is not followed" in found.why


def test_a_name_that_is_too_long_is_told(tmp_path, known):
    found = read(tmp_path / ("x" * 300) / NAME, known)
    assert (
        found.status is Status.UNREADABLE and "cannot be reached (File name too long)" in found.why
    )


def test_what_may_not_be_opened_is_told(hand_in, raw, known, monkeypatch):
    folder = hand_in({FILE: raw, "closed.txt": b"", "closed/a.txt": b""})
    really, look = os.open, os.scandir

    def refuse(path, *rest):
        if "closed" in str(path):
            raise PermissionError
        return look(path) if not rest else really(path, *rest)

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(os, "scandir", refuse)
    assert texts(read(folder, known)) == [
        "The file closed.txt cannot be opened and was left out.",
        "Folders that cannot be opened: closed.",
    ]
    monkeypatch.setattr(os, "open", lambda path, *rest: refuse("closed"))
    assert "perceptron.ipynb cannot be opened" in read(folder, known).why


def test_links_inside_are_not_followed(hand_in, raw, known, tmp_path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("swordfish")
    folder = hand_in({FILE: raw})
    (folder / "all").symlink_to(tmp_path / "secret")
    (folder / "one.txt").symlink_to(tmp_path / "secret" / "key")
    found = read(folder, known)
    assert found.files == {} and texts(found) == ["Links are not followed: all, one.txt."]


def test_a_notebook_that_is_a_link_is_not_read(hand_in, raw, known, tmp_path):
    (tmp_path / "other.ipynb").write_bytes(raw)
    folder = hand_in({})
    (folder / FILE).symlink_to(tmp_path / "other.ipynb")
    found = read(folder, known)
    assert found.status is Status.WRONG_NAME and found.notebooks == {}


def test_a_pipe_holds_nothing_up(hand_in, raw, known):
    folder = hand_in({FILE: raw})
    os.mkfifo(folder / "pipe.txt")
    assert texts(read(folder, known)) == ["Not files that can be read: pipe.txt."]


def test_a_name_that_is_no_text_is_left_out(hand_in, raw, known):
    folder = hand_in({FILE: raw})
    with open(os.fsencode(folder) + b"/\xff\xfe.csv", "wb"):
        pass
    found = read(folder, known)
    assert found.files == {} and len(found.notes) == 1
    texts(found)[0].encode()


def test_thousands_of_files_are_cut(hand_in, raw, known):
    folder = hand_in({FILE: raw, **{f"many/{i:04}.txt": b"x" for i in range(3000)}})
    found = read(folder, known)
    assert len(found.files) == 200
    assert "2800 files were left out" in texts(found)[0] and len(found.notes) == 1


def test_large_files_are_not_taken_in(hand_in, raw, known):
    folder = hand_in({FILE: raw, "a.bin": b"x" * 700_000, "b.bin": b"y" * 700_000})
    with open(folder / "huge.bin", "wb") as file:
        file.truncate(500 * 1024 * 1024)
    found = read(folder, known, taken=Taken(total_mb=1))
    assert set(found.files) == {"a.bin"}
    assert any("huge.bin is larger than 50 MB" in text for text in texts(found))
    assert any("1 files were left out (b.bin)" in text for text in texts(found))


def test_a_huge_notebook_is_unreadable(hand_in, known):
    folder = hand_in({FILE: b"{"})
    with open(folder / FILE, "wb") as file:
        file.truncate(101 * 1024 * 1024)
    found = read(folder, known)
    assert found.status is Status.UNREADABLE and "is larger than 100 MB" in found.why


def test_deep_metadata_does_no_harm(hand_in, solved, known):
    deep = json.loads("[" * 500 + "]" * 500)
    book = copy.deepcopy(solved)
    for cell in book["cells"]:
        cell["metadata"]["deep"] = deep
        cell["metadata"].get("nbgrader", {})["deep"] = deep
    found = read(hand_in({FILE: json.dumps(book).encode()}), known)
    assert found.why == "" and repair(found.notebooks[NAME], known[NAME]).notes == []


def test_sixty_megabytes_of_outputs_are_dropped(hand_in, solved, known):
    book = copy.deepcopy(solved)
    text = "x" * 60_000_000
    cell_of(book, "predict")["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": text}
    ]
    found = read(hand_in({FILE: json.dumps(book).encode()}), known)
    assert found.status is None and len(found.notebooks[NAME]) < 1_000_000


def test_the_courses_files_replace_changed_ones_except_those_declared(hand_in, raw, known):
    folder = hand_in({FILE: raw, "helper.py": b"mine", "mine.py": b"mine", "same.csv": b"1"})
    given = {"helper.py": b"ours", "mine.py": b"ours", "same.csv": b"1", "new.csv": b"2"}
    found = read(folder, known, given, keep={"mine.py"})
    assert found.files == {**given, "mine.py": b"mine"}
    assert texts(found) == [
        "Your file helper.py was replaced with the course's own, which is different."
    ]


def test_a_file_where_the_course_has_a_folder_gives_way(hand_in, raw, known):
    folder = hand_in({FILE: raw, "data": b"mine", "table/x": b"mine"})
    found = read(folder, known, {"data/a.csv": b"1", "table": b"2"})
    assert found.files == {"data/a.csv": b"1", "table": b"2"} and len(found.notes) == 2


def test_the_courses_files_are_those_beside_the_source(lesson_course, tmp_path):
    root = tmp_path / "course"
    shutil.copytree(lesson_course, root)
    folder = root / "source" / NAME
    (folder / "data").mkdir()
    (folder / "data" / "a.csv").write_text("1")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "b.csv").write_text("2")
    with open(root / "nbgrader_config.py", "a") as file:
        file.write(f"\nc.Autograde.exclude_overwriting = {{{NAME!r}: ['helper.py']}}\n")
    files, keep = course_files(root, NAME)
    assert files == {"data/a.csv": b"1"} and keep == {"helper.py"}
    with open(root / "nbgrader_config.py", "a") as file:
        file.write(f"c.Autograde.exclude_overwriting.update({{{NAME!r}: ['other.py']}})\n")
    assert course_files(root, NAME)[1] == {"other.py"}
    assert course_files(root, "other") == ({}, set())


@pytest.fixture
def two(template):
    """An assignment of two notebooks; the second has other names."""
    cells = tuple(
        dataclasses.replace(cell, name=cell.name and f"b_{cell.name}", released=f"{i}", source="")
        for i, cell in enumerate(template.cells)
    )
    return {NAME: template, "second": dataclasses.replace(template, name="second", cells=cells)}


@pytest.fixture
def second(solved):
    book = copy.deepcopy(solved)
    for cell in book["cells"]:
        cell["source"] = "other"
        if claim(cell):
            cell["metadata"]["nbgrader"]["grade_id"] = f"b_{claim(cell)}"
    return json.dumps(book).encode()


def test_of_several_notebooks_a_missing_one_is_told_and_the_others_graded(hand_in, raw, two):
    found = read(hand_in({FILE: raw}), two)
    assert found.status is None and set(found.notebooks) == {NAME}
    assert set(found.missing) == {"second"}
    assert texts(found) == ["Not graded: expected second.ipynb, found perceptron.ipynb."]


def test_of_several_notebooks_a_damaged_one_is_told_and_the_others_graded(hand_in, raw, two):
    found = read(hand_in({FILE: raw, "second.ipynb": b""}), two)
    assert found.status is None and set(found.notebooks) == {NAME}
    assert found.missing == {"second": "second.ipynb is empty: ask for it again"}


def test_exchanged_names_of_two_notebooks_are_put_right(hand_in, raw, second, two):
    found = read(hand_in({FILE: second, "second.ipynb": raw}), two)
    assert b"b_predict" in found.notebooks["second"] and len(found.notes) == 2
    assert b"b_predict" not in found.notebooks[NAME]


def test_the_digest_is_of_what_is_graded(hand_in, solved, raw, known):
    first = read(hand_in({FILE: raw, "a.csv": b"1"}), known).digest
    book = copy.deepcopy(solved)
    book["metadata"]["kernelspec"] = {}
    cell_of(book, "predict").update(execution_count=7, outputs=[{"output_type": "stream"}])
    again = read(hand_in({FILE: json.dumps(book).encode(), "timestamp.txt": b"later"}), known)
    assert again.digest == first
    digests = {first, read(hand_in({"a.csv": b"2"}), known).digest}
    cell_of(book, "predict")["source"] = "def predict(X, w, b): return 0"
    digests.add(read(hand_in({FILE: json.dumps(book).encode()}), known).digest)
    digests.add(read(hand_in({FILE: b""}), known).digest)
    digests.add(read(hand_in({FILE: b"[]"}), known).digest)
    assert len(digests) == 5
