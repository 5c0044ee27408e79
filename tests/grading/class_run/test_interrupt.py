"""A run that is ended in the middle leaves nothing half-done, and the next goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import nbformat
import pytest
from tests.grading.class_run.conftest import RIGHT

import coursekit
from coursekit.grading.class_run.stop import Stop, Stopped

pytestmark = pytest.mark.xdist_group("class_run")
SLOW = RIGHT + "\nimport time\ntime.sleep({})"
STUDENTS = [f"s{number}" for number in range(5)]


def begin(root: Path) -> subprocess.Popen:
    lib = str(Path(coursekit.__path__[0]).parent)
    command = "import sys; sys.argv[0] = 'coursekit'; from coursekit.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", command, "grade", "doubling", "--jobs", "2"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": lib},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def records(root: Path) -> set[str]:
    folder = root / "autograded" / ".coursekit" / "records" / "doubling"
    return {path.stem for path in folder.glob("*.json")}


def wait_for_first(process: subprocess.Popen, root: Path) -> None:
    until = time.monotonic() + 120
    while not records(root) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    assert process.poll() is None and records(root), process.communicate()


@pytest.fixture
def underway(classroom):
    """A class whose first submission is done at once and whose last take long."""
    for number, student in enumerate(STUDENTS):
        classroom.hand_in(student, SLOW.format(0 if number < 2 else 20))
    process = begin(classroom.root)
    try:
        wait_for_first(process, classroom.root)
        yield classroom, process
    finally:
        process.kill()
        process.communicate()


def go_on(classroom) -> None:
    """Finish the run, with the code of slow students no longer slow, and look at everything."""
    done = records(classroom.root)
    for student in set(STUDENTS) - done:
        classroom.hand_in(student, SLOW.format(0))
    found = classroom.grade()
    assert {result.score for result in found.values()} == {2.0}
    assert sorted(classroom.fresh) == sorted(set(STUDENTS) - done)
    for student in STUDENTS:
        graded = classroom.root / "autograded" / student / "doubling"
        assert nbformat.read(graded / "doubling.ipynb", 4).cells
        assert (graded / "timestamp.txt").is_file()
        assert classroom.marks(student)["double_numbers"]["auto_score"] == 2.0


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(underway):
    classroom, process = underway
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Run the same command again to go on." in err and "Traceback" not in err
    assert "needs hand grading" in out
    assert 0 < len(records(classroom.root)) < len(STUDENTS)
    assert not list((classroom.root / "autograded" / ".coursekit" / "writing").iterdir())
    go_on(classroom)


def test_a_run_that_is_killed_goes_on(underway):
    classroom, process = underway
    process.kill()
    process.communicate()
    assert 0 < len(records(classroom.root)) < len(STUDENTS)
    go_on(classroom)


def test_who_wants_to_stop_interrupts_what_runs_and_what_begins():
    class Session:
        interrupted = threading.Event()

        def interrupt(self):
            self.interrupted.set()

    stop, session = Stop(), Session()
    with stop.over(session):
        stop.check()
        stop.now()
    assert session.interrupted.is_set() and stop.wanted
    with pytest.raises(Stopped):
        stop.check()


def test_a_failure_stops_the_rest():
    stop = Stop()
    with pytest.raises(ValueError), stop.on_error():
        raise ValueError
    assert stop.wanted
