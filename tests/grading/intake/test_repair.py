"""Damaged cells are mended, each from the recipe of a case met in real classes."""

from __future__ import annotations

import copy
import dataclasses
import json

import nbformat
import pytest
from nbgrader.utils import compute_checksum, determine_grade
from tests.grading.intake.damage import at, cell_of, claim, mend, remove, settings, texts

from coursekit.grading.intake.repair import repair
from coursekit.grading.status import Status

pytestmark = pytest.mark.xdist_group("intake")


def near(done, first, second):
    return at(done.nb, second) - at(done.nb, first)


def test_a_correct_submission_has_no_notes_and_keeps_its_answers(book, template):
    done = mend(book, template)
    assert done.notes == done.flags == done.recovered == []
    before = ["".join(cell["source"]) for cell in book["cells"] if not _locked(cell)]
    assert [c.source for c in done.nb.cells if not _locked(c)] == before


def _locked(cell):
    return cell["metadata"].get("nbgrader", {}).get("locked")


def test_the_untouched_release_has_no_notes(released, template):
    done = mend(copy.deepcopy(released), template)
    assert done.notes == [] and done.flags == []


def test_the_cells_of_the_course_are_marked_and_answers_are_not(book, template):
    book["cells"].append({"cell_type": "code", "metadata": {}, "source": "mine = 1"})
    book["cells"][3]["source"] = "X, y = blobs()  # changed"
    cells = mend(book, template).nb.cells
    assert cells[0].metadata.coursekit.role == "course"
    assert "coursekit" not in cells[3].metadata and "coursekit" not in cells[-1].metadata


def test_a_deleted_check_is_put_back_after_its_answer(book, template):
    done = mend(remove(book, "predict_sides"), template)
    assert texts(done, "predict_sides") == [
        "The check `predict_sides` was missing from your notebook. It was put back and run."
    ]
    assert near(done, "predict", "predict_sides") == 1
    assert near(done, "predict", "predict_on_line") == 2


def test_a_check_put_back_comes_after_cells_in_which_the_answer_goes_on(book, template):
    more = {"cell_type": "code", "metadata": {}, "source": "def helper(): pass"}
    book["cells"].insert(at(book, "predict") + 1, more)
    done = mend(remove(book, "predict_sides", "predict_on_line"), template)
    assert near(done, "predict", "predict_sides") == 2


def test_a_deleted_check_follows_an_answer_that_was_moved(book, template):
    book["cells"].append(book["cells"].pop(at(book, "predict")))
    done = mend(remove(book, "predict_sides"), template)
    assert near(done, "predict", "predict_sides") == 1
    assert texts(done, "predict_on_line") != []


def test_a_deleted_check_and_its_answer_are_both_put_back(book, template):
    done = mend(remove(book, "predict", "predict_sides"), template)
    assert near(done, "predict", "predict_sides") == 1
    assert "put back without an answer" in texts(done, "predict")[0]
    assert cell_of(done.nb, "predict").source == template.named["predict"].released


def test_all_but_one_cell_deleted(book, template):
    book["cells"] = [cell_of(book, "train_stops")]
    done = mend(book, template)
    assert [claim(cell) for cell in done.nb.cells] == list(template.named)


@pytest.mark.parametrize("cut", [0, 3])
def test_a_split_answer_runs_in_its_parts(book, template, cut):
    whole = cell_of(book, "predict")
    lines = whole["source"].split("\n")
    half = copy.deepcopy(whole)
    if cut:
        whole["source"], half["source"] = "\n".join(lines[:cut]), "\n".join(lines[cut:])
    book["cells"].insert(at(book, "predict") + 1, half)
    done = mend(book, template)
    assert texts(done) == [
        "The cell `predict` was there 2 times. Each was run in its place, and one of them counts "
        "as the cell."
    ]
    index = at(book, "predict")
    parts = done.nb.cells[index : index + 2]
    assert [part.source for part in parts] == [whole["source"], half["source"]]
    assert [claim(part) for part in parts] == ["predict", ""]
    assert {part.cell_type for part in parts} == {"code"}


def test_of_a_copied_stub_the_one_with_the_answer_counts(book, template):
    stub = copy.deepcopy(cell_of(book, "predict"))
    stub["source"] = template.named["predict"].released
    book["cells"].insert(at(book, "predict"), stub)
    done = mend(book, template)
    assert "@" in cell_of(done.nb, "predict").source or "np" in cell_of(done.nb, "predict").source
    assert not done.nb.cells[at(done.nb, "predict") - 1].metadata


def test_of_a_check_pasted_again_the_last_one_counts(book, template):
    copied = copy.deepcopy(cell_of(book, "predict_sides"))
    book["cells"].insert(at(book, "predict"), copied)
    done = mend(book, template)
    assert near(done, "predict", "predict_sides") == 1
    assert "2 times" in texts(done, "predict_sides")[0]
    assert not any("out of order" in text for text in texts(done))


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize("name", ["predict", "predict_sides"])
def test_a_cell_turned_into_text_is_turned_back(book, template, name, kind):
    cell = cell_of(book, name)
    text = cell["source"]
    cell["cell_type"] = kind
    del cell["outputs"], cell["execution_count"]
    done = mend(book, template)
    assert len(done.notes) == 1 and "It was turned back." in texts(done, name)[0]
    if name == "predict":
        assert cell_of(done.nb, name).source == text


def test_a_written_answer_turned_into_code_is_turned_back(book, template):
    cell = cell_of(book, "why_no_line")
    cell.update(cell_type="code", outputs=[], execution_count=None, source="Because.")
    done = mend(book, template)
    assert cell_of(done.nb, "why_no_line").source == "Because."
    assert "turned into a code cell" in texts(done)[0]


def test_the_imports_turned_into_text_are_turned_back(book, template):
    book["cells"][1]["cell_type"] = "markdown"
    done = mend(book, template)
    assert done.nb.cells[1].cell_type == "code" and len(done.notes) == 1


def test_code_of_the_course_put_away_beside_a_changed_copy_stays_text(book, template):
    kept = copy.deepcopy(book["cells"][3])
    kept["cell_type"] = "raw"
    book["cells"][3]["source"] = "X, y = blobs(distance=3)"
    book["cells"].insert(3, kept)
    done = mend(book, template)
    assert done.nb.cells[3].cell_type == "raw" and done.notes == []


def test_all_metadata_gone_is_recovered(book, template):
    for cell in book["cells"]:
        cell["metadata"] = {}
    done = mend(book, template)
    assert done.recovered == list(template.named)
    assert len(done.notes) == 1 and "recognised by their content" in texts(done)[0]
    for name in ("predict", "why_no_line", "visiting_orders"):
        assert cell_of(done.nb, name).source == cell_of_source(book, template, name)


def cell_of_source(book, template, name):
    return book["cells"][template.cells.index(template.named[name])]["source"]


def test_answers_pasted_into_a_plain_notebook_are_recovered(book, template):
    code = [cell for cell in book["cells"] if claim(cell) and cell["cell_type"] == "code"]
    plain = [{"cell_type": "code", "source": cell["source"], "metadata": {}} for cell in code]
    done = mend({"cells": plain, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}, template)
    assert cell_of(done.nb, "train").source == cell_of(book, "train")["source"]
    assert "train" in done.recovered and "why_no_line" not in done.recovered
    assert "was missing" in texts(done, "why_no_line")[0]


def test_another_notebook_has_no_gradable_cells_and_gets_none(template):
    other = {"cells": [{"cell_type": "code", "source": "1 + 1", "metadata": {}}], "nbformat": 4}
    done = repair(other, template)
    assert done.status is Status.NO_CELLS
    assert "no gradable cells found in perceptron.ipynb" in done.why
    assert [cell.source for cell in done.nb.cells] == ["1 + 1"]
    assert repair(done.nb, template).status is Status.NO_CELLS


@pytest.mark.parametrize("kernel", [{"name": "conda-env-ml-py", "display_name": "x"}, None, 3])
def test_the_kernel_is_the_courses(book, template, kernel):
    book["metadata"] = {} if kernel is None else {"kernelspec": kernel, "language_info": 7}
    assert mend(book, template).notes == []


def test_an_answer_after_its_checks_is_told_and_its_order_kept(book, template):
    book["cells"].append(book["cells"].pop(at(book, "predict")))
    done = mend(book, template)
    assert [note.cell for note in done.notes] == ["predict_sides", "predict_on_line"]
    assert texts(done)[0] == (
        "The check `predict_sides` stands before its answer `predict`: it works only if cells run "
        "out of order. Move the answer above its check."
    )
    assert claim(done.nb.cells[-1]) == "predict"


def test_an_answer_in_a_new_cell_after_the_checks_is_told(book, template):
    answer = cell_of(book, "predict")
    late = {"cell_type": "code", "metadata": {}, "source": answer["source"]}
    answer["source"] = template.named["predict"].released
    book["cells"].insert(at(book, "update"), late)
    done = mend(book, template)
    assert "stands before the cell that answers `predict`" in texts(done, "predict_sides")[0]


def test_an_answer_in_a_new_cell_below_the_stub_is_left_as_it_is(book, template):
    answer = cell_of(book, "predict")
    below = {"cell_type": "code", "metadata": {}, "source": answer["source"]}
    answer["source"] = template.named["predict"].released
    book["cells"].insert(at(book, "predict") + 1, below)
    done = mend(book, template)
    assert done.notes == []
    assert done.nb.cells[at(done.nb, "predict") + 1].source == below["source"]


def test_a_check_of_an_older_release_is_kept_as_text(book, template):
    old = copy.deepcopy(cell_of(book, "predict_sides"))
    old["source"] = "assert old() == 1"
    old["metadata"]["nbgrader"]["grade_id"] = "oldcell"
    book["cells"].append(old)
    done = mend(book, template)
    assert texts(done) == [
        "The cell `oldcell` is not in this release of the assignment. It was not run and is kept "
        "as text."
    ]
    assert done.nb.cells[-1].cell_type == "markdown"
    assert done.nb.cells[-1].source == "```python\nassert old() == 1\n```"


def test_an_answer_of_an_older_release_is_an_ordinary_cell(book, template):
    old = copy.deepcopy(cell_of(book, "predict"))
    old["source"] = "def older(): return 1"
    old["metadata"]["nbgrader"]["grade_id"] = "older"
    book["cells"].append(old)
    done = mend(book, template)
    assert done.nb.cells[-1].cell_type == "code" and "ordinary cell" in texts(done)[0]


def test_what_was_typed_into_a_check_is_told_and_stays_to_be_seen(book, template):
    answer, check = cell_of(book, "predict"), cell_of(book, "predict_sides")
    typed = answer["source"]
    check["source"] = typed + "\n\n" + "".join(check["source"])
    answer["source"] = template.named["predict"].released
    done = mend(book, template)
    assert texts(done) == [
        "The read-only cell `predict_sides` had been changed: the course's own text was used. "
        "What was typed there is kept beside it."
    ]
    kept = done.nb.cells[at(done.nb, "predict_sides") + 1]
    assert kept.cell_type == "markdown" and typed in kept.source and "check(" not in kept.source


def test_a_check_replaced_with_other_text(book, template):
    cell_of(book, "predict_sides")["source"] = "1.0  # full marks"
    done = mend(book, template)
    assert "1.0  # full marks" in done.nb.cells[at(done.nb, "predict_sides") + 1].source
    assert len(done.notes) == 1


@pytest.mark.parametrize(
    "change", [str.rstrip, lambda t: t.replace("\n", "\r\n"), "{}\n\n ".format]
)
def test_spaces_and_line_ends_in_a_check_are_no_change(book, template, change):
    check = cell_of(book, "predict_sides")
    check["source"] = change("".join(check["source"]))
    assert mend(book, template).notes == []


def test_the_hidden_tests_of_the_course_are_no_change(book, template):
    cell_of(book, "predict_sides")["source"] = template.named["predict_sides"].source
    assert mend(book, template).notes == []


def test_a_deleted_written_answer_is_put_back_without_an_answer(book, template):
    done = mend(remove(book, "why_no_line"), template)
    cell = cell_of(done.nb, "why_no_line")
    assert cell.source == template.named["why_no_line"].released
    assert "put back without an answer" in texts(done, "why_no_line")[0]
    assert determine_grade(cell) == (0, 3.0)


def test_a_written_answer_replaced_with_a_new_cell_is_recovered(book, template):
    index = at(book, "why_no_line")
    book["cells"][index] = {"cell_type": "markdown", "metadata": {}, "source": "Since it crosses."}
    done = mend(book, template)
    assert cell_of(done.nb, "why_no_line").source == "Since it crosses."
    assert done.recovered == ["why_no_line"]


def test_attachments_scripts_line_ends_and_tabs_stay(book, template):
    written, answer = cell_of(book, "why_no_line"), cell_of(book, "predict")
    written["attachments"] = {"shot.png": {"image/png": "AAAA"}}
    written["source"] = "![x](attachment:shot.png) 😀 \t Größe"
    answer["source"] = "π = 3\r\ndef predict(X, w, b):\r\n\treturn 'ok 😀'\r"
    done = mend(book, template)
    assert done.notes == []
    assert cell_of(done.nb, "why_no_line").attachments == written["attachments"]
    assert cell_of(done.nb, "why_no_line").source == written["source"]
    assert cell_of(done.nb, "predict").source == "π = 3\ndef predict(X, w, b):\n\treturn 'ok 😀'\n"


def test_a_huge_written_answer_is_cut_and_told(book, template):
    cell_of(book, "why_no_line")["source"] = "x" * 5_000_000
    done = mend(book, template)
    assert len(cell_of(done.nb, "why_no_line").source) == 200_000
    assert "what follows 200,000 letters was cut" in texts(done, "why_no_line")[0]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("predict_sides", {"points": 1000}),
        ("predict_sides", {"locked": False}),
        ("predict_sides", {"solution": True, "locked": False}),
        ("predict_sides", {"grade": False}),
        ("predict", {"grade": True, "points": 5, "solution": False}),
        ("why_no_line", {"points": "many"}),
        ("why_no_line", {"grade": None, "solution": [1]}),
    ],
)
def test_changed_settings_are_put_back_noted_and_flagged(book, template, name, change):
    settings(book, name).update(change)
    done = mend(book, template)
    assert texts(done, name) == [
        f"The settings of the cell `{name}` had been changed. They were put back."
    ]
    assert [flag.cell for flag in done.flags] == [name]


@pytest.mark.parametrize("version", [None, 0, 1, 2, 4, "3"])
def test_other_schema_versions_are_brought_up_to_date(book, template, version):
    for cell in book["cells"]:
        found = cell["metadata"].get("nbgrader")
        if found and version is None:
            del found["schema_version"]
        elif found:
            found["schema_version"] = version
            found.pop("task", None)
    assert mend(book, template).notes == []


def test_exchanged_names_of_a_check_and_an_answer_are_put_right(book, template):
    one, two = settings(book, "predict"), settings(book, "predict_sides")
    one["grade_id"], two["grade_id"] = two["grade_id"], one["grade_id"]
    answer = book["cells"][5]["source"]
    done = mend(book, template)
    assert cell_of(done.nb, "predict").source == answer
    assert near(done, "predict", "predict_sides") == 1


def test_exchanged_names_of_two_answers_are_put_right(book, template):
    texts_before = {name: cell_of(book, name)["source"] for name in ("predict", "train")}
    one, two = settings(book, "predict"), settings(book, "train")
    one["grade_id"], two["grade_id"] = two["grade_id"], one["grade_id"]
    done = mend(book, template)
    for name, text in texts_before.items():
        assert cell_of(done.nb, name).source == text


@pytest.mark.parametrize("name", ["Predict", "predict2", "predict ", "", 7, None, ["predict"]])
def test_an_answer_whose_name_was_changed_is_found_by_what_it_defines(book, template, name):
    text = cell_of(book, "predict")["source"]
    settings(book, "predict")["grade_id"] = name
    done = mend(book, template)
    assert cell_of(done.nb, "predict").source == text and done.recovered == ["predict"]


def test_an_answer_merged_with_its_check_still_answers(book, template):
    answer = cell_of(book, "predict")
    answer["source"] += "\n\n" + "".join(cell_of(book, "predict_sides")["source"])
    done = mend(remove(book, "predict_sides"), template)
    assert near(done, "predict", "predict_sides") == 1
    assert cell_of(done.nb, "predict").source == answer["source"]


def test_two_merged_answers_are_not_undone_by_a_stub(book, template):
    answer = cell_of(book, "predict")
    answer["source"] += "\n\n" + cell_of(book, "update")["source"]
    done = mend(remove(book, "update"), template)
    assert cell_of(done.nb, "update").source == ("# The answer to update is in the cell `predict`.")
    assert "its answer is in the cell `predict`" in texts(done, "update")[0]


def test_an_answer_merged_into_the_check_above_it_is_found_again(book, template):
    check, answer = cell_of(book, "predict_on_line"), cell_of(book, "update")["source"]
    check["source"] = "".join(check["source"]) + "\n\n" + answer
    done = mend(remove(book, "update"), template)
    assert cell_of(done.nb, "update").source == answer
    assert near(done, "predict_on_line", "update") == 1


def test_an_answer_merged_into_the_check_below_it_stands_before_the_check(book, template):
    check, answer = cell_of(book, "predict_sides"), cell_of(book, "predict")["source"]
    check["source"] = answer + "\n\n" + "".join(check["source"])
    done = mend(remove(book, "predict"), template)
    assert cell_of(done.nb, "predict").source == answer
    assert near(done, "predict", "predict_sides") == 1


def test_merged_checks_lose_nothing_and_leave_no_text_behind(book, template):
    first, second = cell_of(book, "predict_sides"), cell_of(book, "predict_on_line")
    first["source"] = "".join(first["source"]) + "\n\n" + "".join(second["source"])
    done = mend(remove(book, "predict_on_line"), template)
    assert len(done.nb.cells) == len(template.cells)


def test_tags_that_skip_or_hide_a_cell_are_dropped(book, template):
    for cell in book["cells"]:
        cell["metadata"]["tags"] = ["skip-execution", "raises-exception", "remove_cell"]
        cell["metadata"]["jupyter"] = {"source_hidden": True}
        cell["metadata"]["coursekit"] = {"role": "course"}
    done = mend(book, template)
    left = {tag for cell in done.nb.cells for tag in cell.metadata.get("tags", [])}
    assert not left & {"skip-execution", "raises-exception", "remove_cell"}
    assert not any("jupyter" in cell.metadata for cell in done.nb.cells)


def test_notes_that_a_submission_brings_are_dropped(book, template):
    book["metadata"]["coursekit"] = {"notes": [{"cell": "", "text": "Full marks."}]}
    assert mend(book, template).nb.metadata.coursekit["notes"] == []


def test_bytes_and_notebooks_are_mended_alike(book, template):
    remove(book, "predict")
    assert mend(json.dumps(book).encode(), template).nb == mend(book, template).nb


def test_a_check_of_another_release_is_not_the_students_change(book, template):
    check = cell_of(book, "predict_sides")
    check["source"] = "assert predict is not None"
    check["metadata"]["nbgrader"]["checksum"] = compute_checksum(nbformat.from_dict(check))
    done = mend(book, template)
    assert texts(done) == [
        "The cell `predict_sides` was from another release of the assignment: this one's was used."
    ]
    assert len(done.nb.cells) == len(template.cells)


def test_a_name_that_two_answers_define_is_no_answer_to_the_missing_one(book, template):
    known = template.named["predict"]
    cells = [dataclasses.replace(c, released=known.released) if c.name == "update" else c
             for c in template.cells]  # fmt: skip
    two = dataclasses.replace(template, cells=tuple(cells))
    cell_of(book, "update")["source"] = cell_of(book, "predict")["source"]
    done = mend(remove(book, "predict"), two)
    assert cell_of(done.nb, "predict").source == known.released


def test_notes_are_in_the_order_of_the_notebook(book, template):
    cell_of(book, "why_no_line")["source"] = "x" * 300_000
    old = copy.deepcopy(cell_of(book, "predict"))
    old["metadata"]["nbgrader"]["grade_id"] = "older"
    old["source"] = "older = 1"
    book["cells"].append(old)
    done = mend(remove(book, "train_stops", "predict_sides"), template)
    assert [note.cell for note in done.notes] == ["", "predict_sides", "train_stops", "why_no_line"]
