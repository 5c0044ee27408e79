"""What `coursekit grade`, `report` and `validate` print, and the exit status that they give."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from coursekit import paths
from coursekit.errors import CourseError
from coursekit.grading import class_run, course
from coursekit.grading.class_run import Options, Outcome, collect, feedback
from coursekit.grading.class_run.lesson import limits
from coursekit.grading.kernels.cells import Limits
from coursekit.grading.report import write_all
from coursekit.grading.sandbox import missing
from coursekit.grading.status import NOT_GRADED, Result, Status
from coursekit.grading.validate import as_data
from coursekit.grading.validate import validate as judge

INTERRUPTED = 130
NOTE_WIDTH = 160
Step = Callable[[str, int, int], None]


def grade(
    root: Path,
    assignments: Sequence[str],
    students: Sequence[str] | None,
    options: Options,
    pages: bool = False,
) -> int:
    """Grade, write feedback `pages` if wanted, and print a table; returns the exit status.

    That is 0, or 1 where something could not be graded, or 130 after Ctrl-C. Raises CourseError
    where the run as a whole cannot be done.
    """
    out = _console()
    warn_of_missing(options)
    with bar("Grading") as step:

        def progress(result: Result, done: int, total: int) -> None:
            step(f"Grading {result.student}", done, total)

        outcome = class_run.grade(root, assignments, students, options, progress, _say)
    out.print(table(outcome.results))
    out.print(counts(outcome.results), soft_wrap=True)
    if outcome.interrupted:
        _say("Interrupted: what is graded is kept. Run the same command again to go on.")
        return INTERRUPTED
    if pages:
        _write_pages(root, outcome, options.jobs)
    return int(any(result.status in NOT_GRADED for result in outcome.results))


def warn_of_missing(options: Options) -> None:
    """Say which protections this machine lacks; raise CourseError where all are required."""
    if options.dask:  # workers look for themselves
        return
    lacking = missing()
    if not lacking:
        return
    names = ", ".join(protection.name for protection in lacking)
    if options.require_isolation:
        raise CourseError(
            f"this machine does not offer every protection (missing: {names}): see "
            "`coursekit doctor`, or grade without --require-isolation."
        )
    _say(f"This machine confines student code only in part (missing: {names}).")
    _say("`coursekit doctor` says what that means.")


def _write_pages(root: Path, outcome: Outcome, jobs: int) -> None:
    fresh = set(outcome.fresh)
    results = [r for r in outcome.results if (r.student, r.assignment) in fresh]
    with bar("Writing feedback") as step:
        faults = feedback.write(
            root, results, jobs, lambda done, total: step("Writing feedback", done, total)
        )
    for (student, assignment), fault in faults.items():
        _say(f"No feedback page for {student}, {assignment}: {fault}")


def report(root: Path, assignments: Sequence[str], to: Path) -> int:
    """Write the class report and its tables, and say where they are."""
    results = collect.known(root, assignments)
    for path in write_all(to, root, results, "Class report"):
        print(path)
    return 0


def validate(path: Path, as_json: bool) -> int:
    """Print what grading would say of a notebook; returns 1 where something is to be done."""
    answers = judge(path, _limits(path))
    data = as_data(path, answers)
    if as_json:
        print(json.dumps(data, indent=2))
    else:
        for answer in answers:
            print(answer.line())
        wrong = sum(not answer.good for answer in answers)
        print("All is well." if data["passed"] else f"{wrong} of {len(answers)} need work.")
    return 0 if data["passed"] else 1


def _limits(path: Path) -> Limits | None:
    """The limits of the course that a notebook lies in, None outside any course."""
    try:
        return limits(course.configuration(paths.root(path.resolve().parent)))
    except CourseError:
        return None


def table(results: Sequence[Result]) -> Table:
    """One line for each submission."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("student", "assignment", "status"):
        made.add_column(title)
    made.add_column("score", justify="right")
    made.add_column("notes", overflow="fold")
    for r in results:
        cells = (r.student, r.assignment, r.status.value, score(r), said(r))
        made.add_row(*(escape(cell) for cell in cells))
    return made


def score(result: Result) -> str:
    """The points so far, of those that are not waiting for a person; "" where there are none."""
    if result.score is None or result.points is None:
        return ""
    waiting = f" (+{result.waiting:g})" if result.waiting else ""
    return f"{result.score:g} / {result.points - result.waiting:g}{waiting}"


def said(result: Result) -> str:
    """What a grader should know of a result, shortened."""
    flags = len(result.flags)
    parts = [
        f"{flags} flag{'' if flags == 1 else 's'}: {result.flags[0]}" if flags else "",
        result.note,
        "late" if result.late else "",
        *result.notes[:1],
        f"{len(result.notes) - 1} more in the report" if len(result.notes) > 1 else "",
    ]
    text = "; ".join(part.rstrip(".") for part in parts if part)
    return text if len(text) <= NOTE_WIDTH else f"{text[: NOTE_WIDTH - 1]}…"


def counts(results: Sequence[Result]) -> str:
    """How many submissions have which status, on one line."""
    found = Counter(result.status for result in results)
    return ", ".join(f"{found[status]} {status.value}" for status in Status if found[status])


@contextmanager
def bar(what: str) -> Iterator[Step]:
    """A progress bar with the time that is left, on stderr where that is a terminal."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as p:
        task = p.add_task(what, total=None)

        def step(description: str, done: int, total: int) -> None:
            p.update(task, description=escape(description), completed=done, total=total)

        yield step


def _console() -> Console:
    return Console(width=None if sys.stdout.isatty() else 160)


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)
