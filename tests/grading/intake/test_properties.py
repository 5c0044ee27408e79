"""What holds of every damaged notebook, tried on damages put together at random."""

from __future__ import annotations

import copy

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.grading.intake.damage import claim, mend

from coursekit.grading.intake.drafts import Draft
from coursekit.grading.intake.repair import repair
from coursekit.grading.status import Status

pytestmark = pytest.mark.xdist_group("intake")
TRIES = settings(
    max_examples=40,
    derandomize=True,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],  # to make one smaller takes minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def _drop(cells, i, j):
    del cells[i]


def _copy(cells, i, j):
    cells.insert(j, copy.deepcopy(cells[i]))


def _move(cells, i, j):
    cells.insert(j, cells.pop(i))


def _split(cells, i, j):
    text = "".join(cells[i]["source"])
    rest = copy.deepcopy(cells[i])
    cells[i]["source"], rest["source"] = text[: len(text) // 2], text[len(text) // 2 :]
    cells.insert(i + 1, rest)


def _merge(cells, i, j):
    if i + 1 < len(cells):
        texts = ["".join(cell["source"]) for cell in cells[i : i + 2]]
        cells[i]["source"] = "\n\n".join(texts)
        del cells[i + 1]


def _retype(cells, i, j):
    cells[i]["cell_type"] = ["code", "markdown", "raw"][j % 3]


def _forget(cells, i, j):
    cells[i]["metadata"] = {}


def _exchange(cells, i, j):
    j = min(j, len(cells) - 1)
    cells[i]["metadata"], cells[j]["metadata"] = cells[j]["metadata"], cells[i]["metadata"]


def _rename(cells, i, j):
    if claim(cells[i]):
        cells[i]["metadata"]["nbgrader"]["grade_id"] = f"other{j}"


def _type_in(cells, i, j):
    cells[i]["source"] = "mine = 1\n" + "".join(cells[i]["source"])


DAMAGES = [_drop, _copy, _move, _split, _merge, _retype, _forget, _exchange, _rename, _type_in]
damages = st.lists(
    st.tuples(st.sampled_from(DAMAGES), st.integers(0, 60), st.integers(0, 60)), max_size=8
)


def _damaged(solved, wanted):
    book = copy.deepcopy(solved)
    for damage, i, j in wanted:
        damage(book["cells"], i % len(book["cells"]), j)
    return book


@TRIES
@given(wanted=damages)
def test_every_name_is_there_once_and_mending_again_changes_nothing(solved, template, wanted):
    done = mend(_damaged(solved, wanted), template)
    again = mend(done.nb, template)
    assert again.nb.cells == done.nb.cells
    assert all("out of order" in note.text for note in again.notes)
    assert again.flags == again.recovered == []


@TRIES
@given(wanted=damages)
def test_nothing_that_a_student_wrote_is_lost(solved, template, wanted):
    book = _damaged(solved, wanted)
    texts = [text for known in template.cells for text in (known.source, known.released)]
    texts += [cell.source for cell in mend(book, template).nb.cells]
    kept = "\n".join(_tight(text) for text in texts)
    for cell in book["cells"]:
        for line in "".join(cell["source"]).split("\n"):
            assert _tight(line) in kept


def _tight(text):
    return "".join(text.split())


@TRIES
@given(st.lists(st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["cell_type", "source", "metadata", "nbgrader", "grade_id", "attachments",
                         "code", "markdown", "outputs", "input", "level"]), inner, max_size=5),
    max_leaves=15,
), max_size=4))  # fmt: skip
def test_cells_of_any_form_are_read(template, cells):
    done = repair({"cells": cells}, template)
    assert done.status is Status.NO_CELLS
    assert len(done.nb.cells) == len([cell for cell in cells if isinstance(cell, dict)])


def test_a_draft_knows_what_it_defines():
    source = (
        "a, b = 1, 2\nc: int = 3\nif a == b: d = 4\n  e = 5\nasync def f(): pass\nclass G: pass"
    )
    assert Draft("code", source).names == {"a", "b", "c", "f", "G"}
    assert Draft("markdown", source).names == set()
