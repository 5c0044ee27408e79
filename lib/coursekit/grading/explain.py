"""nbgrader preprocessors that turn grades and check reports into words for students."""

from __future__ import annotations

import re
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import compute_checksum, is_grade, is_solution

from coursekit.grading import told
from coursekit.grading.status import waits

HIDDEN = re.compile(r"^[^\n]*BEGIN HIDDEN TESTS.*?END HIDDEN TESTS[^\n]*\n?", re.M | re.S)
# Errors of a cell that say: this cannot be graded as it is.
STOPS = {"Stopped", "TooMuchOutput", "NoKeyboard"}
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


class DemoteCopies(NbGraderPreprocessor):
    """For the Validate button: of cells with one grade id the first keeps it, as in grading."""

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Make plain cells of copies."""
        seen = {""}
        for cell in nb.cells:
            if told.grade_id(cell) in seen:
                cell.metadata.pop("nbgrader", None)
            seen.add(told.grade_id(cell))
        return nb, resources


class ExplainFailures(NbGraderPreprocessor):
    """For the Validate button: what graders would see, in a form that nbgrader's Validator shows.

    Goes last among its preprocessors. A test counts as its verdict says, whatever it printed; a
    failed check shows its report in place of its source, unless its text was changed: nbgrader then
    warns of the change. A cell that was stopped or waits for the keyboard counts as failed.
    """

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Turn verdicts and stops into outputs."""
        verdicts = told.of(nb).verdicts
        for cell in nb.cells:
            if cell.cell_type != "code":
                continue
            verdict = verdicts.get(told.grade_id(cell))
            if verdict is not None and is_grade(cell) and not is_solution(cell):
                _as_outputs(cell, verdict)
            elif not is_grade(cell):
                _as_failed(cell)
        return nb, resources


def _as_outputs(cell: NotebookNode, verdict: NotebookNode) -> None:
    """Outputs from which nbgrader reads the verdict."""
    errors = [output for output in cell.outputs if output.output_type == "error"]
    report = printed(cell).strip()
    if verdict.score >= verdict.points and not errors:
        cell.outputs = [output for output in cell.outputs if _says_nothing(output)]
        return
    if FAULT.search(report) or not errors:
        shown = [report if FAULT.search(report) else verdict.why or "Not all of this is right."]
        errors = [new_output("error", ename="", evalue="", traceback=shown)]
        _title_for_source(cell)
    cell.outputs = errors


def _says_nothing(output: NotebookNode) -> bool:
    """Whether nbgrader reads no mark from it."""
    loud = output.output_type == "stream" and output.name == "stderr"
    return not loud and output.output_type not in ("error", "execute_result")


def _title_for_source(cell: NotebookNode) -> None:
    settings = cell.metadata.nbgrader
    if settings.get("checksum") == compute_checksum(cell):
        del settings["checksum"]
        worth = f"{settings.points:g} point{'' if settings.points == 1 else 's'}"
        cell.source = f"# {title(settings.grade_id)} ({worth})"


def _as_failed(cell: NotebookNode) -> None:
    """A cell without points that cannot run to its end: the Validator lists only graded cells."""
    if any(output.get("ename") in STOPS for output in cell.outputs):
        cell.metadata["nbgrader"] = {"grade": True, "solution": False, "points": 0}


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

    Goes after GetGrades. The rows are in `resources["coursekit"]["rows"]`, what grading noted for
    the student in `["notes"]`; the cell with the grader's notes goes.
    """

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Collect the rows and the points that wait for hand grading."""
        nb.cells = [cell for cell in nb.cells if told.role(cell) != "notes"]
        waiting = self._waiting(resources["nbgrader"])
        verdicts = told.of(nb).verdicts
        whys = {name: str(verdict.get("why", "")) for name, verdict in verdicts.items()}
        rows = [_row(cell, waiting, whys) for cell in nb.cells if is_grade(cell)]
        resources["coursekit"] = {
            "rows": rows,
            "notes": told.for_student(nb),
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


def _row(cell: NotebookNode, waiting: set[str], whys: dict[str, str]) -> dict[str, Any]:
    settings = cell.metadata.nbgrader
    score, points = float(settings.get("score") or 0), float(settings.get("points") or 0)
    why = whys.get(settings.grade_id) or _error(cell)
    if settings.grade_id in waiting:
        state = "waiting"
    elif score >= points:
        state = "full"
    elif "not attempted" in why.lower() and score == 0:
        state = "untouched"
    else:
        state = "part" if score > 0 else "none"
    said = {"waiting": "Waits to be marked by hand.", "untouched": "Not attempted yet.", "full": ""}
    return {
        "id": settings.grade_id,
        "title": title(settings.grade_id),
        "score": score,
        "points": points,
        "state": state,
        "said": said.get(state, why),
        "comment": settings.get("comment") or "",
    }


def _error(cell: NotebookNode) -> str:
    """The error of a cell that has no verdict."""
    errors = [out for out in cell.get("outputs", []) if out.output_type == "error"]
    if not errors:
        return ""
    # The text of an error may quote hidden values.
    text = "" if HIDDEN.search(cell.source) else f": {errors[0].evalue}"
    return f"{errors[0].ename}{text}"[:200]


def _first_heading(nb: NotebookNode) -> str:
    lines = (
        line
        for cell in nb.cells
        if cell.cell_type == "markdown"
        for line in cell.source.split("\n")
    )
    return next((line.removeprefix("# ").strip() for line in lines if line.startswith("# ")), "")
