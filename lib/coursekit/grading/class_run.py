"""Grading a whole class, every submission by itself: one student's trouble stays there."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from itertools import product
from pathlib import Path

from nbgrader.api import MissingEntry

from coursekit.errors import CourseError
from coursekit.grading.course import api, folder, gradebook, inside
from coursekit.grading.status import Result, Status, before_grading, from_gradebook

# What the numeric libraries read to compute on one thread.
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}
Progress = Callable[[Result, int, int], None]


def notebooks_of(root: Path, assignment: str) -> list[str]:
    """The names of an assignment's notebooks, from the gradebook."""
    with gradebook(root) as book:
        try:
            return [notebook.name for notebook in book.find_assignment(assignment).notebooks]
        except MissingEntry:
            raise CourseError(
                f"the gradebook knows no assignment {assignment!r}: generate it first with "
                f"`nbgrader generate_assignment {assignment}`"
            ) from None


def grade_class(
    root: Path,
    assignments: Iterable[str],
    students: Iterable[str],
    jobs: int = 0,
    progress: Progress = lambda result, done, total: None,
) -> list[Result]:
    """Autograde every submission of the students and write their feedback.

    Runs `jobs` submissions at a time (one for each core by default). A submission that cannot be
    graded becomes a status, never an exception. Results come in the order of students.
    """
    tasks = list(product(students, assignments))
    names = {assignment: notebooks_of(root, assignment) for _, assignment in tasks}
    results: dict[tuple[str, str], Result] = {}
    for result in _finished(root, tasks, names, jobs or os.cpu_count() or 1):
        results[result.student, result.assignment] = result
        progress(result, len(results), len(tasks))
    return [results[task] for task in tasks]


def _finished(
    root: Path, tasks: list[tuple[str, str]], names: dict[str, list[str]], jobs: int
) -> Iterator[Result]:
    context = multiprocessing.get_context("spawn")
    workers = min(jobs, len(tasks) or 1)
    with ProcessPoolExecutor(workers, context, initializer=_one_thread_each) as pool:
        running = {
            pool.submit(grade_one, root, student, assignment, names[assignment]): (
                student,
                assignment,
            )
            for student, assignment in tasks
        }
        for future in as_completed(running):
            try:
                yield future.result()
            except BrokenProcessPool:
                note = "the grading process ended unexpectedly: run it again"
                yield Result(*running[future], Status.FAILED, note=note)


def _one_thread_each() -> None:
    """Let the kernels of this process compute on one thread: there is a process for each core."""
    os.environ.update(ONE_THREAD)


def grade_one(root: Path, student: str, assignment: str, notebooks: list[str]) -> Result:
    """Autograde one submission with nbgrader and write its feedback page."""
    with inside(root):
        nbgrader = api(root)
        known = before_grading(folder(nbgrader, "submitted", student, assignment), notebooks)
        if known is not None:
            return Result(student, assignment, known[0], note=known[1])
        done = nbgrader.autograde(assignment, student, force=True)
        if done["success"]:
            nbgrader.generate_feedback(assignment, student, force=True)
    if not done["success"]:
        return Result(student, assignment, Status.FAILED, note=last_error(done))
    with gradebook(root) as book:
        found = from_gradebook(book, student, assignment)
    return found or Result(student, assignment, Status.FAILED, note="no grades were recorded")


def last_error(done: dict) -> str:
    """The most telling line of nbgrader's log, shortened."""
    lines = [line.strip() for line in str(done.get("log", "")).splitlines()]
    telling = [line for line in lines if "Error" in line and "NbGraderException" not in line]
    return (telling or lines or ["no reason given"])[-1][:160]
