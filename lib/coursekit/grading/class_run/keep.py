"""What a class run keeps of each submission: the graded folder, and a record to go on from.

Records lie in `autograded/.coursekit/`, not beside the notebooks: nbgrader copies what is there to
the student's feedback, and records hold the grader's flags.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from uuid import uuid4

from coursekit.grading.intake.notes import Note
from coursekit.grading.status import Status

OLD = 3600.0  # seconds after which what an ended run left half-written is removed


@dataclass(frozen=True)
class Record:
    """What is known of a submission that was dealt with.

    `digest` is of what was handed in, `templates` of the course's notebooks by name, `settings` of
    limits and version. `stamps` tell whether a graded notebook is still the one of this run.
    `seconds` is how long it ran, `graded` when, in local time with its zone.
    """

    status: Status
    digest: str
    templates: dict[str, str]
    settings: str
    note: str = ""
    notes: tuple[Note, ...] = ()
    flags: tuple[Note, ...] = ()
    seconds: float = 0.0
    graded: str = ""
    stamps: dict[str, list[int]] = field(default_factory=dict)


class Store:
    """The folder of graded work of a course, `autograded`; `shared` lets a group write there."""

    def __init__(self, autograded: Path, shared: bool = False) -> None:
        self.own = autograded / ".coursekit"
        self.mode = 0o664 if shared else 0o444

    def _path(self, assignment: str, student: str) -> Path:
        return self.own / "records" / assignment / f"{student}.json"

    def load(self, assignment: str, student: str) -> Record | None:
        """The record of a submission, None where there is none that can be read."""
        try:
            content = json.loads(self._path(assignment, student).read_text(encoding="utf-8"))
            content["status"] = Status(content["status"])
            for part in ("notes", "flags"):
                content[part] = tuple(Note(**note) for note in content[part])
            return Record(**content)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None

    def save(self, assignment: str, student: str, record: Record) -> None:
        """Write a record, whole or not at all."""
        path = self._path(assignment, student)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({**asdict(record), "status": record.status.value}, ensure_ascii=True)
        self.put(path, text.encode())

    def lay(
        self, target: Path, files: Mapping[str, bytes], notebooks: Mapping[str, bytes]
    ) -> dict[str, list[int]]:
        """Put a graded submission in the place of an older one; returns stamps of its notebooks."""
        new = self._scratch()
        new.mkdir()
        named = {f"{name}.ipynb": data for name, data in notebooks.items()}
        for path, data in {**files, **named}.items():
            place = new / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
            place.chmod(self.mode)
        target.parent.mkdir(parents=True, exist_ok=True)
        self.drop(target)
        new.replace(target)
        return {name: _stamp(target / f"{name}.ipynb") for name in notebooks}

    def put(self, path: Path, data: bytes) -> None:
        """Replace one file."""
        scratch = self._scratch()
        scratch.write_bytes(data)
        scratch.chmod(self.mode)
        scratch.replace(path)

    def drop(self, target: Path) -> None:
        """Remove a graded folder."""
        if os.path.lexists(target):
            old = self._scratch()
            target.rename(old)
            remove(old)

    def tidy(self) -> None:
        """Remove what a run that was ended long ago left half-written."""
        for path in (self.own / "writing").glob("*"):
            if time.time() - path.lstat().st_mtime > OLD:
                remove(path)

    def _scratch(self) -> Path:
        folder = self.own / "writing"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / uuid4().hex


def remove(path: Path) -> None:
    """Remove a file, a link or a folder."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _stamp(path: Path) -> list[int]:
    about = path.stat()
    return [about.st_size, about.st_mtime_ns]


def untouched(folder: Path, record: Record) -> bool:
    """Whether the graded notebooks are still those that the record is of."""
    try:
        return all(_stamp(folder / f"{n}.ipynb") == s for n, s in record.stamps.items())
    except OSError:
        return False
