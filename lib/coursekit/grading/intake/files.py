"""Read a folder that somebody else filled: no link is followed, nothing is read without a limit."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from coursekit.grading.intake.notes import Note

MB = 1024 * 1024
IGNORED = (".ipynb_checkpoints", "__pycache__", "*.pyc", "*.html", "*.htm", "feedback", ".git",
           ".DS_Store", "__MACOSX", "Thumbs.db", "*~", "timestamp.txt")  # fmt: skip
ENTRIES = 20_000  # looked at; a folder with more is not looked through to its end
DEPTH = 8


class NotRead(Exception):
    """Why a file was not read, to be read after its name: "is larger than 50 MB"."""


@dataclass(frozen=True)
class Taken:
    """How much of a submission is taken in."""

    files: int = 200
    file_mb: int = 50
    total_mb: int = 100
    notebook_mb: int = 100


@dataclass
class Listing:
    """The regular files in a folder, as relative paths with "/", in order, and what was left."""

    files: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    cut: bool = False
    seen: int = 0


def shown(path: str) -> str:
    """A path as it can be printed: on one line, not too long, whatever it is made of."""
    text = path.encode("utf-8", "replace").decode()
    text = "".join(mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in text)
    return text if len(text) <= 80 else f"{text[:50]}…{text[-25:]}"


def some(paths: Collection[str], most: int = 5) -> str:
    """A few paths for a sentence, and how many more there are."""
    first = ", ".join(shown(path) for path in list(paths)[:most])
    more = len(paths) - most
    return f"{first} and {more} more" if more > 0 else first


def ignored(name: str, patterns: Collection[str] = IGNORED) -> bool:
    """Whether a file or folder of this name is left out."""
    return any(fnmatch(name, pattern) for pattern in patterns)


def listing(folder: Path, patterns: Collection[str] = IGNORED) -> Listing:
    """What is in `folder`, its links and unreadable folders told apart.

    Raises OSError where the folder itself cannot be read.
    """
    found = Listing()
    _walk(folder, "", 0, patterns, found)
    found.files.sort(key=lambda path: (path.count("/"), path))
    return found


def _walk(folder: Path, prefix: str, depth: int, patterns: Collection[str], found: Listing) -> None:
    with os.scandir(folder) as entries:
        inner = [entry for entry in entries if not ignored(entry.name, patterns)]
    for entry in sorted(inner, key=lambda entry: entry.name):
        found.seen += 1
        if found.seen > ENTRIES:
            found.cut = True
            return
        path = prefix + entry.name
        if not _can_be_named(path):
            found.odd.append(path)
        elif entry.is_symlink():
            found.links.append(path)
        elif entry.is_dir(follow_symlinks=False):
            _enter(entry, path, depth, patterns, found)
        elif entry.is_file(follow_symlinks=False):
            found.files.append(path)
        else:
            found.odd.append(path)


def _enter(
    entry: os.DirEntry[str], path: str, depth: int, patterns: Collection[str], found: Listing
) -> None:
    if depth >= DEPTH:
        found.cut = True
        return
    try:
        _walk(Path(entry.path), f"{path}/", depth + 1, patterns, found)
    except OSError:
        found.closed.append(path)


def _can_be_named(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def content(path: Path, most_mb: int) -> bytes:
    """The bytes of a regular file. Raises NotRead for a link, a pipe, a closed or a large file."""
    try:
        # Without waiting, since somebody may put a pipe where the file was a moment ago.
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        raise NotRead("cannot be opened") from None
    with os.fdopen(number, "rb") as file:
        about = os.fstat(number)
        if not stat.S_ISREG(about.st_mode):
            raise NotRead("is not a file")
        if about.st_size > most_mb * MB:
            raise NotRead(f"is larger than {most_mb} MB")
        try:
            return file.read(most_mb * MB)
        except OSError:
            raise NotRead("cannot be read") from None


def take(
    folder: Path, paths: Collection[str], taken: Taken, name: Callable[[str], str] = str
) -> tuple[dict[str, bytes], list[Note]]:
    """The contents of `paths` within the limits, under `name(path)`, and notes on the rest."""
    files: dict[str, bytes] = {}
    notes: list[Note] = []
    over: list[str] = []
    total = 0
    for path in paths:
        if len(files) >= taken.files:
            over.append(path)
            continue
        try:
            data = content(folder / path, taken.file_mb)
        except NotRead as error:
            notes.append(Note("", f"The file {shown(path)} {error} and was left out."))
            continue
        total += len(data)
        if total > taken.total_mb * MB:
            total -= len(data)
            over.append(path)
            continue
        files[name(path)] = data
    if over:
        most = f"at most {taken.files} files and {taken.total_mb} MB are taken in"
        notes.append(Note("", f"{len(over)} files were left out ({some(over, 3)}): {most}."))
    return files, notes[-20:]


def overlay(
    student: Mapping[str, bytes], course: Mapping[str, bytes], keep: Collection[str] = ()
) -> tuple[dict[str, bytes], list[Note]]:
    """The student's files under the course's, except those in `keep`, and notes on the replaced."""
    ours = {path: data for path, data in course.items() if path not in keep or path not in student}
    kept = {path: data for path, data in student.items() if not _in_the_way(path, ours)}
    replaced = sorted(
        path for path in student if path not in kept or kept[path] != ours.get(path, kept[path])
    )
    notes = [
        Note("", f"Your file {shown(path)} was replaced with the course's own, which is different.")
        for path in replaced
    ]
    return {**kept, **ours}, notes


def _in_the_way(path: str, ours: Mapping[str, bytes]) -> bool:
    """Whether a file stands where the course has a folder, or the other way round."""
    parents = [str(parent) for parent in Path(path).parents]
    return any(parent in ours for parent in parents) or any(
        name.startswith(f"{path}/") for name in ours
    )
