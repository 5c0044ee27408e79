"""What grading has to say of a notebook: kept in its metadata, for graders, pages and reports.

`nb.metadata["coursekit"]` has "notes" (for student and grader) and "flags" (attempts to tamper, for
the grader alone), each a list of {"cell": grade id or "", "text": a sentence}; "verdicts" by grade
id; and "stopped", what ended a cell early first. A cell's own metadata say its "role": "course" for
text of the course, "notes" for the cell that shows all this.
"""

from __future__ import annotations

import re
from typing import Any

from nbformat.notebooknode import NotebookNode

KEY = "coursekit"
NOT_REACHED = "not reached"


def of(nb: NotebookNode) -> NotebookNode:
    """What was said so far of a notebook, each part in place."""
    told = nb.metadata.get(KEY)
    if not isinstance(told, NotebookNode):
        kept = told if isinstance(told, dict) else {}
        told = nb.metadata[KEY] = NotebookNode(kept)
    for part, empty in (
        ("notes", []),
        ("flags", []),
        ("verdicts", NotebookNode()),
        ("stopped", ""),
    ):
        told.setdefault(part, empty)
    return told


def role(cell: NotebookNode) -> str:
    """Whose a cell is: "course", "notes", or "" for the student's."""
    ours = cell.metadata.get(KEY)
    return str(ours.get("role", "")) if isinstance(ours, dict) else ""


def asks(cell: NotebookNode) -> list[str] | None:
    """The names that an answer cell is meant to change, None where that is not known."""
    ours = cell.metadata.get(KEY)
    names = ours.get("asks") if isinstance(ours, dict) else None
    return [str(name) for name in names] if isinstance(names, list) else None


def grade_id(cell: NotebookNode) -> str:
    """A cell's name in nbgrader, or ""."""
    settings = cell.metadata.get("nbgrader")
    return str(settings.get("grade_id", "")) if isinstance(settings, dict) else ""


def record(nb: NotebookNode, cell: str, said: dict[str, Any]) -> None:
    """Add what a kernel said of a cell: its verdict, notes, flags, and what stopped it."""
    told = of(nb)
    if said.get("verdict"):
        told.verdicts[cell] = NotebookNode(said["verdict"])
    notes = [*said.get("notes", []), *_stop(told, said.get("stopped", ""))]
    for part, texts in (("notes", notes), ("flags", said.get("flags", []))):
        for text in texts:
            entry = NotebookNode(cell=cell, text=text)
            if entry not in told[part]:
                told[part].append(entry)


def _stop(told: NotebookNode, words: str) -> list[str]:
    """A note of what stopped a cell; one for all cells that were not reached."""
    if not words:
        return []
    told.stopped = told.stopped or words
    known = any(NOT_REACHED in note["text"].lower() for note in told.notes)
    if words.startswith(NOT_REACHED):
        return (
            []
            if known
            else [words.replace(NOT_REACHED, "The cells from here on were not reached") + "."]
        )
    return [words[:1].upper() + words[1:] + "."]


def for_grader(nb: NotebookNode) -> list[tuple[str, str]]:
    """All sentences for a grader with their cells: flags, then alerts of tests, then notes."""
    told = of(nb)
    flags = [(flag["cell"], f"Flag: {flag['text']}") for flag in told.flags]
    alerts = [
        (name, f"Look at this: {alert}")
        for name, verdict in told.verdicts.items()
        for alert in verdict.get("alerts", [])
    ]
    return [*flags, *alerts, *((note["cell"], note["text"]) for note in told.notes)]


def for_student(nb: NotebookNode) -> list[str]:
    """The notes that a student reads, each once."""
    return list(dict.fromkeys(str(note["text"]) for note in of(nb).notes))


def plain_text(source: str) -> str:
    """A cell's text without the differences that editors make: line ends and trailing blanks."""
    return re.sub(
        r"[ \t]+$", "", source.replace("\r\n", "\n").replace("\r", "\n"), flags=re.M
    ).strip()
