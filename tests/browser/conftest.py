"""JupyterLab on a course of its own, driven by a real browser."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
FAILED = pytest.StashKey[bool]()
# A test looks for text anywhere in a notebook; JupyterLab drops what is out of sight by default.
WHOLE_NOTEBOOK = {"@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"}}


def browser_path() -> str | None:
    """The browser of this machine, None where there is none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark these tests; skip them where no browser is found, except in CI, where they must run."""
    for item in items:
        if Path(__file__).parent not in item.path.parents:
            continue
        item.add_marker(pytest.mark.browser)
        item.add_marker(pytest.mark.xdist_group("browser"))
        if browser_path() is None and not os.environ.get("CI"):
            reason = f"no browser found (looked for {', '.join(BROWSERS)}); install chromium"
            item.add_marker(pytest.mark.skip(reason=reason))


@dataclass(frozen=True)
class Course:
    """A temporary course with one lesson, and settings that touch nothing of the machine's user."""

    root: Path
    settings: Path

    @property
    def exchange(self) -> Path:
        """The exchange that `coursekit lab` sets up."""
        return self.root / "build" / "lab" / "exchange"

    @property
    def student(self) -> Path:
        """The student's folder."""
        return self.root / "build" / "lab" / "student"

    def environment(self) -> dict[str, str]:
        """The variables under which every command of this course runs."""
        folders = {
            f"JUPYTER_{name}_DIR": str(self.settings / name.lower())
            for name in ("CONFIG", "DATA", "RUNTIME")
        }
        return {
            **os.environ,
            **folders,
            "COURSE_ROOT": str(self.root),
            "COURSE_EXCHANGE": str(self.exchange),
            "JUPYTERLAB_SETTINGS_DIR": str(self.settings / "lab"),
            "JUPYTERLAB_WORKSPACES_DIR": str(self.settings / "workspaces"),
            "IPYTHONDIR": str(self.settings / "ipython"),
        }

    def nbgrader(self, *arguments: str) -> str:
        """Run an nbgrader command in the course folder; its output."""
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *arguments],
            cwd=self.root,
            env=self.environment(),
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The first lesson in a course folder of its own."""
    base = tmp_path_factory.mktemp("browser")
    made = Course(base / "course", base / "settings")
    for part in ("source", "release"):
        shutil.copytree(ROOT / part / "perceptron", made.root / part / "perceptron")
    shutil.copy(ROOT / "nbgrader_config.py", made.root)
    for name, settings in WHOLE_NOTEBOOK.items():
        path = made.settings / "lab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(settings))
    return made


@contextlib.contextmanager
def server(course: Course, command: Sequence[str], folder: Path) -> Iterator[str]:
    """Run a JupyterLab command; the address of its server."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--no-browser", "--ip=127.0.0.1", f"--port={port}", "--IdentityProvider.token="]
    log = course.settings / f"{port}.log"
    with log.open("w") as out:
        running = subprocess.Popen(
            [sys.executable, "-m", *command, *options, "--allow-root"],
            cwd=folder,
            env=course.environment(),
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    try:
        _wait_for(f"http://127.0.0.1:{port}/api/status", running, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, 15)
        running.wait(30)


def _wait_for(url: str, running: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(400):
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=2):
            return
        assert running.poll() is None, log.read_text()
        time.sleep(0.25)
    raise AssertionError("JupyterLab did not start:\n" + log.read_text())


@pytest.fixture(scope="session")
def serve(course: Course) -> Callable[..., contextlib.AbstractContextManager[str]]:
    """A function that runs JupyterLab by a command in a folder."""

    def run(command: Sequence[str], folder: Path) -> contextlib.AbstractContextManager[str]:
        return server(course, command, folder)

    return run


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser."""
    from playwright.sync_api import sync_playwright

    path = browser_path()
    assert path is not None, "no browser is installed, and in CI these tests must run"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[Any]:
    """Leave word for the page fixture whether the test failed."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture
def page(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A fresh page; requests that leave this machine are listed in `page.foreign`.

    A test that fails leaves a picture in build/browser.
    """
    opened = chromium.new_page(viewport={"width": 1280, "height": 900})
    opened.set_default_timeout(60_000)
    opened.foreign = []
    opened.on("request", lambda request: _note(opened.foreign, request.url))
    yield opened
    if request.node.stash.get(FAILED, False):
        opened.screenshot(path=ROOT / "build" / "browser" / f"{request.node.name}.png")
    opened.close()


def _note(foreign: list[str], url: str) -> None:
    if not url.startswith(("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:", "about:")):
        foreign.append(url)
