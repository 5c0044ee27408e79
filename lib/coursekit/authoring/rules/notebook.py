"""Rules about the notebook as a whole: its format, metadata, names and required parts."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterator
from numbers import Real

import jsonschema
from nbformat.validator import iter_validate
from nbgrader.nbgraderformat.common import SchemaMismatchError
from nbgrader.nbgraderformat.v3 import MetadataValidatorV3

from coursekit.authoring.lesson import Fault, Lesson
from coursekit.authoring.notebooks import (
    Kind,
    code_cells,
    exercises,
    grade_id,
    has_region,
    kind,
    lines,
    of_kind,
    region_problem,
    snake,
)

_TIME = re.compile(r"\d+.{0,40}?\b(min|minutes|hours?)\b", re.IGNORECASE | re.DOTALL)
_URL = re.compile(r"\b(https?|ftp|file)://")
_ABSOLUTE = re.compile(r"""["'](/\w[\w.-]*[/"']|~/|[A-Za-z]:[\\/])""")


def format_is_valid(lesson: Lesson) -> Iterator[Fault]:
    """The file is a notebook of format 4.5 for a Python 3 kernel."""
    nb = lesson.notebook
    if nb.nbformat_minor < 5:
        yield lesson.fault(None, f"format 4.{nb.nbformat_minor}", "save it in format 4.5 or later")
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for error in iter_validate(nb, version=4, version_minor=nb.nbformat_minor):
            place = "/".join(str(part) for part in error.path)
            yield lesson.fault(None, f"not a valid notebook at {place}: {_short(error.message)}")
    kernel = nb.metadata.get("kernelspec", {}).get("name")
    if kernel != "python3":
        yield lesson.fault(None, f"the kernel is {kernel!r}", "choose the kernel python3")


def cell_ids_are_unique(lesson: Lesson) -> Iterator[Fault]:
    """Every cell has an id of its own."""
    for name, count in Counter(cell.get("id") for cell in lesson.notebook.cells).items():
        if name and count > 1:
            yield lesson.fault(None, f'{count} cells have the id "{name}"', "give each its own id")


def metadata_is_valid(lesson: Lesson) -> Iterator[Fault]:
    """Nbgrader's own validator accepts the metadata of every cell."""
    validator = MetadataValidatorV3()
    for cell in lesson.notebook.cells:
        try:
            validator.validate_cell(cell)
        except SchemaMismatchError as error:
            what = f"nbgrader metadata of schema {error.actual_version}"
            yield lesson.fault(cell, what, "run `nbgrader update` on the file")
        except (jsonschema.ValidationError, KeyError) as error:
            said = getattr(error, "message", str(error))
            yield lesson.fault(cell, f"nbgrader metadata is not valid: {_short(said)}")


def _short(text: str) -> str:
    line = text.strip().split("\n")[0].rstrip(".:")
    return line if len(line) <= 120 else line[:119] + "…"


def grade_ids_are_unique(lesson: Lesson) -> Iterator[Fault]:
    """No two graded cells share a grade id."""
    ids = Counter(filter(None, map(grade_id, lesson.notebook.cells)))
    for name, count in ids.items():
        if count > 1:
            what = f'{count} cells have the grade id "{name}"'
            yield lesson.fault(None, what, "give each a grade id of its own")


def regions_are_closed(lesson: Lesson) -> Iterator[Fault]:
    """Solution and hidden-test regions are complete and stand in cells of the right kind."""
    homes = {"solution": (Kind.ANSWER, Kind.WRITTEN), "hidden": (Kind.TEST,)}
    for cell in lesson.notebook.cells:
        problem = region_problem(cell.source)
        if problem:
            yield lesson.fault(cell, problem, "pair each BEGIN with an END")
        for region, kinds in homes.items():
            if has_region(cell.source, region) and kind(cell) not in kinds:
                what = f"a {region} region in a cell that is not of that kind"
                yield lesson.fault(cell, what, "set the cell's type in the nbgrader toolbar")


def names_are_snake_case(lesson: Lesson) -> Iterator[Fault]:
    """The assignment and all grade ids are lower-case snake case."""
    if not snake(lesson.assignment):
        what = f'the name "{lesson.assignment}" is not lower-case snake case'
        yield lesson.fault(None, what, "rename the folder and the notebook")
    for cell in lesson.notebook.cells:
        if grade_id(cell) and not snake(grade_id(cell)):
            what = "the grade id is not lower-case snake case"
            yield lesson.fault(cell, what, "use small letters, digits and underscores")


def points_are_positive(lesson: Lesson) -> Iterator[Fault]:
    """Every graded cell is worth something."""
    for cell in of_kind(lesson.notebook, Kind.TEST, Kind.WRITTEN):
        points = cell.metadata.nbgrader.get("points")
        if not isinstance(points, Real) or isinstance(points, bool) or points <= 0:
            yield lesson.fault(cell, f"worth {points} points", "give it a number above 0")


def nothing_is_stored(lesson: Lesson) -> Iterator[Fault]:
    """No outputs and no execution counts are in the file."""
    for cell in code_cells(lesson.notebook):
        if cell.get("outputs"):
            yield lesson.fault(cell, "has stored outputs", "clear all outputs and save")
        elif cell.get("execution_count") is not None:
            yield lesson.fault(cell, "has an execution count", "clear all outputs and save")


def answers_are_tested(lesson: Lesson) -> Iterator[Fault]:
    """Each answer cell has a solution region and test cells of its own after it."""
    tests = exercises(lesson.notebook)
    first_answer = False
    for cell in of_kind(lesson.notebook, Kind.ANSWER, Kind.TEST):
        if kind(cell) is Kind.TEST:
            if not first_answer:
                yield lesson.fault(cell, "stands before every answer cell", "move it down")
            continue
        first_answer = True
        if not has_region(cell.source, "solution"):
            what = "has no solution region, so nothing of it would stand in the release"
            yield lesson.fault(cell, what, "put BEGIN SOLUTION and END SOLUTION around the answer")
        if not tests[grade_id(cell)]:
            what = "no test cell comes before the next answer cell"
            yield lesson.fault(cell, what, "add a test cell after it")


def written_answer_has_rubric(lesson: Lesson) -> Iterator[Fault]:
    """There is a written answer, and each one has a rubric that students do not see."""
    cells = of_kind(lesson.notebook, Kind.WRITTEN)
    if not cells:
        yield lesson.fault(None, "has no written answer graded by hand", "add one with a rubric")
    for cell in cells:
        secret = " ".join(line.text for line in lines(cell.source) if line.region == "solution")
        if "rubric" not in secret.lower():
            what = "the solution region names no rubric"
            yield lesson.fault(cell, what, "add the rubric to the model answer")


def opening_tells_title_and_time(lesson: Lesson) -> Iterator[Fault]:
    """The first cell has the title and says how long the lesson takes."""
    first = lesson.notebook.cells[0] if lesson.notebook.cells else None
    source = first.source if first is not None and first.cell_type == "markdown" else ""
    if not source.startswith("# "):
        yield lesson.fault(
            first, "the notebook does not start with a title", "start with `# Title`"
        )
    if not _TIME.search(source):
        what = "the first cell does not say how long the lesson takes"
        yield lesson.fault(first, what, "add a time such as `45 minutes`")


def code_stays_local(lesson: Lesson) -> Iterator[Fault]:
    """Code cells name no absolute path and no address of a network."""
    for cell in code_cells(lesson.notebook):
        url, path = _URL.search(cell.source), _ABSOLUTE.search(cell.source)
        if url:
            yield lesson.fault(cell, f"the code names an address ({url[0]}…)", "work without it")
        if path:
            what = f"the code names an absolute path ({path[0][1:]}…)"
            yield lesson.fault(cell, what, "use a path relative to the notebook")


STRUCTURE = [
    format_is_valid,
    cell_ids_are_unique,
    metadata_is_valid,
    grade_ids_are_unique,
    regions_are_closed,
]
CONTENT = [
    names_are_snake_case,
    points_are_positive,
    nothing_is_stored,
    answers_are_tested,
    written_answer_has_rubric,
    opening_tells_title_and_time,
    code_stays_local,
]
