"""Setting up: what goes wrong is one sentence, and a second run has nothing to do."""

from __future__ import annotations

import ast
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
BOOTSTRAP = ROOT / "lib" / "bootstrap.py"

STARTED = "Setting up .venv (log: build/setup.log)\n"
PYPROJECT = """[build-system]
requires = []
build-backend = "backend"
backend-path = ["lib"]

[project]
name = "tiny"
version = "1"
"""
# Stands in for a build tool, so that a real pip works without any package or network.
BACKEND = """
import zipfile

def _wheel(folder):
    name = "tiny-1-py3-none-any.whl"
    with zipfile.ZipFile(folder + "/" + name, "w") as wheel:
        info = "tiny-1.dist-info/"
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1\\n"
                       "Provides-Extra: dev\\n" + REQUIRES)
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nGenerator: x\\n"
                       "Root-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "RECORD", "")
    return name

def build_editable(folder, config_settings=None, metadata_directory=None):
    return _wheel(folder)

def build_wheel(folder, config_settings=None, metadata_directory=None):
    return _wheel(folder)
"""


# On one worker, since making an environment takes seconds and some tests share one.
pytestmark = pytest.mark.xdist_group("bootstrap")


def new_place(folder: Path) -> Path:
    """A folder with the real bootstrap and a package that needs no other."""
    (folder / "lib").mkdir(parents=True)
    shutil.copy(BOOTSTRAP, folder / "lib")
    (folder / "pyproject.toml").write_text(PYPROJECT)
    (folder / "constraints.txt").write_text("")
    needs(folder)
    return folder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return new_place(tmp_path / "a course")


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place that is set up."""
    folder = new_place(tmp_path_factory.mktemp("ready") / "a course")
    assert set_up(folder) == (0, STARTED, "")
    return folder


@pytest.fixture
def stale(ready: Path) -> Iterator[Path]:
    """A place whose packages changed since it was set up."""
    stamp = ready / ".venv" / "coursekit.stamp"
    before = stamp.read_text()
    (ready / "constraints.txt").write_text("# changed\n")
    yield ready
    needs(ready)
    stamp.write_text(before)


def needs(folder: Path, *packages: str) -> None:
    """Let the package of a folder need others."""
    lines = "".join(f"Requires-Dist: {package}\\n" for package in packages)
    (folder / "lib" / "backend.py").write_text(f'REQUIRES = "{lines}"\n{BACKEND}')


def set_up(folder: Path, python: str = sys.executable, **variables: str) -> tuple[int, str, str]:
    """Run the bootstrap of a folder: exit status, stdout, stderr."""
    done = subprocess.run(
        [python, str(folder / "lib" / "bootstrap.py")],
        env={**os.environ, "PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", **variables},
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.returncode, done.stdout, done.stderr


def one_sentence(result: tuple[int, str, str]) -> str:
    """The sentence with which a set-up failed."""
    status, _, stderr = result
    assert status == 1
    assert stderr.startswith("setup: ")
    assert stderr.count("\n") == 1, stderr
    return stderr


@pytest.fixture(scope="module")
def bootstrap() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bootstrap", BOOTSTRAP)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_sets_up_once(ready: Path) -> None:
    assert (ready / ".venv" / "bin" / "python").exists()
    assert "Successfully installed tiny" in (ready / "build" / "setup.log").read_text()
    assert set_up(ready) == (0, "", "")


def test_a_moved_folder_is_set_up_anew(ready: Path, tmp_path: Path) -> None:
    moved = shutil.copytree(ready, tmp_path / "moved", symlinks=True)
    assert set_up(moved)[:2] == (0, STARTED)
    pip = (moved / ".venv" / "bin" / "pip").read_text()
    assert str(moved) in pip
    assert str(ready) not in pip


def test_other_packages_are_installed_into_it(stale: Path) -> None:
    kept = stale / ".venv" / "kept"
    kept.touch()
    assert set_up(stale)[1] == STARTED
    assert kept.exists()
    assert set_up(stale) == (0, "", "")


def test_control_c_leaves_a_sentence(place: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, str(place / "lib" / "bootstrap.py")],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PIP_NO_INDEX": "1"},
        start_new_session=True,
    )
    deadline = time.monotonic() + 30
    while not (place / ".venv" / "bin" / "python").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert stderr == "setup: Interrupted: the next run starts over.\n"
    assert set_up(place)[0] == 0


def test_a_missing_package_is_named(stale: Path) -> None:
    needs(stale, "no-such-package-anywhere")
    said = one_sentence(set_up(stale))
    assert "Package no-such-package-anywhere was not found" in said
    assert "network" in said


def test_no_network(stale: Path) -> None:
    needs(stale, "no-such-package-anywhere")
    offline = {
        "PIP_NO_INDEX": "",
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_RETRIES": "1",
        "PIP_FIND_LINKS": "",
    }
    said = one_sentence(set_up(stale, **offline))
    assert "The package index cannot be reached" in said


@pytest.mark.parametrize("name", ["build", ".venv"])
def test_a_file_in_the_place_of_a_folder(place: Path, name: str) -> None:
    (place / name).write_text("in the way")
    said = one_sentence(set_up(place))
    assert str(place / name) in said
    assert "move it away" in said
    assert (place / name).read_text() == "in the way"


def test_a_full_disk(stale: Path) -> None:
    log = stale / "build" / "setup.log"
    log.unlink()
    log.symlink_to("/dev/full")
    assert "The disk is full" in one_sentence(set_up(stale))
    log.unlink()


def test_no_venv_module(place: Path) -> None:
    (place / "lib" / "ensurepip.py").write_text("raise ImportError('removed by Debian')\n")
    said = one_sentence(set_up(place))
    assert "venv module is missing" in said
    assert "python3-venv" in said
    assert not (place / ".venv").exists()


def test_an_old_python(bootstrap: ModuleType) -> None:
    with pytest.raises(bootstrap.SetupError, match=r"3\.11 or newer is needed.* is Python 3\.8"):
        bootstrap.check_version((3, 8, 10))
    bootstrap.check_version((3, 11, 0))


@pytest.mark.parametrize("name", ["python2.7", "python3.6", "python3.8", "python3.10"])
def test_a_really_old_python(place: Path, name: str) -> None:
    python = shutil.which(name)
    if not python or subprocess.run([python, "-c", ""], capture_output=True).returncode:
        pytest.skip(f"{name} is not on this machine")
    assert "Python 3.11 or newer is needed" in one_sentence(set_up(place, python))


def test_parses_on_old_pythons() -> None:
    tree = ast.parse(BOOTSTRAP.read_text(), feature_version=(3, 4))
    modern = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.AsyncFunctionDef, ast.Match)
    assert not [node for node in ast.walk(tree) if isinstance(node, modern)]
    raised = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    assert all(node.cause is None for node in raised), "`raise ... from` is new in Python 3"


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("OSError: [Errno 28] No space left on device", "The disk is full"),
        ("PermissionError: [Errno 13] Permission denied: '/x'", "cannot be written"),
        ("OSError: [Errno 30] Read-only file system: '/x'", "is read-only"),
        ("Connection broken: NewConnectionError('...')", "cannot be reached"),
        ("ERROR: No matching distribution found for torch==2", "Package torch==2 was not found"),
        ("ERROR: something else\nhint", "failed (ERROR: something else): see build/setup.log"),
        ("", "see build/setup.log"),
    ],
)
def test_causes(bootstrap: ModuleType, output: str, said: str) -> None:
    assert said in bootstrap.cause(output.splitlines())
