"""Read what a student handed in: which file is which notebook, and what else is taken along."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbgrader.converters import Autograde

from coursekit.grading import course
from coursekit.grading.intake import files, reading
from coursekit.grading.intake.files import Listing, Taken, shown, some
from coursekit.grading.intake.notes import Note
from coursekit.grading.intake.template import Known, Template
from coursekit.grading.status import Status

ALIKE = 0.5  # the part of the course's cells that a notebook must have to be taken for another name


@dataclass(frozen=True)
class Submission:
    """What is graded of one submission.

    `notebooks` are by the assignment's names, JSON in UTF-8 without stored outputs; `files` by
    relative path, the course's own included. `missing` says of a notebook why it is not there.
    `status` is None where at least one notebook can be graded; else `why` says what is the
    matter. `digest` changes with what is graded and not with timestamps or outputs.
    """

    notebooks: dict[str, bytes] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    status: Status | None = None
    why: str = ""
    digest: str = ""


def read(
    folder: Path,
    templates: Mapping[str, Template],
    course_files: Mapping[str, bytes] | None = None,
    keep: Collection[str] = (),
    taken: Taken | None = None,
) -> Submission:
    """Read the submission in `folder`; never raises for what is in it.

    `course_files` replace the student's files of the same path, except those in `keep`.
    """
    refused = _refused(folder)
    if refused is not None:
        return Submission(status=refused[0], why=refused[1], digest=_digest([repr(refused)]))
    try:
        found = files.listing(folder)
    except OSError:
        why = "the submission folder cannot be opened: give yourself the right to read it"
        return Submission(status=Status.UNREADABLE, why=why, digest=_digest([why]))
    return _Reading(folder, templates, found, taken or Taken()).result(course_files or {}, keep)


def course_files(root: Path, assignment: str) -> tuple[dict[str, bytes], set[str]]:
    """The files that the course gives with an assignment, and those that students may change.

    They are what lies beside the notebooks in the source folder (or, where there is none, in the
    release folder); the second are declared in nbgrader's Autograde.exclude_overwriting.
    """
    coursedir = course.api(root).coursedir
    autograde = Autograde(coursedir=coursedir, config=course.configuration(root))
    keep = set(autograde.exclude_overwriting.get(assignment, []))
    for step in (coursedir.source_directory, coursedir.release_directory):
        folder = Path(coursedir.format_path(step, ".", assignment))
        if folder.is_dir():
            ignored = (*coursedir.ignore, "*.ipynb", ".ipynb_checkpoints")
            paths = files.listing(folder, ignored).files
            return {path: (folder / path).read_bytes() for path in paths}, keep
    return {}, keep


def likeness(content: dict[str, Any], template: Template) -> float:
    """The part, 0 to 1, of the template's named cells that a notebook has, by id or by text."""
    cells = reading.cells_of(content)
    ids = {reading.grade_id_of(cell) for cell in cells}
    texts = {reading.squeezed(reading.source_of(cell)) for cell in cells}

    def known(cell: Known) -> bool:
        return cell.name in ids or bool(
            texts & {reading.squeezed(cell.released), reading.squeezed(cell.source)}
        )

    named = template.named.values()
    return sum(map(known, named)) / len(named) if named else 1.0


def _refused(folder: Path) -> tuple[Status, str] | None:
    """Why a folder is not looked into at all."""
    try:
        mode = folder.lstat().st_mode
        above = folder.parent
        elsewhere = above.is_symlink() and above.resolve().parent != above.parent.resolve()
    except (FileNotFoundError, NotADirectoryError):
        return Status.NOT_SUBMITTED, ""
    except OSError as error:
        why = f"the submission folder cannot be reached ({error.strerror}): check its name"
        return Status.UNREADABLE, why
    if stat.S_ISLNK(mode) or elsewhere:
        why = "the submission folder is a link, which is not followed: put the folder itself there"
        return Status.UNREADABLE, why
    if not stat.S_ISDIR(mode):
        why = "there is a file in place of the submission folder: put the folder there"
        return Status.UNREADABLE, why
    return None


def _digest(parts: list[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()


class _Reading:
    """One submission while it is read."""

    def __init__(
        self, folder: Path, templates: Mapping[str, Template], found: Listing, taken: Taken
    ) -> None:
        self.folder, self.templates, self.found, self.taken = folder, templates, found, taken
        self.paths = [path for path in found.files if path.lower().endswith(".ipynb")]
        self.contents: dict[str, dict[str, Any]] = {}
        self.faults: dict[str, str] = {}
        self.chosen: dict[str, str] = {}
        self.missing: dict[str, tuple[Status, str]] = {}
        self.notes: list[Note] = []

    def result(self, given: Mapping[str, bytes], keep: Collection[str]) -> Submission:
        """Everything that is known in the end."""
        for name in self.templates:
            self._exact(name)
        for name in self.templates:
            if name not in self.chosen and name not in self.missing:
                self._by_content(name)
        status, why = self._status()
        others = self._others(given, keep) if status is None else {}
        self._list_extras()
        notebooks = {name: reading.slim(self._content(path)) for name, path in self._in_order()}
        return Submission(
            notebooks if status is None else {},
            others,
            self.notes,
            {name: why for name, (_, why) in self.missing.items()},
            status,
            why,
            self._fingerprint(others),
        )

    def _in_order(self) -> list[tuple[str, str]]:
        return [(name, self.chosen[name]) for name in self.templates if name in self.chosen]

    def _content(self, path: str) -> dict[str, Any]:
        """The JSON of a notebook in the folder, {} where it cannot be read: see `faults`."""
        if path not in self.contents:
            try:
                raw = files.content(self.folder / path, self.taken.notebook_mb)
                self.contents[path] = reading.parse(raw)
            except (files.NotRead, reading.Unreadable) as error:
                self.faults[path] = str(error)
                self.contents[path] = {}
        return self.contents[path]

    def _like(self, path: str, name: str) -> float:
        return likeness(self._content(path), self.templates[name])

    def _exact(self, name: str) -> None:
        """Take the notebook with the right name, unless it is another one altogether."""
        path = f"{name}.ipynb"
        if path not in self.paths:
            return
        self._content(path)
        if path in self.faults:
            why = f"{path} {self.faults[path]}: ask for it again"
            self.missing[name] = Status.UNREADABLE, why
        elif self._like(path, name) > 0 or not self._candidates(name):
            self.chosen[name] = path

    def _candidates(self, name: str) -> list[str]:
        """The notebooks that could be `name` by their content."""
        own = {f"{other}.ipynb" for other in self.templates if other != name}
        free = [path for path in self.paths if path not in self.chosen.values()]
        alike = [path for path in free if self._like(path, name) >= ALIKE]
        return [path for path in alike if path not in own or self._like(path, Path(path).stem) == 0]

    def _by_content(self, name: str) -> None:
        """Find the notebook under another name or in a folder below."""
        nested = [path for path in self.paths if path.endswith(f"/{name}.ipynb")]
        found = nested or self._candidates(name)
        prints = {reading.fingerprint(self._content(path)) for path in found}
        if len(prints) == 1 and found[0] in self.faults:
            why = f"{shown(found[0])} {self.faults[found[0]]}: ask for it again"
            self.missing[name] = Status.UNREADABLE, why
        elif len(prints) == 1:
            self.chosen[name] = found[0]
            self.notes.append(
                Note("", f"{name}.ipynb was expected: {shown(found[0])} was graded in its place.")
            )
        else:
            seen = some(found or self.paths) or "no notebook"
            hint = ": more than one could be it" if found else ""
            self.missing[name] = Status.WRONG_NAME, f"expected {name}.ipynb, found {seen}{hint}"

    def _status(self) -> tuple[Status | None, str]:
        """The status of the whole: None where there is something to grade."""
        if self.chosen or not self.templates:
            self.notes += [Note("", f"Not graded: {why}.") for _, why in self.missing.values()]
            return None, ""
        if not self.found.files and not self.found.links and not self.found.closed:
            return Status.NOT_SUBMITTED, "the submission folder is empty"
        order = (Status.UNREADABLE, Status.WRONG_NAME)
        status = min((each for each, _ in self.missing.values()), key=order.index)
        return status, "; ".join(why for _, why in self.missing.values())

    def _others(self, given: Mapping[str, bytes], keep: Collection[str]) -> dict[str, bytes]:
        """The files that are no notebooks, relative to the folder of the notebooks."""
        bases = {path.rpartition("/")[0] for path in self.chosen.values()}
        base = f"{bases.pop()}/" if len(bases) == 1 and "" not in bases else ""
        paths = [path for path in self.found.files if path not in self.paths]
        paths.sort(key=lambda path: not path.startswith(base))
        own, notes = files.take(self.folder, paths, self.taken, lambda p: p.removeprefix(base))
        merged, replaced = files.overlay(own, given, keep)
        self.notes += notes + replaced
        return merged

    def _list_extras(self) -> None:
        """Notes on what was seen and not used."""
        said = {
            "Not graded, since the notebook is there already": sorted(
                set(self.paths) - set(self.chosen.values()) - set(self.faults)
            )
            if self.chosen
            else [],
            "Links are not followed": self.found.links,
            "Folders that cannot be opened": self.found.closed,
            "Not files that can be read": self.found.odd,
        }
        self.notes += [Note("", f"{text}: {some(paths)}.") for text, paths in said.items() if paths]
        if self.found.cut:
            self.notes.append(Note("", "The folder is too large and was not looked through."))

    def _fingerprint(self, others: Mapping[str, bytes]) -> str:
        parts = [f"{n}:{reading.fingerprint(self._content(p))}" for n, p in self._in_order()]
        parts += [f"{name}:{why}" for name, (_, why) in self.missing.items()]
        hashes = [(path, hashlib.sha256(data).hexdigest()) for path, data in sorted(others.items())]
        return _digest(parts + [f"{path}:{found}" for path, found in hashes])
