"""What counts as outside the notebook's folder, and how it is told."""

from __future__ import annotations

import sys

import pytest

from coursekit.grading.trust.reach import Reach


@pytest.fixture
def reach(tmp_path):
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "grades.txt").touch()
    (tmp_path / "work").mkdir()
    return Reach(str(tmp_path / "work"), (sys.prefix + "/",), (str(tmp_path / "home"),))


@pytest.mark.parametrize(
    "path",
    ["data.csv", "./d/x", "d/../x", "/dev/null", "/usr/share/zoneinfo/UTC", "/proc/self/status",
     "/content/drive/data.csv", 3, None, "", b"notes.txt", f"{sys.prefix}/pyvenv.cfg"],
)  # fmt: skip
def test_inside_or_harmless(reach, path):
    assert reach.outside(path) == ""


@pytest.mark.parametrize(
    "path",
    ["../x.csv", "../../gradebook.db", "/etc/passwd", "/proc/self/mem", "/proc/1/environ",
     "/srv/nbgrader/source/ps1/ps1.ipynb", b"../secret"],
)  # fmt: skip
def test_outside(reach, path):
    assert reach.outside(path) == (path.decode() if isinstance(path, bytes) else path)


def test_a_file_that_is_there_counts_and_a_cache_of_libraries_does_not(reach, tmp_path):
    grades = str(tmp_path / "course" / "grades.txt")
    assert reach.outside(grades) == grades
    assert reach.outside(str(tmp_path / "home" / "cache" / "x")) == ""


def test_processes_and_connections_in_words(reach):
    popen = ("ls", ["ls", "-l"], None, None)
    assert reach.started("subprocess.Popen", popen, None) == "tried to start a process: ls -l"
    assert reach.started("os.fork", (), None) == "tried to start a process"
    assert reach.reached((object(), ("example.org", 80))) == (
        "tried to reach example.org over the network"
    )
    assert reach.reached((object(), 3)) == ""
