"""What a class run knows of one assignment, and what it finds of one submission of it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

from nbgrader.apps.api import NbGraderAPI
from nbgrader.utils import parse_utc
from traitlets.config import Config

from coursekit.grading import course
from coursekit.grading.class_run.keep import Record, untouched
from coursekit.grading.class_run.roster import Entry
from coursekit.grading.class_run.tasks import Task
from coursekit.grading.intake import files, submission
from coursekit.grading.intake.notes import Note
from coursekit.grading.intake.submission import Submission
from coursekit.grading.intake.template import Template, templates
from coursekit.grading.kernels.cells import Limits
from coursekit.grading.kernels.provisioner import WarmProvisioner
from coursekit.grading.status import Status

TIMESTAMP = "timestamp.txt"
ZONE = re.compile(r"(Z|[+-]\d\d:?\d\d|[A-Za-z]{2,5})$")
LASTING = {Status.GRADED, Status.BY_HAND, Status.TIME_LIMIT}  # not tried again


def provisioner(config: Config) -> WarmProvisioner:
    """The options for kernels in nbgrader's configuration."""
    return WarmProvisioner(config=config)


def limits(config: Config) -> Limits:
    """The limits in nbgrader's configuration: those that plain `nbgrader autograde` keeps too."""
    options = provisioner(config)
    timeout = config.Execute.get("timeout")
    return Limits(
        cell_seconds=float(timeout) if timeout and timeout > 0 else options.cell_seconds,
        notebook_seconds=options.notebook_seconds,
        memory_mb=options.memory_mb,
        file_mb=options.file_mb,
        output_lines=options.output_lines,
    )


@dataclass(frozen=True)
class Found:
    """A submission as it lies in its folder. `handed_in` is in UTC, `stamp` its file."""

    entry: Entry
    submission: Submission
    stamp: bytes | None = None
    handed_in: datetime | None = None

    @property
    def files(self) -> dict[str, bytes]:
        """What lies beside the graded notebooks."""
        stamp = {} if self.stamp is None else {TIMESTAMP: self.stamp}
        return {**self.submission.files, **stamp}


@dataclass(frozen=True)
class Lesson:
    """An assignment: its templates, the files that come with it, and the limits."""

    assignment: str
    api: NbGraderAPI
    templates: Mapping[str, Template]
    given: Mapping[str, bytes]
    keep: frozenset[str]
    limits: Limits

    @classmethod
    def of(cls, root: Path, assignment: str) -> Lesson:
        """The assignment of a course. Raises CourseError where the gradebook does not know it."""
        given, keep = submission.course_files(root, assignment)
        return cls(
            assignment,
            course.api(root),
            templates(root, assignment),
            given,
            frozenset(keep),
            limits(course.configuration(root)),
        )

    @cached_property
    def texts(self) -> dict[str, str]:
        """The templates as JSON."""
        return {name: template.to_json() for name, template in self.templates.items()}

    @cached_property
    def digests(self) -> dict[str, str]:
        """The fingerprints of the templates."""
        return {name: template.digest for name, template in self.templates.items()}

    @cached_property
    def settings(self) -> str:
        """A fingerprint of what else a result depends on."""
        parts = f"{version('coursekit')} {sorted(asdict(self.limits).items())}"
        return hashlib.sha256(parts.encode()).hexdigest()[:16]

    def folder(self, step: str, student: str) -> Path:
        """A student's folder in a step."""
        return course.folder(self.api, step, student, self.assignment)

    def find(self, entry: Entry) -> Found:
        """Read a submission; never raises for what is in it."""
        place = self.folder("submitted", entry.folder)
        read = submission.read(place, self.templates, self.given, self.keep)
        stamp, handed_in, notes = _handed_in(place) if read.status is None else (None, None, [])
        if entry.folder != entry.student:
            text = f"The folder {files.shown(entry.folder)} was taken for {entry.student}."
            notes.append(Note("", text))
        read.notes.extend(notes)
        return Found(entry, read, stamp, handed_in)

    def task(self, found: Found, require_isolation: bool = False) -> Task:
        """The task of running a submission that can be graded."""
        read = found.submission
        return Task(
            self.assignment,
            found.entry.student,
            {name: self.texts[name] for name in read.notebooks},
            dict(read.notebooks),
            dict(read.files),
            tuple(read.notes),
            dict(read.missing),
            self.limits,
            read.digest,
            require_isolation,
        )

    def current(self, found: Found, record: Record | None) -> bool:
        """Whether what was handed in is graded already, by the tests and limits of today."""
        return (
            record is not None
            and record.status in LASTING
            and record.digest == found.submission.digest
            and record.templates == self.digests
            and record.settings == self.settings
            and untouched(self.folder("autograded", found.entry.student), record)
        )


def _handed_in(folder: Path) -> tuple[bytes | None, datetime | None, list[Note]]:
    """The timestamp file, its time in UTC without a zone as nbgrader keeps it, and notes."""
    try:
        raw = files.content(folder / TIMESTAMP, 1)
    except files.NotRead:
        return None, None, []
    text = raw.decode("utf-8", "replace").strip()
    if not text:
        return None, None, []
    try:
        moment = parse_utc(text)
        zoned = ZONE.search(text) is not None
    except (ValueError, OverflowError, TypeError):
        note = f"The time of hand-in cannot be read ({files.shown(text)}): lateness is not known."
        return None, None, [Note("", note)]
    note = f"The time of hand-in names no time zone and was read as UTC ({files.shown(text)})."
    return raw, moment, [] if zoned else [Note("", note)]
