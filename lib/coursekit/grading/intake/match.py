"""Recognise the course's cells in a submission, by name, by text, by what they define and where."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from coursekit.grading.intake import reading
from coursekit.grading.intake.drafts import Draft, names_defined, same
from coursekit.grading.intake.template import Known, Template


def recognise(cells: list[Draft], template: Template) -> None:
    """Set `known` of each draft that is a cell of the course; each of these occurs at most once."""
    _by_text(cells, [known for known in template.cells if known.name and known.locked])
    _by_claim(cells, template)
    _swap_back(cells)
    _by_text(cells, [known for known in template.cells if known.name and not known.locked])
    _by_text(cells, [known for known in template.cells if not known.name])
    _leave_backups(cells)
    _by_definition(cells, template)
    _by_place(cells, template)


def absent(cells: list[Draft], template: Template) -> list[Known]:
    """The named cells of the course that no draft is, in order."""
    there = {draft.name for draft in cells}
    return [known for name, known in template.named.items() if name not in there]


def answer_of(test: Known, template: Template) -> Known | None:
    """The answer cell that a test belongs to: the last one before it."""
    before = template.cells[: template.cells.index(test)]
    return next((known for known in reversed(before) if known.is_answer), None)


def _by_text(cells: list[Draft], wanted: list[Known]) -> None:
    """Take drafts that still have the course's text; those with the right name come first."""
    free: dict[str, list[Draft]] = {}
    for draft in cells:
        if draft.known is None:
            free.setdefault(reading.squeezed(draft.source), []).append(draft)
    taken = {draft.name for draft in cells if draft.known}
    for known in sorted(wanted, key=lambda known: not _claimed(free, known)):
        found = [draft for draft in _alike(free, known) if draft.known is None]
        if not found or (known.name and known.name in taken):
            continue
        own = [draft for draft in found if known.name and draft.claim == known.name]
        other = [draft for draft in found if draft.kind == known.kind]
        _best(own or other or found, known, cells).known = known


def _alike(free: dict[str, list[Draft]], known: Known) -> list[Draft]:
    texts = {reading.squeezed(known.released), reading.squeezed(known.source)} - {""}
    return [draft for text in sorted(texts) for draft in free.get(text, [])]


def _claimed(free: dict[str, list[Draft]], known: Known) -> bool:
    return any(draft.claim == known.name for draft in _alike(free, known))


def _best(found: list[Draft], known: Known, cells: list[Draft]) -> Draft:
    """Of several copies: the last of a test, which sees most answers, or the first one changed."""
    if known.is_test:
        return found[-1]
    changed = [draft for draft in found if not same(draft.source, known)]
    return (changed or found)[0]


def _by_claim(cells: list[Draft], template: Template) -> None:
    for exact in (True, False):
        for known in absent(cells, template):
            found = [d for d in cells if d.known is None and _claims(d, known, template, exact)]
            if found:
                _best(found, known, cells).known = known


def _claims(draft: Draft, known: Known, template: Template, exact: bool) -> bool:
    if exact or draft.claim in template.named:
        return draft.claim == known.name
    return draft.claim.strip().casefold() == known.name.casefold()


def _swap_back(cells: list[Draft]) -> None:
    """Undo the exchange of the names of two answers, seen from what they define."""
    answers = [draft for draft in cells if draft.known and draft.known.is_answer]
    for one, two in combinations(answers, 2):
        if _answers(one, two.known) and _answers(two, one.known):
            one.known, two.known = two.known, one.known


def _answers(draft: Draft, known: Known | None) -> bool:
    """Whether a draft defines all that another answer's stub defines, and nothing of its own's."""
    assert draft.known and known
    wanted, own = names_defined(known.released), names_defined(draft.known.released)
    return bool(wanted and own) and wanted <= draft.names and not own & draft.names


def _leave_backups(cells: list[Draft]) -> None:
    """Leave a plain cell as text where a student put it away beside code made of it."""
    for index, draft in enumerate(cells):
        known = draft.known
        if known and not known.name and known.kind == "code" != draft.kind:
            beside = cells[max(index - 1, 0) : index + 2]
            if any(each.known is None and each.kind == "code" for each in beside):
                draft.known = None


def _by_definition(cells: list[Draft], template: Template) -> None:
    """Take nameless code that defines what a missing answer is to define."""
    for known in absent(cells, template):
        wanted = names_defined(known.released) if known.is_answer else set()
        found = [draft for draft in _free(cells) if draft.kind == "code" and wanted & draft.names]
        if found and known.kind == "code":
            max(found, key=lambda draft: len(wanted & draft.names)).known = known


def _by_place(cells: list[Draft], template: Template) -> None:
    """Take the only nameless cell that lies where a missing answer has to be."""
    for known in absent(cells, template):
        if not known.is_answer or not _beside(known, cells, template):
            continue
        start, end = _neighbours(known, cells, template)
        between = [d for d in _free(cells[start + 1 : end]) if d.kind == known.kind]
        if len(between) == 1 and not _defines_another(between[0], cells, template):
            between[0].known = known


def _beside(known: Known, cells: list[Draft], template: Template) -> bool:
    """Whether a cell that stands next to a missing one in the source is there."""
    place = template.cells.index(known)
    next_to = template.cells[max(place - 1, 0) : place + 2]
    return any(draft.known is each for draft in cells for each in next_to)


def _free(cells: list[Draft]) -> Iterator[Draft]:
    return (draft for draft in cells if draft.known is None and draft.source.strip())


def _defines_another(draft: Draft, cells: list[Draft], template: Template) -> bool:
    """Whether code belongs to an answer that is there, so that it is a part of that one."""
    claimed = draft.claim in {other.name for other in cells if other.known}
    others = (k for k in template.named.values() if k.is_answer)
    return (bool(draft.claim) and claimed) or any(
        names_defined(known.released) & draft.names for known in others
    )


def _neighbours(known: Known, cells: list[Draft], template: Template) -> tuple[int, int]:
    """The indices of the cells of the course before and after the place of a missing one."""
    at = {id(draft.known): index for index, draft in enumerate(cells) if draft.known}
    place = template.cells.index(known)
    before = [at[id(each)] for each in template.cells[:place] if id(each) in at]
    after = [at[id(each)] for each in template.cells[place + 1 :] if id(each) in at]
    return (before[-1] if before else -1), (after[0] if after else len(cells))
