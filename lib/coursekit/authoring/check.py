"""Check source notebooks: every fault as one sentence that says where, what, and what to do.

A rule is a function that takes a lesson and yields its faults; to add one, write it in a module
of `coursekit.authoring.rules` and name it in that module's list.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from coursekit import paths
from coursekit.authoring import bank, notebooks, release
from coursekit.authoring.lesson import Fault, Lesson, source
from coursekit.authoring.rules import Rule, figures, notebook, tests
from coursekit.authoring.rules import release as released
from coursekit.errors import CourseError

# Faults of structure would make the other rules fail or say confusing things.
STRUCTURE: list[Rule] = [*notebook.STRUCTURE]
CONTENT: list[Rule] = [*notebook.CONTENT, *tests.RULES, *released.RULES, *figures.RULES]


def faults(assignment: str, root: Path) -> list[Fault]:
    """All faults of one assignment of the course at `root`; runs its notebook once."""
    path = source(assignment, root)
    try:
        nb = notebooks.read(path)
    except CourseError as error:
        return [_told(error, path, root)]
    plain = Lesson(assignment, root, nb)
    broken = [fault for rule in STRUCTURE for fault in rule(plain)]
    if broken:
        return broken
    banked, found = _bank(assignment, root, plain)
    lesson = Lesson(assignment, root, nb, banked)
    return found + [fault for rule in CONTENT for fault in rule(lesson)]


def _bank(assignment: str, root: Path, lesson: Lesson) -> tuple[bank.Bank | None, list[Fault]]:
    path = bank.path_of(assignment, root)
    try:
        loaded = bank.load(assignment, root)
    except CourseError as error:
        return None, [_told(error, path, root)]
    file = path.relative_to(root).as_posix()
    return loaded, [Fault(file, "", what) for what in bank.faults(loaded, lesson.notebook)]


def _told(error: CourseError, path: Path, root: Path) -> Fault:
    said = str(error).removeprefix(f"{path}: ").rstrip(".")
    return Fault(path.relative_to(root).as_posix(), "", said)


def run(assignments: Sequence[str] | None = None) -> None:
    """Check assignments of this course (all of them by default) and print a line for each.

    Raises CourseError for an unknown name, and at the end where anything was wrong.
    """
    root = paths.root()
    count = 0
    for assignment in release.known(assignments, root):
        found = faults(assignment, root)
        count += len(found)
        print(f"{assignment}: {'no fault' if not found else f'{len(found)} faults'}", flush=True)
        for fault in found:
            print(f"  {fault}", flush=True)
    if count:
        things = "1 fault" if count == 1 else f"{count} faults"
        raise CourseError(f"The check found {things}; see the list above and correct the source.")
