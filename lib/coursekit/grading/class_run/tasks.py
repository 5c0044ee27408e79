"""One submission as bytes in and bytes out: what a thread here or a worker elsewhere executes."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode

from coursekit.errors import CourseError
from coursekit.grading import told
from coursekit.grading.autograde import ShowNotes
from coursekit.grading.class_run.notebook import Ran, run_notebook
from coursekit.grading.class_run.stop import Stop, Stopped
from coursekit.grading.intake.notes import Note
from coursekit.grading.intake.reading import Unreadable
from coursekit.grading.intake.repair import Repaired, repair
from coursekit.grading.intake.template import Template
from coursekit.grading.kernels.cells import Limits
from coursekit.grading.kernels.client import Kernels
from coursekit.grading.kernels.session import Session
from coursekit.grading.marks import Mark, marks_of
from coursekit.grading.sandbox import missing
from coursekit.grading.status import Status


@dataclass(frozen=True)
class Task:
    """A submission to execute, with all that is needed for it.

    `templates` holds the JSON of each notebook's template and `notebooks` what was handed in, by
    the assignment's names; `files` is what lies beside them, by relative path; `unread` says of a
    notebook why it is not there.
    """

    assignment: str
    student: str
    templates: dict[str, str]
    notebooks: dict[str, bytes]
    files: dict[str, bytes] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    unread: dict[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    digest: str = ""
    require_isolation: bool = False


@dataclass(frozen=True)
class Executed:
    """What became of a task. `note` is a sentence on the status.

    `notebooks` are the graded notebooks and `marks` their marks, both by name, empty where nothing
    was graded. `notes` are for student and grader, `flags` for the grader alone.
    """

    assignment: str
    student: str
    status: Status
    note: str = ""
    notebooks: dict[str, bytes] = field(default_factory=dict)
    marks: dict[str, list[Mark]] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    flags: tuple[Note, ...] = ()
    digest: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class _Graded:
    """One notebook after its run."""

    status: Status | None
    why: str
    nb: NotebookNode
    marks: list[Mark]


def execute(task: Task, kernels: Kernels, stop: Stop | None = None) -> Executed:
    """Run a submission. Raises Stopped where the run is to end, and nothing else."""
    started = time.monotonic()
    try:
        if task.require_isolation and missing():
            raise CourseError("this machine cannot isolate it: see `coursekit doctor`")
        with _laid_out(task.files) as folder:
            graded = {
                name: _grade(task, name, raw, folder, kernels, stop)
                for name, raw in task.notebooks.items()
            }
        done = _together(task, graded)
    except Stopped:
        raise
    except Exception as error:
        done = failed(task.assignment, task.student, error)
    return replace(done, digest=task.digest, seconds=round(time.monotonic() - started, 3))


def failed(assignment: str, student: str, error: BaseException) -> Executed:
    """What is told of a submission that could not be executed for a fault that is not its own."""
    said = " ".join(str(error).split())[:300]
    if not isinstance(error, CourseError):
        said = f"an error in grading itself ({type(error).__name__}: {said}): report it"
    return Executed(assignment, student, Status.FAILED, said)


@contextmanager
def _laid_out(files: dict[str, bytes]) -> Iterator[Path | None]:
    """A folder that holds the files, None where there are none."""
    if not files:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="coursekit-") as name:
        for path, data in files.items():
            target = Path(name, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        yield Path(name)


def _grade(
    task: Task, name: str, raw: bytes, folder: Path | None, kernels: Kernels, stop: Stop | None
) -> _Graded:
    """Repair and run one notebook; a fault of the notebook is a status."""
    try:
        repaired = repair(raw, Template.from_json(task.templates[name]))
    except Unreadable as error:
        why = f"{name}.ipynb {error}: ask for it again"
        return _Graded(Status.UNREADABLE, why, nbformat.v4.new_notebook(), [])
    if repaired.status is not None:
        return _Graded(repaired.status, repaired.why, repaired.nb, [])
    first = name == next(iter(task.notebooks))
    _put_notes(repaired, task.notes if first else ())
    stop = stop or Stop()
    with Session(kernels, folder, task.limits) as session, stop.over(session):
        ran = run_notebook(repaired.nb, session, stop)
        stop.check()
    return _after(repaired.nb, ran)


def _put_notes(repaired: Repaired, more: tuple[Note, ...]) -> None:
    about = told.of(repaired.nb)
    about.notes = [NotebookNode(cell=n.cell, text=n.text) for n in (*more, *repaired.notes)]
    about.flags = [NotebookNode(cell=flag.cell, text=flag.text) for flag in repaired.flags]


def _after(nb: NotebookNode, ran: Ran) -> _Graded:
    """What counts after a run: nothing where no cell ran, what was earned where time ran out."""
    marks = marks_of(nb)
    status, why = None, ""
    if ran.tests and not ran.alive:
        status, why = (
            Status.CRASHED,
            f"no cell could be run ({told.of(nb).stopped}): grade it again",
        )
        marks = [replace(mark, score=None) if mark.graded else mark for mark in marks]
    elif ran.too_late:
        tests = f"{ran.too_late} test{'' if ran.too_late == 1 else 's'}"
        status, why = Status.TIME_LIMIT, f"{tests} not reached, which earn nothing"
    ShowNotes().preprocess(nb, ResourcesDict())
    return _Graded(status, why, nb, marks)


# The status of the whole is the first that one of its notebooks has.
RANK = (Status.CRASHED, Status.TIME_LIMIT, None, Status.NO_CELLS, Status.UNREADABLE)


def _together(task: Task, graded: dict[str, _Graded]) -> Executed:
    status = min((one.status for one in graded.values()), key=RANK.index)
    whys = [one.why for one in graded.values() if one.why]
    kept = {name: one for name, one in graded.items() if one.marks}
    if status in (Status.NO_CELLS, Status.UNREADABLE):
        return Executed(task.assignment, task.student, status, "; ".join(whys))
    by_hand = task.unread or any(
        mark.graded and mark.score is None for one in kept.values() for mark in one.marks
    )
    return Executed(
        task.assignment,
        task.student,
        status or (Status.BY_HAND if by_hand else Status.GRADED),
        "; ".join([*whys, *task.unread.values()]),
        {name: _bytes(one.nb) for name, one in kept.items()},
        {name: one.marks for name, one in kept.items()},
        _said(kept, "notes"),
        _said(kept, "flags"),
    )


def _bytes(nb: NotebookNode) -> bytes:
    """The notebook as nbformat writes it, but for a validation that costs more than all else."""
    return (json.dumps(nb, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def _said(graded: dict[str, _Graded], part: str) -> tuple[Note, ...]:
    entries = (entry for one in graded.values() for entry in told.of(one.nb)[part])
    return tuple(dict.fromkeys(Note(str(entry.cell), str(entry.text)) for entry in entries))
