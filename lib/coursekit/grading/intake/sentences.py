"""What a student and a grader read of each thing that was mended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coursekit.grading.intake.files import shown
from coursekit.grading.intake.template import Known

KINDS = {"code": "a code cell", "markdown": "text (Markdown)", "raw": "raw text"}


def missing(known: Known) -> str:
    """On a cell that was put back."""
    start = f"`{known.name}` was missing from your notebook."
    if known.is_test:
        return f"The check {start} It was put back and run."
    if known.is_answer:
        return f"The answer cell {start} It was put back without an answer."
    return f"The read-only cell {start} It was put back."


def recognised(names: Sequence[str]) -> str:
    """On cells without their settings."""
    cells = ", ".join(f"`{name}`" for name in names)
    return f"Cells had lost their settings and were recognised by their content: {cells}."


def renamed(name: str) -> str:
    """On a cell with another one's name."""
    return f"The cell `{name}` had another name in its settings. It was put right."


def copies(known: Known, count: int) -> str:
    """On a name that more than one cell has."""
    did = "run" if known.kind == "code" else "kept"
    return (
        f"The cell `{known.name}` was there {count} times. Each was {did} in its place, and one "
        "of them counts as the cell."
    )


def unknown(claim: str, text: bool) -> str:
    """On a graded cell that the assignment does not have; `text` where it was not run."""
    said = "It was not run and is kept as text." if text else "It counts as an ordinary cell."
    return f"The cell `{shown(claim)}` is not in this release of the assignment. {said}"


def turned(known: Known, kind: str) -> str:
    """On a cell of another type."""
    label = f"The cell `{known.name}`" if known.name else "A cell of the course"
    return f"{label} had been turned into {KINDS[kind]}. It was turned back."


def settings(name: str) -> str:
    """On changed points or locks."""
    return f"The settings of the cell `{name}` had been changed. They were put back."


def settings_flag(name: str, changed: Mapping[str, object]) -> str:
    """On changed points or locks, for the grader."""
    told = ", ".join(f"{key} to {shown(repr(value))}" for key, value in sorted(changed.items()))
    return f"The submission set {told} in `{name}`."


def overwritten(name: str, kept: bool) -> str:
    """On a changed read-only cell; `kept` where something was typed there."""
    start = f"The read-only cell `{name}` had been changed: the course's own text was used."
    return f"{start} What was typed there is kept beside it." if kept else start


def outdated(name: str) -> str:
    """On a read-only cell of another release."""
    return f"The cell `{name}` was from another release of the assignment: this one's was used."


def found_in(name: str, where: str) -> str:
    """On an answer in a read-only cell."""
    return f"The answer `{name}` was typed into `{where}`. It was put into a cell of its own."


def elsewhere(name: str, where: str) -> str:
    """On a missing answer cell whose answer is in another one."""
    return f"The answer cell `{name}` was missing; its answer is in {where}."


def nothing(notebook: str) -> str:
    """On a notebook in which nothing of the course was found."""
    return (
        f"no gradable cells found in {notebook}.ipynb: answer in the notebook that the course "
        "gave out, and hand that in"
    )
