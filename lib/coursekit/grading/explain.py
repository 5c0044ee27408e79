"""nbgrader preprocessors that turn grades and check reports into words for students."""

from __future__ import annotations

import re
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import compute_checksum, determine_grade, is_grade, is_solution

from coursekit.grading.status import waits

HIDDEN = re.compile(r"^[^\n]*BEGIN HIDDEN TESTS.*?END HIDDEN TESTS[^\n]*\n?", re.M | re.S)
FAULT = re.compile(r"^✗ ", re.MULTILINE)


def printed(cell: NotebookNode) -> str:
    """What a cell wrote to stdout."""
    outputs = cell.get("outputs", [])
    return "".join(
        out.text for out in outputs if out.output_type == "stream" and out.name == "stdout"
    )


def title(grade_id: str) -> str:
    """A grade id in words: "predict_on_line" becomes "Predict on line"."""
    words = grade_id.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


class ExplainFailures(NbGraderPreprocessor):
    """For the Validate button: a failed check shows its report in place of the test's source.

    Goes last among the preprocessors of nbgrader's Validator. Cells whose text was changed keep
    their source, so that nbgrader still warns of the change.
    """

    def preprocess_cell(
        self, cell: NotebookNode, resources: ResourcesDict, cell_index: int
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Add the report of a failed check as the error that the Validator shows."""
        if cell.cell_type != "code" or not is_grade(cell) or is_solution(cell):
            return cell, resources
        score, points = determine_grade(cell)
        report = printed(cell).strip()
        if score is None or score >= points or not FAULT.search(report):
            return cell, resources
        cell.outputs.append(new_output("error", ename="", evalue="", traceback=[report]))
        settings = cell.metadata.nbgrader
        if settings.get("checksum") == compute_checksum(cell):
            del settings["checksum"]
            worth = f"{points:g} point{'' if points == 1 else 's'}"
            cell.source = f"# {title(settings.grade_id)} ({worth})"
        return cell, resources


class HideHiddenTests(NbGraderPreprocessor):
    """For feedback pages: the hidden part of a test cell goes, and what an error quotes of it.

    Unlike nbgrader's ClearHiddenTests it looks at locked test cells only, so that nothing a student
    types can stop the page. The reports of `coursekit.checks` hold no secrets and stay.
    """

    def preprocess_cell(
        self, cell: NotebookNode, resources: ResourcesDict, cell_index: int
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Cut the hidden regions out of one test cell."""
        if is_grade(cell) and not is_solution(cell):
            shown = HIDDEN.sub("", cell.source)
            if shown != cell.source:
                cell.source = shown.rstrip("\n")
                for output in cell.get("outputs", []):
                    if output.output_type == "error":
                        output.traceback = [f"{output.ename} in a check that is partly hidden."]
        return cell, resources


class FeedbackSummary(NbGraderPreprocessor):
    """For feedback pages: one row for each graded cell, with a state and a sentence.

    Goes after GetGrades. The rows are in `resources["coursekit"]["rows"]`.
    """

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Collect the rows and the points that wait for hand grading."""
        waiting = self._waiting(resources["nbgrader"])
        rows = [_row(cell, waiting) for cell in nb.cells if is_grade(cell)]
        resources["coursekit"] = {
            "rows": rows,
            "waiting": sum(row["points"] for row in rows if row["state"] == "waiting"),
            "title": _first_heading(nb) or resources["nbgrader"]["notebook"],
        }
        return nb, resources

    def _waiting(self, names: Any) -> set[str]:
        with Gradebook(names["db_url"]) as book:
            notebook = book.find_submission_notebook(
                names["notebook"], names["assignment"], names["student"]
            )
            return {grade.cell.name for grade in notebook.grades if waits(grade)}


def _row(cell: NotebookNode, waiting: set[str]) -> dict[str, Any]:
    settings = cell.metadata.nbgrader
    score, points = float(settings.get("score") or 0), float(settings.get("points") or 0)
    report = printed(cell)
    if settings.grade_id in waiting:
        state = "waiting"
    elif score >= points:
        state = "full"
    elif "not attempted" in report and score == 0:
        state = "untouched"
    else:
        state = "part" if score > 0 else "none"
    return {
        "id": settings.grade_id,
        "title": title(settings.grade_id),
        "score": score,
        "points": points,
        "state": state,
        "said": _sentence(cell, state, report),
        "comment": settings.get("comment") or "",
    }


def _sentence(cell: NotebookNode, state: str, report: str) -> str:
    if state == "waiting":
        return "Waits to be marked by hand."
    if state == "untouched":
        return "Not attempted yet."
    if state == "full":
        return ""
    faults = [line for line in report.splitlines() if line.lstrip().startswith("✗")]
    if faults:
        return _first_fault(report, faults)
    errors = [out for out in cell.get("outputs", []) if out.output_type == "error"]
    if not errors:
        return ""
    # The text of an error may quote hidden values.
    told = "" if HIDDEN.search(cell.source) else f": {errors[0].evalue}"
    return f"{errors[0].ename}{told}"[:200]


def _first_fault(report: str, faults: list[str]) -> str:
    """The whole sentence of the first case that failed, or of a report of one line."""
    if len(faults) == 1:
        rest = re.sub(r"\s*\S+ of \S+ points?\.\s*$", "", report.split("\n  note:")[0])
    else:
        rest = re.split(r"\n  (?:✓|✗|note:)", report[report.index(faults[1]) :])[0]
    told = " ".join(rest.split()).removeprefix("✗ ")
    return told[:1].upper() + told[1:] if told.startswith("hidden case") else told


def _first_heading(nb: NotebookNode) -> str:
    lines = (
        line
        for cell in nb.cells
        if cell.cell_type == "markdown"
        for line in cell.source.split("\n")
    )
    return next((line.removeprefix("# ").strip() for line in lines if line.startswith("# ")), "")
