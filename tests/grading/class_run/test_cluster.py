"""A class on a real Dask cluster of two worker processes, one of which is killed midway."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.grading.class_run.conftest import HALF, RIGHT, Classroom

import coursekit
from coursekit.errors import CourseError
from coursekit.grading.class_run import Options, cluster, grade

pytest.importorskip("distributed")
pytestmark = pytest.mark.xdist_group("class_run")
PAUSE = "\nimport time\ntime.sleep(0.5)"


@contextmanager
def started(*arguments: str, folder: Path):
    lib = str(Path(coursekit.__path__[0]).parent)
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": lib},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def scheduler(folder: Path):
    """The address of a scheduler without workers."""
    about = folder / "scheduler.json"
    options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    with started("scheduler", *options, "--scheduler-file", str(about), folder=folder):
        until = time.monotonic() + 60
        while not about.exists() or not about.read_text():
            assert time.monotonic() < until
            time.sleep(0.05)
        yield json.loads(about.read_text())["address"]


def worker(address: str, folder: Path):
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
    return started("worker", address, *options, folder=folder)


def test_a_killed_worker_loses_nothing(classroom, tmp_path, monkeypatch):
    for number in range(8):
        classroom.hand_in(f"s{number}", (HALF if number % 3 else RIGHT) + PAUSE)
    here = classroom.grade()
    monkeypatch.undo()  # the run is to use a cluster of its own
    for variable in ("COURSE_ROOT", "COURSE_DB_URL", "COURSE_EXCHANGE"):
        monkeypatch.delenv(variable, raising=False)
    with ExitStack() as stack:
        address = stack.enter_context(scheduler(tmp_path))
        workers = [stack.enter_context(worker(address, tmp_path)) for _ in range(2)]
        _wait_for_workers(address, 2)
        done = []

        def progress(result, count, total):
            done.append(result.student)
            if count == 2:
                workers[0].send_signal(signal.SIGKILL)

        outcome = grade(
            classroom.root,
            ["doubling"],
            options=Options(force=True, dask=address),
            progress=progress,
        )
        assert workers[0].wait(10) == -signal.SIGKILL and workers[1].poll() is None
    assert sorted(done) == sorted(here)
    assert {result.student: result for result in outcome.results} == here
    assert {result.score for result in outcome.results} == {1.0, 2.0}


def _wait_for_workers(address: str, count: int) -> None:
    from distributed import Client

    with Client(address, timeout=10, set_as_default=False) as client:
        client.wait_for_workers(count, timeout=120)


def ask(root: Path, address: str) -> None:
    grade(root, ["doubling"], options=Options(dask=address))


def test_an_address_where_nobody_answers_is_a_sentence(classroom_alone):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(CourseError, match=f"no Dask scheduler answers at '{address}'"):
        ask(classroom_alone.root, address)
    with pytest.raises(CourseError, match="no Dask scheduler answers at 'nonsense://x'"):
        ask(classroom_alone.root, "nonsense://x")


def test_a_scheduler_without_workers_is_a_sentence(classroom_alone, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "TO_CONNECT", 2.0)
    with (
        scheduler(tmp_path) as address,
        pytest.raises(CourseError, match=f"{address} has no worker: start some with"),
    ):
        ask(classroom_alone.root, address)


def test_a_cluster_that_goes_away_is_a_sentence(classroom_alone, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "WITHOUT_WORKERS", 1.0)
    classroom_alone.hand_in("ada", RIGHT + "\nimport time\ntime.sleep(25)")
    with scheduler(tmp_path) as address, worker(address, tmp_path) as only:
        _wait_for_workers(address, 1)
        only.send_signal(signal.SIGSTOP)
        subprocess.Popen(["sh", "-c", f"sleep 3; kill -9 {only.pid}"])
        with pytest.raises(CourseError, match="has had no worker for 1 s: start workers"):
            ask(classroom_alone.root, address)


def test_without_dask_the_option_says_what_to_install(classroom_alone, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(CourseError, match=r"pip install \"coursekit\[cluster\]\""):
        ask(classroom_alone.root, "tcp://127.0.0.1:1")


@pytest.fixture
def classroom_alone(released, tmp_path, monkeypatch):
    """A fresh course whose runs go where they are sent."""
    import shutil

    for variable in ("COURSE_ROOT", "COURSE_DB_URL", "COURSE_EXCHANGE"):
        monkeypatch.delenv(variable, raising=False)
    shutil.copytree(released, tmp_path / "alone")
    return Classroom(tmp_path / "alone")
