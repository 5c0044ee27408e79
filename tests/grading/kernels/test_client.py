"""One server, started when it is wanted; what it forked ends with it."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import psutil
import pytest

from coursekit.errors import CourseError
from coursekit.grading.kernels.cells import Cell, Limits
from coursekit.grading.kernels.client import Kernels
from coursekit.grading.kernels.session import Session

pytestmark = pytest.mark.xdist_group("kernels")

SMALL = ("numpy",)  # a server that is ready sooner
TEMPORARY = (
    "import subprocess, sys\n"
    "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(97)'],"
    " start_new_session=True)\nprint(p.pid)"
)


def shown(run):
    return "".join(out.get("text", "") for out in run.outputs).strip()


def gone(pid):
    for _ in range(200):
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == "zombie":
            return True
        time.sleep(0.02)
    return False


def test_several_notebooks_run_at_once(kernels):
    found = {}

    def work(number):
        with Session(kernels) as session:
            session.run(Cell(f"n = {number}"))
            found[number] = shown(session.run(Cell("import os; print(n, os.getcwd())")))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[n].split()[0] for n in range(4)] == ["0", "1", "2", "3"]
    assert len({found[n].split()[1] for n in range(4)}) == 4


def test_processes_left_running_end_with_their_notebook():
    with Kernels(SMALL, isolate=False) as loose:
        with Session(loose) as session:
            left = int(shown(session.run(Cell(TEMPORARY))))
            assert psutil.pid_exists(left)
        assert gone(left)


def test_closing_ends_the_server_and_removes_its_folder():
    kernels = Kernels(SMALL, isolate=False)
    session = Session(kernels)
    executor = int(shown(session.run(Cell("import os; print(os.getpid())"))))
    folder, server = kernels.folder, psutil.Process(executor).ppid()
    kernels.close()
    assert gone(server) and gone(executor)
    assert not folder.exists()


def test_a_server_that_is_killed_is_started_again():
    with Kernels(SMALL, isolate=False) as kernels:
        with Session(kernels) as session:
            executor = int(shown(session.run(Cell("import os; print(os.getpid())"))))
            os.kill(psutil.Process(executor).ppid(), signal.SIGKILL)
            session.run(Cell("x = 1"))
        with Session(kernels) as session:
            assert session.run(Cell("assert 1 == 1", points=1)).verdict.score == 1


def test_a_server_that_cannot_start_is_told(monkeypatch):
    monkeypatch.setattr("coursekit.grading.kernels.client.SETTINGS", {"PYTHONHOME": "/nowhere"})
    with pytest.raises(CourseError, match="the server of the kernels does not start"):
        Kernels(SMALL).start()


def test_libraries_that_are_not_installed_are_left_out():
    with Kernels(("no_such_library", "numpy"), isolate=False) as kernels, Session(kernels) as run:
        assert shown(run.run(Cell("import sys; print('numpy' in sys.modules)"))) == "True"


def test_limits_of_a_session_win(kernels):
    with Session(kernels, limits=Limits(cell_seconds=0.5)) as session:
        stopped = session.run(Cell("while True: pass", "q1")).stopped
    assert stopped == "stopped after 0.5 s in the cell `q1`"


def test_pictures_of_the_course_are_kept_for_those_who_have_the_numbers(tmp_path: Path):
    draw = "from coursekit import figures\nfigures.loss_curves({'a': [3.0, %s, 1.0]})"
    look = (
        "from coursekit.figures import kept\n"
        "found = [k for k in (kept.key('loss_curves', ({'a': [3.0, %s, 1.0]},), {}),)"
        " if kept.find(k)]\nprint(len(found), len(kept.pictures))"
    )
    with Kernels(("coursekit.figures",), isolate=False) as kernels:
        assert kernels.keep("coursekit.figures.kept", [draw % 2.0], tmp_path) == 1
        with Session(kernels) as session:
            assert shown(session.run(Cell(look % 2.0))) == "1 1"
            assert shown(session.run(Cell(look % 2.5))) == "0 1"
            fresh = session.run(Cell(draw % 2.0)).outputs[0]["data"]["image/png"]
        with Kernels(("coursekit.figures",), isolate=False) as others, Session(others) as session:
            drawn = session.run(Cell(draw % 2.0)).outputs[0]["data"]["image/png"]
    assert fresh == drawn
