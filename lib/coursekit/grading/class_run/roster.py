"""Whose submissions there are: the gradebook's students and the folders of what was handed in."""

from __future__ import annotations

import os
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from coursekit.errors import CourseError


@dataclass(frozen=True)
class Entry:
    """A student, and the name of the folder with the work; `clash` are several that claim to be."""

    student: str
    folder: str
    clash: tuple[str, ...] = ()


def same(id: str) -> str:
    """An id without the differences of case and of how accents are stored."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", id).casefold())


def folders(coursedir: CourseDirectory, assignment: str) -> list[str]:
    """The names of the student folders in which something of the assignment was handed in."""
    parts = Path(coursedir.directory_structure).parts
    if "{student_id}" not in parts:
        return []
    below = len(parts) - 1 - parts.index("{student_id}")
    place = Path(coursedir.format_path(coursedir.submitted_directory, "x", assignment))
    inner = place.parts[len(place.parts) - below :]
    try:
        names = sorted(os.listdir(place.parents[below]))
    except OSError:
        return []
    top = place.parents[below]
    return [n for n in names if not n.startswith(".") and _is_there(top.joinpath(n, *inner))]


def _is_there(path: Path) -> bool:
    try:
        return os.path.lexists(path)
    except (OSError, ValueError):
        return True


def entries(known: Sequence[str], found: Sequence[str]) -> list[Entry]:
    """Each student of the gradebook and each folder, matched without regard to case.

    A folder belongs to the student of exactly its name, else to one whose name differs in case
    alone. Several folders for one student clash.
    """
    claims: dict[str, list[str]] = {student: [] for student in known}
    alike = defaultdict(list)
    for student in known:
        alike[same(student)].append(student)
    for folder in found:
        if folder in claims and folder in known:
            claims[folder].append(folder)
            continue
        owners = alike[same(folder)] or [folder]
        claims.setdefault(owners[0], []).append(folder)
        alike[same(folder)] = owners
    return [_entry(student, claims[student]) for student in sorted(claims)]


def _entry(student: str, claimed: list[str]) -> Entry:
    if len(claimed) > 1:
        return Entry(student, student, tuple(sorted(claimed)))
    return Entry(student, claimed[0] if claimed else student)


def chosen(students: Sequence[str], wanted: Sequence[str] | None) -> list[str]:
    """The wanted students, all where none are named. Raises CourseError for an unknown one."""
    if not wanted:
        return list(students)
    loose = {same(student): student for student in students}
    picked = []
    for id in wanted:
        student = id if id in students else loose.get(same(id))
        if student is None:
            raise CourseError(
                f"there is no student {id!r}: neither the gradebook nor a folder of submissions "
                "has that id."
            )
        picked.append(student)
    return list(dict.fromkeys(picked))
