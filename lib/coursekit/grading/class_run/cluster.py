"""Executing tasks on the workers of a Dask cluster."""

from __future__ import annotations

import atexit
import logging
import queue
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from coursekit.errors import CourseError
from coursekit.grading.class_run.examples import Example
from coursekit.grading.class_run.pool import drain, outcome
from coursekit.grading.class_run.tasks import Executed, Task, execute
from coursekit.grading.kernels.client import Kernels

TO_CONNECT = 5.0  # seconds
WITHOUT_WORKERS = 60.0  # seconds after which a run without any worker ends

_kernels: dict[tuple[tuple[str, ...], bool], Kernels] = {}
_lock = threading.Lock()


def on_worker(task: Task, preload: tuple[str, ...], isolate: bool) -> Executed:
    """Execute a task in a worker's process, over a server that lives as long as the process."""
    with _lock:
        if (preload, isolate) not in _kernels:
            kernels = Kernels(preload, isolate=isolate)
            atexit.register(kernels.close)
            _kernels[preload, isolate] = kernels
    return execute(task, _kernels[preload, isolate])


class Cluster:
    """The workers of a Dask scheduler, each of which runs as many notebooks as it has threads."""

    def __init__(self, client: Any, address: str, preload: tuple[str, ...], isolate: bool) -> None:
        self._client, self._address = client, address
        self._options = (preload, isolate)
        self._ended: queue.SimpleQueue[tuple[int, Task, Any]] = queue.SimpleQueue()
        self._futures: dict[int, Any] = {}
        self._count, self._seen = 0, time.monotonic()
        # A few more than run, so that no worker waits while results are written.
        self.width = 2 * max(1, self._threads()) + 2

    def prepare(self, examples: Sequence[Example]) -> None:
        """Nothing: workers have no course folder, and draw what they are sent."""

    def submit(self, task: Task) -> int:
        """Begin a task; it is begun again elsewhere where a worker dies with it."""
        self._count += 1
        number = self._count
        try:
            with warnings.catch_warnings():
                # Tasks carry their submission with them: data left on a worker would die with it.
                warnings.filterwarnings("ignore", message="Sending large graph")
                future = self._client.submit(on_worker, task, *self._options, pure=False)
        except Exception:
            raise self._gone() from None
        self._futures[number] = future
        future.add_done_callback(lambda ended: self._ended.put((number, task, ended)))
        return number

    def finished(self, wait: float) -> list[tuple[int, Executed | None]]:
        """The tasks that ended. Raises CourseError where there is nobody left to execute them."""
        found = []
        for number, task, future in drain(self._ended, wait):
            if future.status in ("cancelled", "lost"):
                raise self._gone()
            found.append((number, outcome(task, future.result)))
            del self._futures[number]
        if found:
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen > WITHOUT_WORKERS / 10:
            self._look()
        return found

    def _look(self) -> None:
        if self._threads():
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen > WITHOUT_WORKERS:
            raise CourseError(
                f"the Dask scheduler {self._address} has had no worker for {WITHOUT_WORKERS:g} s: "
                "start workers and run this command again, which goes on where it stopped."
            )

    def _threads(self) -> int:
        """The threads of all workers."""
        try:
            return sum(self._client.nthreads().values())
        except Exception:
            raise self._gone() from None

    def _gone(self) -> CourseError:
        return CourseError(
            f"the Dask scheduler {self._address} does not answer any more: start it and run this "
            "command again, which goes on where it stopped."
        )


@contextmanager
def cluster(address: str, preload: tuple[str, ...], isolate: bool) -> Iterator[Cluster]:
    """The cluster of the scheduler at `address`, e.g. "tcp://10.0.0.5:8786".

    Raises CourseError where Dask is not installed, nobody answers there, or there is no worker.
    """
    try:
        from distributed import Client
    except ImportError:
        raise CourseError(
            "--dask needs the package distributed: install it with "
            '`pip install "coursekit[cluster]"`.'
        ) from None
    # What it logs of lost connections is said here in a sentence.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=TO_CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError, ImportError):
        raise CourseError(
            f"no Dask scheduler answers at {address!r}: start one with `dask scheduler` and name "
            "its address, e.g. tcp://10.0.0.5:8786."
        ) from None
    try:
        client.wait_for_workers(1, timeout=TO_CONNECT)
    except Exception:
        client.close()
        raise CourseError(
            f"the Dask scheduler {address} has no worker: start some with `dask worker {address}`."
        ) from None
    try:
        yield Cluster(client, address, preload, isolate)
    finally:
        client.close()
