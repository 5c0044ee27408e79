"""Whether a run of a variant came out as the bank says: each thing that did not is a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from coursekit.authoring.bank import Mutant
from coursekit.authoring.outcomes import Outcome, Run


def full_marks(run: Run) -> Iterator[str]:
    """What keeps a run from being that of a correct solution: marks, errors, words on stderr."""
    if run.stopped:
        yield f"the run stopped: {run.stopped}"
        return
    for name, outcome in run.outcomes.items():
        if outcome.score != outcome.points:
            yield f"{name} earns {_marks(outcome)}, expected all: {_said(outcome)}"
    for cell, outcome in run.cells.items():
        for odd in outcome.odd:
            yield f"{cell} would be flagged for the grader: {odd}"
        if outcome.stderr:
            yield f"cell {cell} writes to stderr: {outcome.stderr.strip()}"
        if outcome.error:
            yield f"cell {cell} raises {outcome.error}"


def not_attempted(run: Run) -> Iterator[str]:
    """What keeps a run from being that of the untouched release: no marks, and told so."""
    if run.stopped:
        yield f"the run stopped: {run.stopped}"
    for name, outcome in run.outcomes.items():
        if outcome.score:
            yield f"{name} earns {_marks(outcome)} without an answer"
        if "not attempted" not in _said(outcome).casefold():
            yield f'{name} does not say "not attempted": {_said(outcome)}'


def found_out(mutant: Mutant, run: Run) -> Iterator[str]:
    """What is not as a mutant foretells: the cells that lose marks, and the words they say."""
    if run.stopped:
        yield f"the run stopped: {run.stopped}"
    for name, outcome in run.outcomes.items():
        lost = outcome.score != outcome.points
        if lost and name not in mutant.loses:
            yield f"{name} earns {_marks(outcome)}, expected all: {_said(outcome)}"
        if not lost and name in mutant.loses:
            yield f"{name} earns {_marks(outcome)}, expected less"
    said = [_said(run.outcomes[name]) for name in sorted(mutant.loses) if name in run.outcomes]
    for words in mutant.says:
        wanted = " ".join(words.split()).casefold()
        if not any(wanted in report.casefold() for report in said):
            yield f'no report says "{words}": {" | ".join(said)}'


def _marks(outcome: Outcome) -> str:
    return f"{outcome.score:g} of {outcome.points:g}"


def _said(outcome: Outcome) -> str:
    # On one line: reports are wrapped, and a wrap must not hide words.
    return " ".join(f"{outcome.text} {outcome.error} {outcome.stderr}".split())
