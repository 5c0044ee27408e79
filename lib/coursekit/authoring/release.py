"""The students' version of each lesson: `release/` from `source/`, through nbgrader itself."""

from __future__ import annotations

import difflib
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from nbformat import NotebookNode

from coursekit import paths
from coursekit.authoring import notebooks
from coursekit.errors import CourseError
from coursekit.grading.course import configuration

Track = Callable[[Iterable[str]], Iterable[str]]


def assignments(root: Path) -> list[str]:
    """The names of the assignments of a course: the folders of `source/` that hold a notebook."""
    return sorted({path.parent.name for path in (root / "source").glob("*/*.ipynb")})


def known(names: Sequence[str] | None, root: Path) -> list[str]:
    """These names, or those of all assignments; raises CourseError for an unknown one."""
    there = assignments(root)
    if not there:
        raise CourseError(f"{root / 'source'} holds no assignment: add source/NAME/NAME.ipynb.")
    for name in names or []:
        if name not in there:
            near = difflib.get_close_matches(name, there, n=1, cutoff=0.4)
            advice = f"did you mean {near[0]}?" if near else f"choose from {', '.join(there)}."
            raise CourseError(f"There is no assignment {name!r} in {root / 'source'}: {advice}")
    return list(names or there)


def stub(root: Path) -> str:
    """What stands in the place of a code solution in the release."""
    from nbgrader.preprocessors import ClearSolutions

    return str(ClearSolutions(config=configuration(root)).code_stub["python"])


def generate(
    names: Sequence[str] | None,
    destination: Path,
    root: Path | None = None,
    track: Track = iter,
) -> dict[str, Path]:
    """Write the release of assignments (None: all) and return the folder of each.

    Every `destination/NAME` is replaced whole, all of them or none. The same source gives the
    same bytes. `track` may wrap the names to show progress. Raises CourseError for an unknown
    name and for a notebook that nbgrader cannot release.
    """
    root = root or paths.root()
    names = known(names, root)
    for name in names:
        _inspect(root, name)
    destination.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".release-", dir=destination.parent) as folder:
        _generate_into(Path(folder) / "new", track(names), root)
        _swap(names, Path(folder), destination)
    return {name: destination / name for name in names}


def _inspect(root: Path, name: str) -> None:
    """Raise CourseError for what nbgrader would tell in a traceback."""
    for path in sorted((root / "source" / name).glob("*.ipynb")):
        seen: dict[str, int] = {}
        for number, cell in enumerate(notebooks.read(path).cells, start=1):
            _inspect_id(path, number, cell, seen)


def _inspect_id(path: Path, number: int, cell: NotebookNode, seen: dict[str, int]) -> None:
    grade_id = notebooks.grade_id(cell)
    if grade_id and grade_id in seen:
        raise CourseError(
            f"{path}: cells {seen[grade_id]} and {number} both have the grade id "
            f"{grade_id!r}; give each its own."
        )
    seen[grade_id] = number


def _generate_into(folder: Path, names: Iterable[str], root: Path) -> None:
    """Run nbgrader with the course's configuration, but without its gradebook."""
    from nbgrader.apps import NbGraderAPI

    settings = configuration(root)
    settings.CourseDirectory.root = str(root)
    settings.CourseDirectory.release_directory = str(folder)
    settings.GenerateAssignment.no_database = True
    settings.SaveCells.enabled = False
    api = NbGraderAPI(config=settings)
    for name in names:
        result = api.generate_assignment(name)
        if not result["success"]:
            raise _failure(root / "source" / name, result)


def _failure(source: Path, result: dict[str, str]) -> BaseException:
    """The exception that tells why nbgrader failed."""
    if "KeyboardInterrupt" in result["error"]:
        return KeyboardInterrupt()
    told = re.findall(r"^ *[\w.]*(?:Error|Exception): (.+)$", result.get("log", ""), re.M)
    reason = told[0] if told else result["error"].strip().split("\n")[-1]
    return CourseError(f"nbgrader cannot release {source} ({reason.rstrip('.')}): correct it.")


def _swap(names: Sequence[str], folder: Path, destination: Path) -> None:
    """Put the new folders in the place of the old ones, or leave all as it was."""
    old, new = folder / "old", folder / "new"
    old.mkdir()
    done: list[str] = []
    try:
        for name in names:
            if (destination / name).exists():
                (destination / name).rename(old / name)
            done.append(name)
            (new / name).rename(destination / name)
    except BaseException:
        for name in done:
            shutil.rmtree(destination / name, ignore_errors=True)
            if (old / name).exists():
                (old / name).rename(destination / name)
        raise
