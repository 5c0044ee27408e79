"""A course folder as nbgrader sees it: its configuration, its API and its submissions."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from traitlets.config import Config
from traitlets.config.loader import ConfigFileNotFound, PyFileConfigLoader

from coursekit.errors import CourseError
from coursekit.paths import CONFIG


def configuration(root: Path) -> Config:
    """The nbgrader configuration of the course in `root`.

    Raises CourseError where there is none or it cannot be used.
    """
    path = root / CONFIG
    try:
        return PyFileConfigLoader(CONFIG, path=str(root)).load_config()
    except ConfigFileNotFound:
        raise CourseError(f"there is no {CONFIG} in {root}: name the folder of a course") from None
    except (SyntaxError, NameError, AttributeError, TypeError) as error:
        raise CourseError(f"{path} cannot be used ({error}): correct it.") from None


def api(root: Path) -> NbGraderAPI:
    """The API of nbgrader for the course in `root`, its log kept from the terminal."""
    made = NbGraderAPI(config=configuration(root))
    made.log.setLevel(logging.CRITICAL)
    return made


def database_url(root: Path) -> str:
    """The address of the gradebook."""
    return str(api(root).coursedir.db_url)


@contextlib.contextmanager
def gradebook(root: Path) -> Iterator[Gradebook]:
    """The gradebook of the course, closed at the end.

    Raises CourseError where an SQLite gradebook does not exist yet: opening it would create it.
    """
    url = database_url(root)
    file = Path(url.removeprefix("sqlite:///"))
    if url.startswith("sqlite:///") and not file.is_file():
        raise CourseError(
            f"there is no gradebook {file}: run `nbgrader generate_assignment` for an assignment, "
            "which makes it"
        )
    with Gradebook(url) as book:
        yield book


@contextlib.contextmanager
def inside(root: Path) -> Iterator[None]:
    """Work in the course folder, where relative paths of the configuration hold."""
    before = Path.cwd()
    os.chdir(root)
    try:
        yield
    finally:
        os.chdir(before)


def folder(nbgrader: NbGraderAPI, step: str, student: str, assignment: str) -> Path:
    """Where a student's assignment lies in one step: "submitted", "autograded" or "feedback"."""
    return Path(nbgrader.coursedir.format_path(step, student, assignment))


def last_error(done: dict[str, Any]) -> str:
    """The most telling line of nbgrader's log, shortened."""
    lines = [line.strip() for line in str(done.get("log", "")).splitlines()]
    telling = [line for line in lines if "Error" in line and "NbGraderException" not in line]
    return (telling or lines or ["no reason given"])[-1][:160]
