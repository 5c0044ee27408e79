"""Feedback pages for submissions that were graded, a few at a time."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from coursekit.grading import course
from coursekit.grading.status import Result

Pages = Callable[[int, int], None]


def write(
    root: Path,
    results: Sequence[Result],
    jobs: int = 0,
    progress: Pages = lambda done, total: None,
) -> dict[tuple[str, str], str]:
    """Write feedback with nbgrader for the results that have a score.

    Returns a sentence for each submission, by student and assignment, whose page failed.
    """
    wanted = [(r.student, r.assignment) for r in results if r.score is not None]
    faults: dict[tuple[str, str], str] = {}
    if not wanted:
        return faults
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs or os.cpu_count() or 1, len(wanted)), context) as pool:
        running = {pool.submit(_write, root, *key): key for key in wanted}
        for done, future in enumerate(as_completed(running), 1):
            try:
                fault = future.result()
            except BrokenProcessPool:
                fault = "the process that writes pages ended unexpectedly"
            if fault:
                faults[running[future]] = fault
            progress(done, len(wanted))
    return faults


def _write(root: Path, student: str, assignment: str) -> str:
    """Write the pages of one submission; why that failed, or ""."""
    with course.inside(root):
        done = course.api(root).generate_feedback(assignment, student, force=True)
    return "" if done["success"] else course.last_error(done)
