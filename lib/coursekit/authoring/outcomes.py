"""What cells did in a run, and what nbgrader makes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import determine_grade

from coursekit.authoring.notebooks import Kind, kind


@dataclass(frozen=True)
class Outcome:
    """What one code cell did: `text` is its stdout, `value` its last value as text.

    `error` is one line, "" where nothing was raised. `score` and `points` are None for cells that
    are not graded.
    """

    text: str = ""
    value: str = ""
    stderr: str = ""
    error: str = ""
    score: float | None = None
    points: float | None = None


@dataclass(frozen=True)
class Run:
    """One run of a notebook.

    `outcomes` has the test cells by grade id and `cells` every code cell by cell id, in order;
    `values` and `failed` hold evaluated expressions and the errors of those that failed. `stopped`
    says why the run ended early ("" where it did not); `seconds` leaves out the shared prefix.
    """

    outcomes: dict[str, Outcome]
    cells: dict[str, Outcome]
    values: dict[str, Any] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    stopped: str = ""
    seconds: float = 0.0


def outcome_of(cell: NotebookNode, outputs: list[dict[str, Any]]) -> Outcome:
    """The outcome of a code cell from its outputs, marked by nbgrader where it is a test cell."""
    streams = {"stdout": "", "stderr": ""}
    value = error = ""
    for output in outputs:
        if output["output_type"] == "stream":
            streams[output["name"]] += output["text"]
        elif output["output_type"] == "execute_result":
            value = output["data"]["text/plain"]
        elif output["output_type"] == "error":
            error = ": ".join(filter(None, [output["ename"], output["evalue"]]))
    score = points = None
    if kind(cell) is Kind.TEST:
        marked = nbformat.from_dict({**cell, "outputs": outputs})
        points = float(cell.metadata.nbgrader.points)
        try:
            score = float(determine_grade(marked)[0] or 0.0)
        except (ValueError, KeyError) as fault:
            score, error = 0.0, error or f"nbgrader cannot read the mark: {fault}"
    return Outcome(streams["stdout"], value, streams["stderr"], error, score, points)
