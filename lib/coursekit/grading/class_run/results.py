"""From records and gradebook to the results that run and report show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from coursekit.grading.class_run.keep import Record
from coursekit.grading.class_run.lesson import LASTING, Found, Lesson
from coursekit.grading.class_run.roster import Entry
from coursekit.grading.intake.files import shown
from coursekit.grading.intake.notes import Note
from coursekit.grading.recorded import Kept, result_of
from coursekit.grading.status import Result, Status

EARLIER = "the gradebook still has the marks of an earlier submission"


def clash(assignment: str, entry: Entry) -> Result:
    """The result where several folders claim to be one student's."""
    named = " and ".join(shown(folder) for folder in entry.clash)
    note = f"the folders {named} are the same student's: keep one"
    return Result(entry.student, assignment, Status.FAILED, note=note)


def unread(assignment: str, found: Found, kept: Kept | None) -> Result:
    """The result of a submission that cannot be executed."""
    read, student = found.submission, found.entry.student
    assert read.status is not None
    marked = kept is not None and any(row.auto is not None or row.by_hand for row in kept.rows)
    if marked and kept is not None and read.status is Status.NOT_SUBMITTED and not read.why:
        result = result_of(student, assignment, kept)
        return replace(result, note=_joined(result.note, "the submission is not there any more"))
    note = _joined(read.why, EARLIER if marked else "")
    return Result(student, assignment, read.status, note=note, notes=sentences(read.notes))


def dealt_with(assignment: str, student: str, record: Record, kept: Kept | None) -> Result:
    """The result of a submission that was executed."""
    if record.status in LASTING and kept is not None:
        result = result_of(student, assignment, kept)
        late = record.status is Status.TIME_LIMIT
        result = replace(result, status=record.status if late else result.status)
    else:
        result = Result(student, assignment, record.status)
    return replace(
        result,
        note=_joined(record.note, result.note),
        notes=sentences(record.notes),
        flags=sentences(record.flags),
    )


def so_far(lesson: Lesson, entry: Entry, record: Record | None, kept: Kept | None) -> Result:
    """The result as it is known without grading anything now."""
    if entry.clash:
        return clash(lesson.assignment, entry)
    found = lesson.find(entry)
    if found.submission.status is not None:
        return unread(lesson.assignment, found, kept)
    lost = record is not None and record.status in LASTING and kept is None
    if record is None or lost or record.digest != found.submission.digest:
        return _not_yet(lesson.assignment, entry.student, record, kept)
    result = dealt_with(lesson.assignment, entry.student, record, kept)
    if record.templates != lesson.digests:
        return replace(result, note=_joined(result.note, "graded with other points or tests"))
    return result


def _not_yet(assignment: str, student: str, record: Record | None, kept: Kept | None) -> Result:
    """The result where `coursekit grade` has not seen what was handed in."""
    graded_otherwise = record is None and kept is not None
    if graded_otherwise and kept is not None and any(row.auto is not None for row in kept.rows):
        return result_of(student, assignment, kept)
    note = "handed in again since it was graded" if record and kept else ""
    return Result(student, assignment, Status.NOT_YET, note=note)


def sentences(notes: Iterable[Note]) -> tuple[str, ...]:
    """Notes with the cells that they are about."""
    return tuple(
        f"`{note.cell}`: {note.text}" if note.cell and note.cell not in note.text else note.text
        for note in notes
    )


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
