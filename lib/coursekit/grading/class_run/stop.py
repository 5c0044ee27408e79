"""Ending a run early: cells that run are interrupted, and no more are begun."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Stopped(Exception):
    """A submission was not finished, since the run is to end."""


class Interruptible(Protocol):
    """What can be interrupted from another thread: a Session."""

    def interrupt(self) -> None:
        """Interrupt what runs."""


class Stop:
    """A wish to end, which all threads of a run share."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._running: list[Interruptible] = []

    @property
    def wanted(self) -> bool:
        """Whether the run is to end."""
        return self._event.is_set()

    def check(self) -> None:
        """Raise Stopped where the run is to end."""
        if self.wanted:
            raise Stopped

    def now(self) -> None:
        """End the run: interrupt what runs."""
        self._event.set()
        with self._lock:
            running = list(self._running)
        for session in running:
            session.interrupt()

    @contextmanager
    def on_error(self) -> Iterator[None]:
        """End the run where what is inside fails, so that nobody waits for the rest of it."""
        try:
            yield
        except BaseException:
            self.now()
            raise

    @contextmanager
    def over(self, session: Interruptible) -> Iterator[None]:
        """Let `now` interrupt this session while it is used."""
        with self._lock:
            self._running.append(session)
        try:
            yield
        finally:
            with self._lock:
                self._running.remove(session)


@contextmanager
def on_interrupt(stop: Stop) -> Iterator[None]:
    """The first Ctrl-C ends the run in good order, the second at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def first(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        stop.now()

    signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
