"""What a student typed into a cell whose text is the course's, so that it is not lost unseen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

from coursekit.grading.intake import reading
from coursekit.grading.intake.drafts import same
from coursekit.grading.intake.template import Known, Template


@dataclass(frozen=True)
class Typed:
    """The student's text that stood before and after the course's in one cell."""

    before: str = ""
    after: str = ""


def older(source: str, kind: str, settings: dict[str, Any]) -> bool:
    """Whether a changed text is the course's of another release: nbgrader's checksum fits it."""
    cell = NotebookNode(
        cell_type=kind,
        source=source,
        metadata=NotebookNode(nbgrader=NotebookNode(settings)),
    )
    try:
        return bool(settings["checksum"] == compute_checksum(cell))
    except (KeyError, TypeError, ValueError, AttributeError):
        return False


def typed(source: str, known: Known, template: Template) -> Typed:
    """What of a locked cell's text is not the course's.

    Text of other locked cells, which a merge brings along, is the course's too.
    """
    if same(source, known):
        return Typed()
    lines, own = _lines(source), _lines(known.released)
    course = set(own)
    at = _find(lines, own)
    if at is not None:
        before, after = lines[:at], lines[at + len(own) :]
        return Typed(_without_course(before, template), _without_course(after, template))
    added = [line for line in lines if line not in course]
    return Typed(before=_without_course(added, template))


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").split("\n")]


def _find(lines: list[str], block: list[str]) -> int | None:
    """Where a block of lines begins, or None."""
    places = range(len(lines) - len(block) + 1)
    return next((at for at in places if lines[at : at + len(block)] == block), None)


def _without_course(lines: list[str], template: Template) -> str:
    """Lines without the texts of locked cells, as text; "" where nothing is left."""
    for known in template.named.values():
        block = _lines(known.released) if known.locked else []
        at = _find(lines, block) if any(block) else None
        if at is not None:
            lines = lines[:at] + lines[at + len(block) :]
    text = "\n".join(lines).strip("\n")
    return text if reading.squeezed(text) else ""
