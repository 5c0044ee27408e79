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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

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


def browser_path() -> str | None:
    """The browser of this machine, None where there is none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark these tests; skip them where no browser is found, except in CI, where they must run."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))
            if browser_path() is None and not os.environ.get("CI"):
                reason = f"no browser found (looked for {', '.join(BROWSERS)}); install chromium"
                item.add_marker(pytest.mark.skip(reason=reason))


@dataclass
class Course:
    """A course folder and a student's folder that share an exchange, all of them temporary."""

    root: Path
    student: Path
    exchange: Path
    settings: Path

    def environment(self) -> dict[str, str]:
        """The variables under which every command of this course runs."""
        return {
            **os.environ,
            "COURSE_EXCHANGE": str(self.exchange),
            "JUPYTER_CONFIG_DIR": str(self.settings / "config"),
            "JUPYTER_DATA_DIR": str(self.settings / "data"),
            "JUPYTER_RUNTIME_DIR": str(self.settings / "runtime"),
            "JUPYTERLAB_SETTINGS_DIR": str(self.settings / "lab"),
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
    """The first lesson, released into an exchange."""
    base = tmp_path_factory.mktemp("browser")
    made = Course(base / "course", base / "student", base / "exchange", base / "settings")
    for folder in (made.root, made.student, made.exchange, made.settings):
        folder.mkdir()
    shutil.copytree(ROOT / "source" / "perceptron", made.root / "source" / "perceptron")
    shutil.copy(ROOT / "nbgrader_config.py", made.root)
    (made.student / "nbgrader_config.py").write_text(
        "c = get_config()\n"
        'c.CourseDirectory.course_id = "mlp"\n'
        f"c.Exchange.root = {str(made.exchange)!r}\n"
        "from coursekit.grading.explain import ExplainFailures\n"
        "from nbgrader.validator import Validator\n"
        "c.Validator.preprocessors = [*Validator().preprocessors, ExplainFailures]\n"
    )
    _keep_all_cells_in_the_page(made.settings / "lab")
    made.nbgrader("generate_assignment", "perceptron")
    made.nbgrader("release_assignment", "perceptron")
    return made


def _keep_all_cells_in_the_page(lab: Path) -> None:
    """A test looks for text anywhere in a notebook; JupyterLab drops what is out of sight."""
    folder = lab / "@jupyterlab" / "notebook-extension"
    folder.mkdir(parents=True)
    settings = {"windowingMode": "none"}
    (folder / "tracker.jupyterlab-settings").write_text(json.dumps(settings))
    folder = lab / "@jupyterlab" / "apputils-extension"
    folder.mkdir(parents=True)
    (folder / "notification.jupyterlab-settings").write_text(
        json.dumps({"fetchNews": "false", "checkForUpdates": False})
    )


@contextlib.contextmanager
def jupyterlab(course: Course, folder: Path) -> Iterator[str]:
    """Run JupyterLab in a folder; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", f"--port={port}"]
    command += ["--ip=127.0.0.1", "--IdentityProvider.token=", "--allow-root"]
    command += ["--ServerApp.disable_check_xsrf=True", f"--ServerApp.root_dir={folder}"]
    log = course.settings / f"{folder.name}.log"
    with log.open("w") as out:
        server = subprocess.Popen(
            command, cwd=folder, env=course.environment(), stdout=out, stderr=out
        )
    try:
        _wait_for(f"http://127.0.0.1:{port}/api/status", server, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(240):
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=2):
            return
        assert server.poll() is None, log.read_text()
        time.sleep(0.25)
    raise AssertionError("JupyterLab did not start:\n" + log.read_text())


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """The browser."""
    from playwright.sync_api import sync_playwright

    path = browser_path()
    assert path is not None, "CI must install chromium"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()
