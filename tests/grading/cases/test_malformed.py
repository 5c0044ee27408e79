"""What students do to a notebook file costs what they took away, and is told in a note."""

from __future__ import annotations

import copy
import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from tests.grading.cases.conftest import Class, said
from tests.grading.cases.lesson import ANSWERS, FULL, cell

from coursekit.grading.status import Status

pytestmark = pytest.mark.xdist_group("cases")

WRITTEN = 2.0  # points of m1, which waits for a mark by hand


def index(nb, name):
    return nb.cells.index(cell(nb, name))


def remove(*names):
    def damage(nb):
        nb.cells = [
            c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") not in names
        ]

    return damage


def split(name):
    """Split Cell in JupyterLab: both halves keep the metadata."""

    def damage(nb):
        at = index(nb, name)
        first, second = copy.deepcopy(nb.cells[at]), copy.deepcopy(nb.cells[at])
        first.source, second.source = "half = 1", nb.cells[at].source
        second.id = "second-half"
        nb.cells[at : at + 1] = [first, second]

    return damage


def copied(name):
    def damage(nb):
        again = copy.deepcopy(cell(nb, name))
        again.id = "again"
        nb.cells.insert(index(nb, name) + 1, again)

    return damage


def typed(name, kind):
    def damage(nb):
        it = cell(nb, name)
        it.cell_type = kind
        it.pop("outputs", None)
        it.pop("execution_count", None)

    return damage


def without_metadata(nb):
    for it in nb.cells:
        it.metadata = {}


def kernel(name):
    def damage(nb):
        nb.metadata = {"kernelspec": {"name": name, "display_name": name}} if name else {}

    return damage


def moved_to_the_end(name):
    def damage(nb):
        nb.cells.append(nb.cells.pop(index(nb, name)))

    return damage


def from_an_older_release(nb):
    old = new_code_cell("assert False", id="old")
    old.metadata["nbgrader"] = {
        "grade_id": "oldcell", "grade": True, "solution": False, "locked": True, "task": False,
        "points": 3, "schema_version": 3, "cell_type": "code", "checksum": "0" * 32,
    }  # fmt: skip
    nb.cells.append(old)


def typed_elsewhere(nb):
    it = cell(nb, "q1")
    nb.cells.insert(index(nb, "q1") + 1, new_code_cell(it.source, id="elsewhere"))
    it.source = 'raise NotImplementedError("Not attempted yet: replace this line with your code.")'


def typed_into_the_test(nb):
    it, test = cell(nb, "q1"), cell(nb, "t1")
    test.source = it.source + "\n" + test.source
    it.source = "# see below"


def points_of_a_test(nb):
    cell(nb, "t1").metadata.nbgrader.points = 1000


def unlocked_and_emptied(nb):
    test = cell(nb, "t1")
    test.metadata.nbgrader.update(locked=False, solution=True)
    test.source = "2.0"


def renamed_id(nb):
    cell(nb, "q1").metadata.nbgrader.grade_id = "Q1 "


def international(nb):
    answer = cell(nb, "q1")
    answer.source = answer.source.replace("X", "Ξ").replace("\n    ", "\r\n\t") + "  # 🙂 ü"
    written = cell(nb, "m1")
    written.attachments = {"a.png": {"image/png": "iVBORw0KGgo="}}
    written.source = "![so](attachment:a.png) 因为"


def long_outputs(nb):
    cell(nb, "q1").outputs = [new_output("stream", name="stdout", text="x" * 60_000_000)]


def long_text(nb):
    cell(nb, "m1").source = "x" * 5_000_000


def equal_ids(nb):
    for it in nb.cells:
        it.id = "same"


def colab(nb):
    nb.nbformat_minor = 0
    nb.metadata = {"colab": {"provenance": []}, "accelerator": "GPU"}
    for number, it in enumerate(nb.cells):
        it.pop("id", None)
        it.metadata["id"] = f"c{number}"


# name: damage, what it costs, words that the TA reads
CASES = {
    "untouched answers": (lambda nb: None, {}, ""),
    "A01 test deleted": (remove("t1"), {}, "`t1`"),
    "A01 last test deleted": (remove("t4"), {}, "`t4`"),
    "A02 test and answer deleted": (remove("q1", "t1"), {"t1": 0}, "`t1`"),
    "A02 nearly all deleted": (
        remove("data", "q1", "t1", "q2", "t2", "q3", "t3", "m1"),
        {"t1": 0, "t2": 0, "t3": 0},
        "`q2`",
    ),
    "A03 answer split": (split("q1"), {}, "`q1`"),
    "A03 answer copied": (copied("q1"), {}, "`q1`"),
    "A03 test copied": (copied("t1"), {}, "`t1`"),
    "A05 test as markdown": (typed("t1", "markdown"), {}, "`t1`"),
    "A05 test as raw": (typed("t1", "raw"), {}, "`t1`"),
    "A05 answer as markdown": (typed("q1", "markdown"), {}, "`q1`"),
    "A05 answer as raw": (typed("q1", "raw"), {}, "`q1`"),
    "A05 data as markdown": (typed("data", "markdown"), {}, ""),
    "A10 metadata gone": (without_metadata, {}, ""),
    "A12 foreign kernel": (kernel("conda-env-ml-py"), {}, ""),
    "A12 no kernel": (kernel(""), {}, ""),
    "A13 equal ids": (equal_ids, {}, ""),
    "A14 colab": (colab, {}, ""),
    "A15 answer after its test": (moved_to_the_end("q1"), {"t1": 0}, "out of order"),
    "A18 older release": (from_an_older_release, {}, "oldcell"),
    "A19 answer elsewhere": (typed_elsewhere, {}, ""),
    "A19 answer in the test": (typed_into_the_test, {"t1": 0}, "`t1`"),
    "A20 written answer deleted": (remove("m1"), {}, "`m1`"),
    "A21 international": (international, {}, ""),
    "A24 long outputs": (long_outputs, {}, ""),
    "A24 long text": (long_text, {}, "`m1`"),
    "points changed": (points_of_a_test, {}, ""),
    "test unlocked and emptied": (unlocked_and_emptied, {}, "`t1`"),
    "grade id changed": (renamed_id, {}, "`q1`"),
    "data deleted": (remove("data"), {}, "`data`"),
}


def body(nb):
    """The file as an editor may write it; nbformat would mend it."""
    return json.dumps(nb).encode()


def as_version_3(nb):
    old = nbformat.convert(nb, 3)
    return nbformat.writes(old, version=nbformat.NO_CONVERT).encode()


def edited(change):
    def raw(nb):
        stored = json.loads(nbformat.writes(nb))
        change(stored)
        return json.dumps(stored).encode()

    return raw


def no_ids(stored):
    stored["nbformat_minor"] = 5
    for it in stored["cells"]:
        it.pop("id")


def no_outputs(stored):
    for it in stored["cells"]:
        it.pop("outputs", None)


RAW = {
    "A13 version 3": as_version_3,
    "A13 minor 4 with ids": edited(lambda stored: stored.update(nbformat_minor=4)),
    "A13 minor 5 without ids": edited(no_ids),
    "A13 minor 99": edited(lambda stored: stored.update(nbformat_minor=99)),
    "A13 no outputs": edited(no_outputs),
    "A13 byte order mark": lambda nb: b"\xef\xbb\xbf" + body(nb),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class after grading, and the results."""
    course = Class(tmp_path_factory.mktemp("malformed"))
    for name, (damage, _, _) in CASES.items():
        nb = course.right()
        damage(nb)
        course.hand_in(name, body(nb))
    for name, raw in RAW.items():
        course.hand_in(name, raw(course.right()))
    return course, course.grade()


@pytest.mark.parametrize(("name", "lost", "words"), [(n, c[1], c[2]) for n, c in CASES.items()])
def test_damage_costs_what_is_gone_and_is_told(graded, name, lost, words):
    course, results = graded
    result = results[name, "ps1"]
    no_answer = name in ("A20 written answer deleted", "A02 nearly all deleted")
    assert result.status is (Status.GRADED if no_answer else Status.BY_HAND), said(result)
    marks = dict(course.marks(name))
    marks.pop("m1")
    assert marks == {**FULL, **lost}
    assert words.casefold() in said(result)
    if not words and not lost and name != "data deleted":
        assert result.points == sum(FULL.values()) + WRITTEN


@pytest.mark.parametrize("name", RAW)
def test_old_and_odd_formats_are_graded(graded, name):
    course, results = graded
    assert results[name, "ps1"].status is Status.BY_HAND
    assert {**course.marks(name), "m1": None} == {**FULL, "m1": None}


def test_an_untouched_submission_has_no_note(graded):
    assert said(graded[1]["untouched answers", "ps1"]) == ""


def test_a_deleted_written_answer_can_still_be_marked(graded):
    course, _ = graded
    assert cell(course.graded("A20 written answer deleted"), "m1").metadata.nbgrader.points == 2


def test_an_answer_typed_into_a_test_is_not_lost(graded):
    text = "\n".join(c.source for c in graded[0].graded("A19 answer in the test").cells)
    assert ANSWERS["q1"].splitlines()[0] in text


def test_files_that_are_no_notebook_are_told_apart_from_zeros(fresh):
    whole = body(fresh.right())
    files = {
        "empty": b"",
        "cut": whole[:1500],
        "merged": whole.replace(b'"cells"', b'<<<<<<< HEAD\n"cells"', 1),
        "a list": b"[1, 2]",
        "bytes": bytes(range(256)),
    }
    for student, content in files.items():
        fresh.hand_in(student, content)
    fresh.hand_in("right", fresh.right())
    results = fresh.grade()
    for student in files:
        assert results[student, "ps1"].status is Status.UNREADABLE, student
        assert results[student, "ps1"].score is None
        assert "again" in said(results[student, "ps1"])
    assert results["right", "ps1"].score == sum(FULL.values())


def test_names_copies_and_folders(fresh):
    right = body(fresh.right())
    wrong = body(fresh.right(q1="def center(X): return X"))
    (fresh.place("renamed") / "ps1 (1).ipynb").write_bytes(right)
    (fresh.place("two names") / "ps1 (1).ipynb").write_bytes(right)
    (fresh.place("two names") / "ps1 (2).ipynb").write_bytes(wrong)
    fresh.hand_in("copies", right)
    (fresh.place("copies") / "ps1-Copy1.ipynb").write_bytes(wrong)
    (fresh.place("copies") / ".ipynb_checkpoints").mkdir()
    (fresh.place("copies") / "ps1.html").write_text("<script>alert(1)</script>")
    nested = fresh.place("nested") / "ps1"
    nested.mkdir()
    (nested / "ps1.ipynb").write_bytes(right)
    fresh.place("nothing")
    results = fresh.grade()
    full = sum(FULL.values())
    assert results["renamed", "ps1"].score == full and "ps1 (1)" in said(results["renamed", "ps1"])
    assert results["two names", "ps1"].status is Status.WRONG_NAME
    assert results["copies", "ps1"].score == full and "copy1" in said(results["copies", "ps1"])
    assert results["nested", "ps1"].score == full and said(results["nested", "ps1"])
    assert results["nothing", "ps1"].status is Status.WRONG_NAME or (
        results["nothing", "ps1"].status is Status.NOT_SUBMITTED
    )
    assert results["nothing", "ps1"].score is None


def test_links_and_odd_names_are_refused_or_graded_in_words(fresh, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "ps1.ipynb").write_bytes(body(fresh.right()))
    (fresh.folder / "submitted" / "linked").mkdir(parents=True)
    (fresh.folder / "submitted" / "linked" / "ps1").symlink_to(elsewhere)
    fresh.hand_in("file link", body(fresh.right()))
    (fresh.place("file link") / "book.db").symlink_to(fresh.folder / "gradebook.db")
    fresh.hand_in("Zoë van 't Hof+1", body(fresh.right()))
    many = fresh.hand_in("many files", body(fresh.right())).parent
    for number in range(3000):
        (many / f"{number}.txt").touch()
    results = fresh.grade()
    assert results["linked", "ps1"].score is None and "link" in said(results["linked", "ps1"])
    assert results["file link", "ps1"].score == sum(FULL.values())
    assert not (fresh.folder / "autograded" / "file link" / "ps1" / "book.db").exists()
    assert results["Zoë van 't Hof+1", "ps1"].score == sum(FULL.values())
    assert results["many files", "ps1"].score == sum(FULL.values())
    assert "files" in said(results["many files", "ps1"])


def test_text_cells_of_the_student_stay(fresh):
    nb = fresh.right()
    nb.cells.insert(1, new_markdown_cell("My own remark.", id="mine"))
    fresh.hand_in("ada", nb)
    fresh.grade()
    assert "My own remark." in [c.source for c in fresh.graded("ada").cells]
