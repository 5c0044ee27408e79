"""What intake tells of a submission: a sentence, and the cell that it is about."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """A sentence on the cell with the grade_id `cell`, or "" where it is on the whole."""

    cell: str
    text: str
