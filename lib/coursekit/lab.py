"""JupyterLab as a student sees it: the released lessons, fetched and ready to be submitted."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from traitlets.config import Config

from coursekit import paths
from coursekit.authoring import release
from coursekit.errors import CourseError
from coursekit.grading.course import configuration

STUDENT_CONFIG = '''"""Where this course's assignments come from and go to."""

from coursekit.grading.settings import explain_validation

c = get_config()
c.CourseDirectory.course_id = {course!r}
c.CourseDirectory.ignore = {ignore!r}
c.Exchange.root = {exchange!r}
c.Exchange.cache = {cache!r}
explain_validation(c)
'''
FOR_STAFF = ["formgrader", "course-list", "create-assignment"]
# No news from the network, no update check, no extension catalogue, no staff tools.
PAGE = {
    "disabledExtensions": {
        "@jupyterlab/apputils-extension:announcements": True,
        **{f"@jupyter/nbgrader:{name}": True for name in FOR_STAFF},
    }
}
OPTIONS = [
    "--LabApp.extension_manager=readonly",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
]


def run(arguments: Sequence[str] = ()) -> int:
    """Prepare the student's folder and open JupyterLab in it; its exit status.

    The arguments are passed on to `jupyter lab`.
    """
    root = paths.root()
    student = prepare(root, root / "build" / "lab")
    environment = {**os.environ, "JUPYTER_CONFIG_PATH": str(student.parent / "config")}
    command = [sys.executable, "-m", "jupyterlab", *OPTIONS, *arguments]
    try:
        return subprocess.run(command, cwd=student, env=environment).returncode
    except KeyboardInterrupt:
        return 0


def prepare(root: Path, folder: Path) -> Path:
    """Make `folder/student` with every released lesson, and return it.

    The lessons go through nbgrader's own exchange, in `folder/exchange`. A lesson that is
    already in the student's folder stays as it is. Raises CourseError where none is released.
    """
    there = release.assignments(root)
    names = [name for name in there if (root / "release" / name / f"{name}.ipynb").is_file()]
    if not names:
        raise CourseError(f"{root / 'release'} holds no lesson: run `coursekit release` first.")
    for part in ("exchange", "student", "cache"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    course = configuration(root)
    _write_settings(folder, course)
    for name in names:
        _send(name, root, folder, course)
        _fetch(name, folder)
    return folder / "student"


def _write_settings(folder: Path, course: Config) -> None:
    text = STUDENT_CONFIG.format(
        course=course.CourseDirectory.course_id,
        ignore=list(course.CourseDirectory.ignore),
        exchange=str(folder / "exchange"),
        cache=str(folder / "cache"),
    )
    (folder / "student" / paths.CONFIG).write_text(text)
    page = folder / "config" / "labconfig" / "page_config.json"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(json.dumps(PAGE, indent=2))


def _send(name: str, root: Path, folder: Path, course: Config) -> None:
    settings = copy.deepcopy(course)
    settings.CourseDirectory.root = str(root)
    settings.Exchange.root = str(folder / "exchange")
    settings.ExchangeReleaseAssignment.force = True
    _exchange("ReleaseAssignment", name, settings)


def _fetch(name: str, folder: Path) -> None:
    if (folder / "student" / name).exists():
        return
    settings = configuration(folder / "student")
    settings.CourseDirectory.root = str(folder / "student")
    settings.Exchange.assignment_dir = str(folder / "student")
    _exchange("FetchAssignment", name, settings)


def _exchange(action: str, name: str, settings: Config) -> None:
    """Run one action of nbgrader's exchange on one assignment."""
    from nbgrader.apps import NbGraderAPI
    from nbgrader.exchange import ExchangeError

    api: Any = NbGraderAPI(config=settings)
    api.coursedir.assignment_id = name
    tool = getattr(api.exchange, action)
    try:
        tool(coursedir=api.coursedir, authenticator=api.authenticator, parent=api).start()
    except ExchangeError as error:
        raise CourseError(f"nbgrader's exchange refused {name} ({error}).") from None
