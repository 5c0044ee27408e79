"""Signal handlers of student code: they run, and do not see the frame that they interrupt."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import FrameType
from typing import Any

_signal: Any = importlib.import_module("_signal")


def hide_frames_from_handlers() -> None:
    """Give handlers of signals None for the frame, for good: no audit event tells of that frame."""
    original = _signal.signal

    def signal(number: int, handler: Any) -> Any:
        return original(number, _without_frame(handler) if callable(handler) else handler)

    signal.__doc__ = original.__doc__
    _signal.signal = signal


def _without_frame(handler: Callable[..., Any]) -> Callable[..., Any]:
    if handler is _signal.default_int_handler or isinstance(handler, _Handler):
        return handler
    return _Handler(handler)


class _Handler:
    """Calls a handler without the frame."""

    def __init__(self, handler: Callable[..., Any]) -> None:
        self._handler = handler

    def __call__(self, number: int, _frame: FrameType | None) -> Any:
        return self._handler(number, None)
