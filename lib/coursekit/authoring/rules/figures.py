"""Rules about numbers in the text: each is what the code computes, and none goes unchecked."""

from __future__ import annotations

from collections.abc import Iterator

from coursekit.authoring.bank import Figure
from coursekit.authoring.lesson import Fault, Lesson
from coursekit.authoring.notebooks import code_cells, label, markdown_cells
from coursekit.authoring.numbers import Number, agrees, flat, numbers, stated


def solutions_run_clean(lesson: Lesson) -> Iterator[Fault]:
    """The notebook's own solutions raise nothing, write nothing to stderr and earn full marks."""
    run = lesson.reference
    if run.stopped:
        yield lesson.fault(None, f"its own solutions do not run ({run.stopped})")
        return
    for cell in code_cells(lesson.notebook):
        outcome = run.cells[cell.id]
        if outcome.error:
            yield lesson.fault(cell, f"raises {' '.join(outcome.error.split())}")
        elif outcome.stderr:
            yield lesson.fault(cell, f"writes to stderr: {outcome.stderr.strip().splitlines()[-1]}")
        elif outcome.score != outcome.points:
            what = f"the solution earns {outcome.score:g} of {outcome.points:g} points"
            yield lesson.fault(cell, what)


def figures_are_computed(lesson: Lesson) -> Iterator[Fault]:
    """Each figure of the bank stands in the text and is what the code computes."""
    texts = [cell.source for cell in markdown_cells(lesson.notebook)]
    for figure in lesson.bank.figures if lesson.bank else ():
        if not any(figure.text in text for text in texts):
            what = f'the text of the figure "{figure.name}" ({figure.text}) is in no markdown cell'
            yield lesson.fault(None, what, "change the text or the figure")
        elif not lesson.reference.stopped:
            problem = _problem(figure, lesson)
            if problem:
                what = f'the figure "{figure.name}" says {figure.text}, but {problem}'
                yield lesson.fault(None, what, "correct the text or the code")


def _problem(figure: Figure, lesson: Lesson) -> str:
    run = lesson.reference
    if figure.value in run.failed:
        return f"`{figure.value}` failed: {run.failed[figure.value]}"
    value = run.values[figure.value]
    found, wanted = flat(value), list(numbers(figure.text))
    if found is None:
        return f"`{figure.value}` gives {value!r}, not numbers"
    if len(found) != len(wanted):
        return f"it has {len(wanted)} numbers and `{figure.value}` gives {len(found)}"
    for number, computed in zip(wanted, found, strict=True):
        if not _holds(figure, number, computed):
            return f"`{figure.value}` gives {value!r}"
    return ""


def _holds(figure: Figure, number: Number, computed: float) -> bool:
    if figure.upper or figure.lower:
        above, below = computed > number.value, computed < number.value
        return (below or not figure.upper) and (above or not figure.lower)
    return agrees(number, computed, figure.rel, figure.abs)


def numbers_are_checked(lesson: Lesson) -> Iterator[Fault]:
    """Every number in the text that has three digits or more belongs to a figure of the bank."""
    if lesson.bank is None:
        return
    for cell in markdown_cells(lesson.notebook):
        spans = [s for f in lesson.bank.figures for s in _places(f.text, cell.source)]
        for number in stated(cell.source):
            if not any(start <= number.start and number.end <= end for start, end in spans):
                yield lesson.fault(
                    None,
                    f"number {number.text} in cell {label(cell)} is not checked by any Figure",
                    f"add one to tests/lessons/{lesson.assignment}.py",
                )


def _places(text: str, source: str) -> Iterator[tuple[int, int]]:
    """Where a text stands in a source as a whole, so that 307 is not found in 2,307."""
    start = source.find(text)
    while start >= 0:
        end = start + len(text)
        before, after = source[max(0, start - 2) : start], source[end : end + 2]
        if not (text[0].isdigit() and _continues(before[::-1])) and not (
            text[-1].isdigit() and _continues(after)
        ):
            yield start, end
        start = source.find(text, start + 1)


def _continues(near: str) -> bool:
    return near[:1].isdigit() or (near[:1] in (",.") and near[1:].isdigit())


RULES = [solutions_run_clean, figures_are_computed, numbers_are_checked]
