"""The report of a check, as the student and the TA read it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field

from coursekit.checks.namespace import NOT_DEFINED
from coursekit.checks.problem import NOT_ATTEMPTED, Problem

WIDTH = 98


@dataclass(frozen=True)
class Outcome:
    """What one case showed. `problem` is None where the answer was right."""

    label: str
    weight: float
    hidden: bool
    problem: Problem | None
    hint: str = ""
    notes: Sequence[Problem] = field(default_factory=tuple)
    printed: str = ""

    @property
    def fault(self) -> str:
        """The sentence to print: without values where the case is hidden."""
        if self.problem is None:
            return ""
        return self.problem.closed if self.hidden else self.problem.shown


def report(name: str, outcomes: Sequence[Outcome], earned: float, points: float, more: bool) -> str:
    """The whole report as text; `more` says that grading may add cases."""
    worth = f"{earned:g} of {points:g} {'point' if points == 1 else 'points'}"
    faults = {outcome.fault for outcome in outcomes}
    if len(faults) == 1 and "" not in faults and _one_for_all(outcomes):
        return _wrap(f"✗ {name}: {_sentence(faults.pop())} {worth}.", "  ")
    right = sum(outcome.problem is None for outcome in outcomes)
    mark = "✓" if right == len(outcomes) else "✗"
    lines = [f"{mark} {name}: {right} of {len(outcomes)} cases right, {worth}."]
    for outcome in outcomes:
        lines += _case_lines(outcome)
    lines += [_wrap(f"  note: {_sentence(note)}", "        ") for note in _notes(outcomes)]
    if more and right == len(outcomes) and not any(o.hidden for o in outcomes):
        lines.append("  Grading may add cases that are not shown here.")
    return "\n".join(lines)


def first_fault(name: str, outcomes: Sequence[Outcome]) -> list[str]:
    """One sentence on the first case that went wrong; none where all are right."""
    wrong = [outcome for outcome in outcomes if outcome.problem is not None]
    if not wrong:
        return []
    fault = _sentence(_capital(wrong[0].fault))
    if _one_for_all(wrong):
        return [f"{name}: {fault}"]
    label = f"hidden case: {wrong[0].label}" if wrong[0].hidden else wrong[0].label
    label = label[:1].upper() + label[1:]
    hint = f" Hint: {_sentence(wrong[0].hint)}" if wrong[0].hint else ""
    return [f"{label}. {fault}{hint}"]


def _one_for_all(outcomes: Sequence[Outcome]) -> bool:
    """Whether the fault has nothing to do with any case, so that one line says it all."""
    return outcomes[0].fault.startswith((NOT_ATTEMPTED, NOT_DEFINED))


def _case_lines(outcome: Outcome) -> list[str]:
    label = f"hidden case: {outcome.label}" if outcome.hidden else outcome.label
    if outcome.problem is None:
        return [f"  ✓ {label}"]
    hint = f" Hint: {_sentence(outcome.hint)}" if outcome.hint else ""
    lines = [_wrap(f"  ✗ {label}. {_sentence(_capital(outcome.fault))}{hint}", "    ")]
    if outcome.printed.strip() and not outcome.hidden:
        shown = outcome.printed.strip().splitlines()[:3]
        lines += [_wrap(f"    your code printed: {line[:80]}", "      ") for line in shown]
    return lines


def _notes(outcomes: Sequence[Outcome]) -> list[str]:
    texts = [
        note.closed if outcome.hidden else note.shown
        for outcome in outcomes
        for note in outcome.notes
    ]
    return list(dict.fromkeys(texts))[:4]


def _capital(text: str) -> str:
    # Code at the start of a sentence keeps its case: `predict(...) returned ...`.
    starts_with_code = "(" in text.split(" ")[0] or "_" in text.split(" ")[0]
    return text if starts_with_code else text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "?", "!")) else text + "."


def _wrap(text: str, indent: str) -> str:
    return textwrap.fill(
        text,
        WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
