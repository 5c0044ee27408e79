"""Files that are slightly wrong are read; files that are no notebooks say why."""

from __future__ import annotations

import copy
import json
import sys

import nbformat
import pytest
from tests.grading.intake.damage import cell_of, mend

from coursekit.grading.intake.reading import Unreadable, parse

pytestmark = pytest.mark.xdist_group("intake")


def _version_3(book):
    for cell in book["cells"]:
        cell["source"] = "".join(cell["source"])
    book["cells"].append({"cell_type": "markdown", "metadata": {}, "source": "### Only a heading"})
    return json.loads(nbformat.writes(nbformat.convert(nbformat.from_dict(book), 3)))


def _minor(number, ids=True):
    def change(book):
        book["nbformat_minor"] = number
        for cell in book["cells"]:
            if not ids:
                cell.pop("id", None)
        return book

    return change


def _each(**changes):
    """Set, or remove where the value is None, keys of each cell."""

    def change(book):
        for cell in book["cells"]:
            for key, value in changes.items():
                cell.pop(key, None)
                if value is not None:
                    cell[key] = copy.deepcopy(value)
        return book

    return change


def _lines(book):
    for cell in book["cells"]:
        cell["source"] = "".join(cell["source"]).splitlines(keepends=True)
    return book


def _foreign(book):
    book["metadata"] |= {"colab": {"provenance": []}, "accelerator": "GPU", "widgets": None}
    for cell in book["cells"]:
        cell.pop("id", None)
        cell["metadata"] |= {"id": "x1", "colab": {"base_uri": "https://example.org"}}
    book["nbformat_minor"] = 0
    return book


def _strange_cells(book):
    book["cells"] += [None, 7, [], {}, {"cell_type": "nonsense", "source": 3, "metadata": None}]
    return book


def _attached_code(book):
    cell_of(book, "predict")["attachments"] = {"a.png": {"image/png": "AAAA"}}
    cell_of(book, "why_no_line")["attachments"] = [1, 2]
    return book


def _no_format(book):
    del book["nbformat"], book["nbformat_minor"]
    book["metadata"] = None
    return book


ODD = [
    _minor(4),
    _minor(5, ids=False),
    _minor(99),
    _minor("x"),
    _each(id="same"),
    _each(id="not valid!"),
    _each(id=5),
    _each(outputs=None),
    _each(outputs={"not": "a list"}, execution_count="many"),
    _each(extra={"unknown": True}),
    _lines,
    _foreign,
    _strange_cells,
    _attached_code,
    _no_format,
]


@pytest.mark.parametrize("change", ODD)
def test_slightly_invalid_notebooks_are_read_without_a_word(book, template, change):
    assert mend(json.dumps(change(book)).encode(), template).notes == []


def test_a_notebook_of_version_3_is_read(book, template):
    done = mend(json.dumps(_version_3(book)).encode(), template)
    assert done.nb.cells[0].source == "".join(book["cells"][0]["source"])
    assert done.nb.cells[-1].source == "### Only a heading" and done.notes == []
    assert cell_of(done.nb, "predict").source == cell_of(book, "predict")["source"]


@pytest.mark.parametrize("metadata", [None, [], "text", {"nbgrader": None}, {"nbgrader": [1]}])
def test_metadata_of_a_wrong_type_counts_as_none(book, template, metadata):
    done = mend(_each(metadata=metadata)(book) if metadata is not None else _null(book), template)
    assert set(done.recovered) == set(template.named)


def _null(book):
    for cell in book["cells"]:
        cell["metadata"] = None
    return book


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_other_encodings_are_read(book, template, encoding):
    raw = json.dumps(book, ensure_ascii=False).encode(encoding)
    assert mend(raw, template).notes == []


def test_characters_that_no_file_can_hold_are_replaced(book, template):
    cell_of(book, "predict")["source"] = "a = '\0\ud800'; b = '\ud83d\ude00'"
    cell_of(book, "why_no_line")["attachments"] = {"\ud800": {"image/png": "\udfff"}}
    done = mend(json.dumps(book).encode(), template)
    assert cell_of(done.nb, "predict").source == "a = '\ufffd'; b = '😀'"
    nbformat.writes(done.nb).encode()


def test_one_wrong_byte_costs_one_character(book, template):
    raw = json.dumps(book).encode().replace(b"Rosenblatt", b"Rosenbl\xe4tt")
    assert len(mend(raw, template).nb.cells) == len(template.cells)


def test_identifiers_that_are_right_are_kept(book, template):
    wanted = [cell["id"] for cell in book["cells"]]
    assert [cell.id for cell in mend(book, template).nb.cells] == wanted


def test_stored_outputs_are_dropped(book, template):
    stream = {"output_type": "stream", "name": "stdout", "text": "a lot"}
    cells = mend(_each(outputs=[stream])(book), template).nb.cells
    assert not any(cell.get("outputs") for cell in cells)


WHOLE = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
DEEP = 10 * sys.getrecursionlimit()


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "is empty"),
        (b" \n\0\0", "is empty"),
        (WHOLE[:40], "is cut off or damaged"),
        (b"<html></html>", "is cut off or damaged"),
        (b"\xff\xfe\x00", "is cut off or damaged"),
        (b"9" * 10_000, "is cut off or damaged"),
        (WHOLE.replace(b'"cells"', b'\n<<<<<<< HEAD\n"cells"'), "conflict marks of a merge"),
        (b"[1, 2]", "is not a notebook"),
        (b'"text"', "is not a notebook"),
        (b'{"cells": 3}', "is not a notebook"),
        (b"[" * DEEP + b"]" * DEEP, "is nested too deeply"),
    ],
)
def test_what_is_no_notebook_says_why(raw, said):
    with pytest.raises(Unreadable, match=said):
        parse(raw)


def test_zeros_after_the_end_do_not_matter():
    assert parse(WHOLE + b"\0" * 100) == json.loads(WHOLE)
