"""Executing tasks in threads of this process, over one warm server."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Protocol

from coursekit.grading.class_run.examples import Example
from coursekit.grading.class_run.stop import Stop, Stopped
from coursekit.grading.class_run.tasks import Executed, Task, execute, failed
from coursekit.grading.kernels.client import Kernels
from coursekit.grading.kernels.pool import POOL
from coursekit.grading.kernels.provisioner import WarmProvisioner


class Pool(Protocol):
    """What executes tasks. `width` is how many may wait or run at once."""

    width: int

    def prepare(self, examples: Sequence[Example]) -> None:
        """Let kernels keep the plots of the course's own notebooks, where the pool can."""

    def submit(self, task: Task) -> int:
        """Begin a task; returns its number. Raises CourseError where the pool is gone."""

    def finished(self, wait: float) -> list[tuple[int, Executed | None]]:
        """The tasks that ended since, after at most `wait` seconds; None for one not finished."""


class Threads:
    """`jobs` threads that each run one notebook at a time in kernels of the same server."""

    def __init__(self, kernels: Kernels, jobs: int, stop: Stop, run: Callable[..., Any] = execute):
        self.width = jobs + 1
        self._threads = ThreadPoolExecutor(jobs, "grade")
        self._kernels, self._stop, self._run = kernels, stop, run
        self._ended: queue.SimpleQueue[tuple[int, Task, Future[Executed]]] = queue.SimpleQueue()
        self._count = 0

    def prepare(self, examples: Sequence[Example]) -> None:
        """Run the course's own notebooks in the server."""
        for example in examples:
            self._kernels.keep(example.module, example.cells, example.folder)

    def submit(self, task: Task) -> int:
        """Begin a task."""
        self._count += 1
        number = self._count
        future = self._threads.submit(self._run, task, self._kernels, self._stop)
        future.add_done_callback(lambda ended: self._ended.put((number, task, ended)))
        return number

    def finished(self, wait: float) -> list[tuple[int, Executed | None]]:
        """The tasks that ended."""
        return [
            (number, outcome(task, future.result))
            for number, task, future in drain(self._ended, wait)
        ]

    def close(self) -> None:
        """Wait for what runs."""
        self._threads.shutdown(cancel_futures=True)


def drain(ended: queue.SimpleQueue[Any], wait: float) -> Iterator[Any]:
    """What is in a queue, after at most `wait` seconds for the first."""
    try:
        yield ended.get(timeout=wait)
        while True:
            yield ended.get_nowait()
    except queue.Empty:
        return


def outcome(task: Task, result: Callable[[], Executed]) -> Executed | None:
    """What became of a task; None where the run was to end before it did."""
    try:
        return result()
    except Stopped:
        return None
    except Exception as error:
        return failed(task.assignment, task.student, error)


@contextmanager
def threads(kernel: WarmProvisioner, jobs: int, stop: Stop) -> Iterator[Threads]:
    """A pool of threads over the warm server of this process."""
    with POOL.using(tuple(kernel.preload), kernel.isolate) as kernels:
        pool = Threads(kernels, jobs, stop)
        try:
            yield pool
        finally:
            pool.close()
