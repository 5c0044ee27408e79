"""One warm server for all kernels of a process, and none where no kernel was used for a while."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from coursekit.grading.kernels.client import Kernels

IDLE = 120.0  # seconds after which an unused server's memory is given back


class Pool:
    """Servers by what they have imported; one that nobody uses ends after `idle` seconds."""

    def __init__(self, idle: float = IDLE, make: Callable[..., Kernels] = Kernels) -> None:
        self._idle, self._make = idle, make
        self._lock = threading.Lock()
        self._servers: dict[tuple[object, ...], Kernels] = {}
        self._users = 0
        self._timer: threading.Timer | None = None

    @contextmanager
    def using(self, preload: Sequence[str], isolate: bool) -> Iterator[Kernels]:
        """The server with these libraries, which is not ended while it is used."""
        key = (os.getpid(), tuple(preload), isolate)
        with self._lock:
            self._users += 1
            self._cancel()
            if key not in self._servers:
                self._servers[key] = self._make(preload, isolate=isolate)
            kernels = self._servers[key]
        try:
            yield kernels
        finally:
            with self._lock:
                self._users -= 1
                if not self._users:
                    self._later()

    def close(self) -> None:
        """End all servers."""
        with self._lock:
            self._cancel()
            self._end()

    def _later(self) -> None:
        self._timer = threading.Timer(self._idle, self._unused)
        self._timer.daemon = True
        self._timer.start()

    def _unused(self) -> None:
        with self._lock:
            if not self._users:
                self._end()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _end(self) -> None:
        # A process that was forked from this one has no say over its servers.
        for key, kernels in self._servers.items():
            if key[0] == os.getpid():
                kernels.close()
        self._servers.clear()


POOL = Pool()
atexit.register(POOL.close)
