"""How fast a class is graded, against stock nbgrader on the same submissions in the same run.

    make bench [ARGS="--sizes 10,100,300 --kinds 3 --rounds 2"]

For each lesson a class is made from the bank of right and wrong solutions: a few submissions, over
and over under other names. `nbgrader autograde` with nbgrader's own settings grades them once and
twice, `coursekit grade` several times, by turns. Seconds of a submission are the difference that
more submissions make, so that starting (importing the libraries, once) is told apart. The floor is
the processor time of the cells alone: run in one warm process each, without gradebook, limits,
guard or confinement, and with every plot drawn.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path

import nbformat
import psutil

from coursekit.authoring import bank as banks
from coursekit.authoring import notebooks
from coursekit.authoring.lesson import source
from coursekit.demo.sample_class import CLASS, hand_in, lesson_of
from coursekit.grading.course import api, inside

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "build" / "bench"
LESSONS = ("perceptron", "delta_rule", "collapse")
# Every habit but the loop without end, which measures the time limit, and what is not graded.
HABITS = [s for s in CLASS if s.habit not in ("endless", "broken", "absent", "untouched")]
# So that a few show all: right, then one slip in four exercises, in three, in two.
HABITS = [HABITS[0], *HABITS[2:], HABITS[1]]
STOCK = """
c = get_config()
c.CourseDirectory.course_id = "bench"
c.Exchange.root = {exchange!r}
"""


@dataclass(frozen=True)
class Cost:
    """What a command took: seconds on the clock, seconds of processors, megabytes at most."""

    clock: float
    cpu: float
    memory: float


def command(course: Path, *words: str) -> Cost:
    """Run a command in a course folder."""
    env = {**os.environ, "COURSE_ROOT": str(course), "COURSE_EXCHANGE": str(course / "exchange")}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with open(course / "log", "ab") as log:
        process = subprocess.Popen(words, cwd=course, env=env, stdout=log, stderr=log)
        most = [0.0]
        watch = threading.Thread(target=_watch, args=(process.pid, most), daemon=True)
        watch.start()
        code = process.wait()
    clock = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if code:
        sys.exit(f"{' '.join(words)} failed: see {course / 'log'}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(clock, cpu, most[0])


def _watch(pid: int, most: list[float]) -> None:
    """Note the largest sum of the memory of a process and all that it started."""
    while psutil.pid_exists(pid):
        try:
            family = [psutil.Process(pid)]
            family += family[0].children(recursive=True)
            most[0] = max(most[0], sum(_own_memory(each) for each in family) / 1e6)
        except psutil.Error:
            pass
        time.sleep(0.25)


def _own_memory(process: psutil.Process) -> float:
    """Bytes, with what processes share counted in parts."""
    try:
        return float(process.memory_full_info().pss)
    except psutil.Error:
        return 0.0


def make_course(name: str, config: str) -> Path:
    """A course folder with the lessons generated."""
    course = PLACE / name
    shutil.copytree(ROOT / "source", course / "source")
    (course / "nbgrader_config.py").write_text(config)
    os.environ["COURSE_EXCHANGE"] = str(course / "exchange")
    (course / "exchange").mkdir()
    with inside(course):
        nbgrader = api(course)
        for lesson in LESSONS:
            done = nbgrader.generate_assignment(lesson)
            if not done["success"]:
                sys.exit(f"{lesson} could not be generated: {done['log'][-2000:]}")
    return course


def hand_in_all(course: Path, lesson: str, count: int) -> None:
    """Let `count` students hand in a lesson; nobody else has handed in anything."""
    for step in ("submitted", "autograded"):
        shutil.rmtree(course / step, ignore_errors=True)
    work = lesson_of(notebooks.read(source(lesson, ROOT)), banks.load(lesson, ROOT))
    released = ROOT / "release" / lesson / f"{lesson}.ipynb"
    for number in range(count):
        kind = number % len(HABITS)
        student = replace(HABITS[kind], id=f"s{number:03}")
        hand_in(student, kind, work, released, course / "submitted" / student.id / lesson)


def one_more(course: Path, lesson: str, few: int, more: int, *words: str) -> tuple[Cost, float]:
    """What one more submission costs, and the seconds that remain for starting."""
    costs = []
    for count in (few, more):
        hand_in_all(course, lesson, count)
        costs.append(command(course, *words, lesson))
    each = Cost(*((b - a) / (more - few) for a, b in zip(*map(astuple, costs), strict=True)))
    return each, costs[0].clock - few * each.clock


def floor(course: Path, lesson: str) -> float:
    """Processor seconds of the cells of one submission alone, the mean of those in `course`."""
    from coursekit.grading.class_run.lesson import provisioner
    from coursekit.grading.course import configuration
    from coursekit.grading.kernels import server
    from coursekit.grading.kernels.client import ONE_THREAD, SETTINGS

    os.environ.update(ONE_THREAD | SETTINGS | {"NBGRADER_EXECUTION": "autograde"})
    files = sorted(course.glob(f"submitted/*/{lesson}/{lesson}.ipynb"))
    locked = {notebooks.grade_id(c): c.source for c in notebooks.read(source(lesson, ROOT)).cells}
    reading, writing = os.pipe()
    if os.fork() == 0:
        shell = server.start()
        server.preload(provisioner(configuration(course)).preload)
        os.chdir(ROOT / "source" / lesson)
        for file in files:
            nb = nbformat.read(file, as_version=4)
            if os.fork() == 0:
                shell.catch_descriptors()
                began = time.process_time()
                for cell in notebooks.code_cells(nb):
                    test = notebooks.kind(cell) is notebooks.Kind.TEST
                    text = locked[notebooks.grade_id(cell)] if test else cell.source
                    shell.outputs_of(text)
                os.write(writing, f"{time.process_time() - began}\n".encode())
                os._exit(0)
            os.wait()
        os._exit(0)
    os.close(writing)
    with open(reading) as pipe:
        return statistics.mean(float(line) for line in pipe)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="10,100,300", help="classes for coursekit grade")
    parser.add_argument("--kinds", type=int, default=3, help="different submissions of a lesson")
    parser.add_argument("--rounds", type=int, default=2, help="how often to take turns")
    parser.add_argument("--jobs", default=str(os.cpu_count() or 1))
    options = parser.parse_args(arguments)
    kinds = options.kinds
    del HABITS[kinds:]
    sizes = [int(size) for size in options.sizes.split(",")]
    shutil.rmtree(PLACE, ignore_errors=True)
    os.environ.pop("COURSE_DB_URL", None)
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    stock = make_course("stock", STOCK.format(exchange=str(PLACE / "stock" / "exchange")))
    ours = make_course("ours", (ROOT / "nbgrader_config.py").read_text())
    grade = ("coursekit", "grade", "--jobs", options.jobs)
    print(f"{options.jobs} jobs; seconds of one submission, the median of {options.rounds} rounds")
    print(f"{'':12}{'stock':>8}{'ours':>8}{'ratio':>8}{'CPU ours':>10}{'floor':>8}{'start':>8}")
    totals = [0.0, 0.0]
    for lesson in LESSONS:
        slow, fast, starts = [], [], []
        for _ in range(options.rounds):
            slow.append(one_more(stock, lesson, kinds, 2 * kinds, "nbgrader", "autograde")[0])
            each, start = one_more(ours, lesson, 3 * kinds, 15 * kinds, *grade)
            fast.append(each)
            starts.append(start)
        theirs = statistics.median(cost.clock for cost in slow)
        mine = statistics.median(cost.clock for cost in fast)
        cpu = statistics.median(cost.cpu for cost in fast)
        print(
            f"{lesson:12}{theirs:8.2f}{mine:8.2f}{theirs / mine:8.1f}{cpu:10.2f}"
            f"{floor(ours, lesson):8.2f}{statistics.median(starts):8.1f}",
            flush=True,
        )
        totals = [totals[0] + theirs, totals[1] + mine]
    print(f"{'all':12}{totals[0]:8.2f}{totals[1]:8.2f}{totals[0] / totals[1]:8.1f}")
    print(f"\n{'class of':12}{'seconds':>8}{'each':>8}{'CPU each':>10}{'MB':>8}   ({LESSONS[0]})")
    for size in sizes:
        hand_in_all(ours, LESSONS[0], size)
        whole = command(ours, *grade, LESSONS[0])
        print(
            f"{size:<12}{whole.clock:8.1f}{whole.clock / size:8.2f}{whole.cpu / size:10.2f}"
            f"{whole.memory:8.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
