"""Where the course is."""

from __future__ import annotations

import os
from pathlib import Path

from coursekit.errors import CourseError

CONFIG = "nbgrader_config.py"


def is_course(folder: Path) -> bool:
    """Whether a folder is the root of a course: nbgrader's configuration beside `source/`."""
    return (folder / CONFIG).is_file() and (folder / "source").is_dir()


def root(start: Path | None = None) -> Path:
    """The root of the course: COURSE_ROOT, else the first course upwards from `start`.

    `start` is the current folder by default. Raises CourseError where there is no course.
    """
    given = os.environ.get("COURSE_ROOT")
    if given:
        return _given(Path(given).expanduser().resolve())
    start = (start or Path.cwd()).resolve()
    for folder in (start, *start.parents):
        if is_course(folder):
            return folder
    raise CourseError(
        f"{start} is not in a course: change into the course's folder (it holds {CONFIG} and "
        "source/) or name it in COURSE_ROOT."
    )


def _given(folder: Path) -> Path:
    if is_course(folder):
        return folder
    raise CourseError(
        f"COURSE_ROOT names {folder}, which holds no course ({CONFIG} beside source/): correct it "
        "or unset it."
    )
