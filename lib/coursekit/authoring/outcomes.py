"""What cells did in a run, and the marks of test cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode

from coursekit.authoring.notebooks import Kind, kind


@dataclass(frozen=True)
class Outcome:
    """What one code cell did: `text` is its stdout, `value` its last value as text.

    `error` is one line, "" where nothing was raised. `score` and `points` are None for cells that
    are not graded. `odd` has what a grader would be told: marks out of range, attempts to tamper.
    """

    text: str = ""
    value: str = ""
    stderr: str = ""
    error: str = ""
    score: float | None = None
    points: float | None = None
    odd: tuple[str, ...] = ()


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


def outcome_of(cell: NotebookNode, did: dict[str, Any]) -> Outcome:
    """The outcome of a code cell from its outputs, and its verdict where it is a test cell."""
    streams = {"stdout": "", "stderr": ""}
    value = error = ""
    for output in did["outputs"]:
        if output["output_type"] == "stream":
            streams[output["name"]] += output["text"]
        elif output["output_type"] == "execute_result":
            value = output["data"]["text/plain"]
        elif output["output_type"] == "error":
            error = ": ".join(filter(None, [output["ename"], output["evalue"]]))
    score = points = None
    verdict = did["verdict"]
    if kind(cell) is Kind.TEST:
        points = float(cell.metadata.nbgrader.points)
        score = float(verdict["score"]) if verdict else 0.0
    odd = (*(verdict["alerts"] if verdict else ()), *did["flags"])
    return Outcome(streams["stdout"], value, streams["stderr"], error, score, points, odd)
