"""Where a missing cell goes, and what stands in the wrong order."""

from __future__ import annotations

from coursekit.grading.intake.drafts import Draft, names_defined
from coursekit.grading.intake.match import answer_of
from coursekit.grading.intake.notes import Note
from coursekit.grading.intake.template import Known, Template


def place(known: Known, cells: list[Draft], template: Template) -> int:
    """The index at which a missing cell of the course is put back.

    By the order of the source: after the nearest cell before it that is there, a test also after
    its answer and what follows that; else before the nearest one after it; else at the end.
    """
    at = {id(draft.known): index for index, draft in enumerate(cells) if draft.known}
    where = template.cells.index(known)
    before = [at[id(each)] for each in reversed(template.cells[:where]) if id(each) in at]
    after = [at[id(each)] for each in template.cells[where + 1 :] if id(each) in at]
    if not before:
        return after[0] if after else len(cells)
    index = before[0]
    if known.is_test:
        answer = answer_of(known, template)
        index = _past_own(max(index, at.get(id(answer), -1)), cells)
    return index + 1


def _past_own(index: int, cells: list[Draft]) -> int:
    """The last of the student's own cells that follow: a part of an answer may be in them."""
    while index + 1 < len(cells) and cells[index + 1].known is None:
        index += 1
    return index


def disorder(cells: list[Draft], template: Template) -> list[Note]:
    """A note on each test that stands before what it tests."""
    notes = []
    for index, draft in enumerate(cells):
        test = draft.known
        answer = answer_of(test, template) if test and test.is_test else None
        if answer is None or answer.kind != "code":
            continue
        late = _late(index, answer, cells)
        if late is not None:
            notes.append(Note(draft.name, _too_early(draft.name, answer.name, late)))
    return notes


def _late(index: int, answer: Known, cells: list[Draft]) -> Draft | None:
    """The first cell after a test that gives the answer, where none before it does."""
    wanted = names_defined(answer.released)
    before, after = cells[:index], cells[index + 1 :]
    if any(_gives(draft, answer, wanted) for draft in before):
        return None
    return next((draft for draft in after if _gives(draft, answer, wanted)), None)


def _gives(draft: Draft, answer: Known, wanted: set[str]) -> bool:
    if draft.kind != "code" or draft.untouched:
        return False
    own = draft.known is None or draft.known.is_answer
    return draft.known is answer or (own and bool(wanted & draft.names))


def _too_early(test: str, answer: str, late: Draft) -> str:
    named = late.name == answer
    what = f"its answer `{answer}`" if named else f"the cell that answers `{answer}`"
    return (
        f"The check `{test}` stands before {what}: it works only if cells run out of order. "
        "Move the answer above its check."
    )
