"""What a kernel is asked to run, and what it tells of each cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Limits:
    """What one notebook may use while it is graded.

    Seconds are wall-clock time. `memory_mb` is added to what the kernel has at its start. Text
    past `output_lines` or `output_chars` of a cell is cut; past `output_stop_mb` the cell ends.
    """

    cell_seconds: float = 30.0
    notebook_seconds: float = 300.0
    memory_mb: int = 2048
    file_mb: int = 64
    open_files: int = 256
    output_lines: int = 1000
    output_chars: int = 200_000
    output_stop_mb: int = 100
    display_mb: int = 4


@dataclass(frozen=True)
class Cell:
    """A code cell to run.

    `course` says that its text is the course's and not the student's. `points` makes it a test
    cell, whose verdict counts; `hidden` says that a part of its text is kept from students. `asks`
    has the names of the notebook that an answer is meant to change, None where that is not known.
    """

    source: str
    name: str = ""
    course: bool = False
    points: float | None = None
    hidden: bool = False
    asks: tuple[str, ...] | None = None


@dataclass
class Verdict:
    """What a test cell earned.

    `why` is a sentence for the student where points are missing, `alerts` are for the grader.
    """

    score: float
    points: float
    why: str = ""
    alerts: list[str] = field(default_factory=list)


@dataclass
class CellRun:
    """What one cell did: `outputs` in nbformat's form, and its verdict where it is a test cell.

    `stopped` says in words what ended the cell early: a limit, the death of the kernel. `notes` are
    for student and grader, `flags` name attempts to tamper and are for the grader alone.
    """

    outputs: list[dict[str, Any]] = field(default_factory=list)
    verdict: Verdict | None = None
    stopped: str = ""
    notes: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    execution_count: int | None = None
