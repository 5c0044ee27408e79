"""Rules about what students get: in step with the source, and without a secret in it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from coursekit.authoring import release
from coursekit.authoring.lesson import Fault, Lesson
from coursekit.authoring.notebooks import Kind, grade_id, lines, of_kind, read
from coursekit.errors import CourseError

# Shorter lines, such as `return x` or `)`, give nothing away.
SHORTEST_SECRET = 12
AGAIN = "run `coursekit release {}` and commit the result"


def _files(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        return {}
    files = (p for p in sorted(folder.rglob("*")) if p.is_file())
    return {
        path.relative_to(folder).as_posix(): path
        for path in files
        if ".ipynb_checkpoints" not in path.parts and "__pycache__" not in path.parts
    }


def _at(lesson: Lesson, name: str, cell: str, what: str) -> Fault:
    file = (lesson.release / name).relative_to(lesson.root).as_posix()
    return Fault(file, cell, what, AGAIN.format(lesson.assignment))


def release_is_in_step(lesson: Lesson) -> Iterator[Fault]:
    """The committed release is, byte for byte, what the source generates now."""
    with tempfile.TemporaryDirectory(prefix="coursekit-") as name:
        try:
            made = release.generate([lesson.assignment], Path(name) / "new", root=lesson.root)
        except CourseError as error:
            yield lesson.fault(None, f"no release can be made of it ({str(error).rstrip('.')})")
            return
        fresh, stored = _files(made[lesson.assignment]), _files(lesson.release)
        for file in sorted(fresh.keys() | stored.keys()):
            if file not in stored:
                yield _at(lesson, file, "", "is missing")
            elif file not in fresh:
                what = "does not come from the source"
                yield Fault(_at(lesson, file, "", "").file, "", what, "delete it")
            elif fresh[file].read_bytes() != stored[file].read_bytes():
                yield _at(lesson, file, "", "is not what the source generates")


def _released_notebook(lesson: Lesson) -> NotebookNode | None:
    path = lesson.release / lesson.path.name
    try:
        return read(path) if path.is_file() else None
    except CourseError:
        return None  # the rule above tells it


def stub_lines_stand_in_the_solution(lesson: Lesson) -> Iterator[Fault]:
    """Each line of a released answer cell, but for the stub, stands in the source's cell too."""
    nb = _released_notebook(lesson)
    stub = {line.strip() for line in release.stub(lesson.root).split("\n")}
    sources = {
        grade_id(cell): {line.text.strip() for line in lines(cell.source)}
        for cell in of_kind(lesson.notebook, Kind.ANSWER)
    }
    for cell in of_kind(nb, Kind.ANSWER) if nb is not None else []:
        known = sources.get(grade_id(cell), set()) | stub
        for line in cell.source.split("\n"):
            if line.strip() and line.strip() not in known:
                what = f"the line `{line.strip()}` does not stand in the solution"
                yield _at(lesson, lesson.path.name, grade_id(cell), what)


def secrets(nb: NotebookNode) -> dict[str, str]:
    """The lines of solutions and hidden tests that no released line contains, with their cell."""
    shown = [ln.text for cell in nb.cells for ln in lines(cell.source) if not ln.region]
    public = "\n".join(shown)
    found: dict[str, str] = {}
    for cell in nb.cells:
        for line in lines(cell.source):
            text = line.text.strip()
            if line.region and len(text) > SHORTEST_SECRET and text not in public:
                found.setdefault(text, grade_id(cell))
    return found


def _text(path: Path) -> str:
    raw = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix != ".ipynb":
        return raw
    try:
        cells = json.loads(raw)["cells"]
        sources = (cell["source"] for cell in cells)
        return "\n".join(s if isinstance(s, str) else "".join(s) for s in sources)
    except (ValueError, KeyError, TypeError):
        return raw


def secrets_stay_at_home(lesson: Lesson) -> Iterator[Fault]:
    """No line of a solution, a hidden test or a rubric is in any released file."""
    hidden = secrets(lesson.notebook)
    for name, path in _files(lesson.release).items():
        text = _text(path)
        for line, cell in hidden.items():
            if line in text:
                what = f"a secret line of the source stands in the release: `{line}`"
                yield _at(lesson, name, cell, what)
        if "HIDDEN TESTS" in text or "BEGIN SOLUTION" in text:
            yield _at(lesson, name, "", "a solution or hidden-test region stands in the release")


RULES = [release_is_in_step, stub_lines_stand_in_the_solution, secrets_stay_at_home]
