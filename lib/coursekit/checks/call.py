"""Calling a student's function so that nothing it does can harm the check."""

from __future__ import annotations

import builtins
import contextlib
import copy
import dis
import importlib
import io
import random
import signal
import sys
import threading
import traceback
import types
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from coursekit.checks.show import is_tensor, plain_tensor

MOST_PRINTED = 2_000
SEED = 12345
SLOW_TO_LOAD = {"matplotlib", "scipy", "sklearn", "torch"}


class TimeLimit(BaseException):
    """Raised in student code that runs too long; no Exception, so that `except` lets it by."""


class NeedsKeyboard(Exception):
    """Raised in place of waiting for keyboard input."""


@dataclass
class Called:
    """What a call did: its value or its error, what it printed, warned and changed."""

    value: Any = None
    error: BaseException | None = None
    printed: str = ""
    warned: list[warnings.WarningMessage] = field(default_factory=list)
    changed: list[int | str] = field(default_factory=list)


class _Capped(io.StringIO):
    """Keeps the first characters written and drops the rest: endless printing costs nothing."""

    def write(self, text: str) -> int:
        if self.tell() < MOST_PRINTED:
            super().write(text[: MOST_PRINTED - self.tell()])
        return len(text)


def prepare(value: Any, listed: bool = False) -> Any:
    """An argument as the student's function gets it: lists of numbers become float64 arrays.

    `listed` asks for a list of arrays, one for each item, also where they would fit one block; a
    list of arrays stays one. Everything else (tuples, numbers, arrays, tensors, functions) is
    passed as a copy of itself.
    """
    if isinstance(value, list):
        if listed or any(isinstance(item, np.ndarray) for item in value):
            return [prepare(item) for item in value]
        with contextlib.suppress(ValueError, TypeError):
            array = np.array(value)
            if array.dtype.kind in "iuf":
                return array.astype(float)
        return [prepare(item) for item in value]
    return duplicate(value)


def duplicate(value: Any) -> Any:
    """A deep copy; a tensor that is part of a graph is copied as a leaf."""
    try:
        return copy.deepcopy(value)
    except RuntimeError:
        return value.detach().clone().requires_grad_(value.requires_grad)


def _same(a: Any, b: Any) -> bool:
    if is_tensor(a):
        a, b = plain_tensor(a), plain_tensor(b)
    if isinstance(a, np.ndarray):
        numeric = a.dtype.kind in "fc"
        return isinstance(b, np.ndarray) and np.array_equal(a, b, equal_nan=numeric)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    return type(a) not in (bool, int, float, str) or a == b


def _no_keyboard(*_: Any, **__: Any) -> Any:
    raise NeedsKeyboard


@contextlib.contextmanager
def _without_keyboard() -> Iterator[None]:
    before = builtins.input, sys.breakpointhook
    builtins.input, sys.breakpointhook = _no_keyboard, _no_keyboard
    try:
        yield
    finally:
        builtins.input, sys.breakpointhook = before


@contextlib.contextmanager
def _seeded() -> Iterator[None]:
    """The same random numbers in every run, and the notebook's own generators as they were."""
    torch = sys.modules.get("torch")
    states = random.getstate(), np.random.get_state(), torch and torch.get_rng_state()
    random.seed(SEED)
    np.random.seed(SEED)
    if torch:
        torch.default_generator.manual_seed(SEED)  # manual_seed also looks for other devices
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])
        if torch:
            torch.set_rng_state(states[2])


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise TimeLimit in the code inside after `seconds`, and again every half second after that.

    Signals reach the main thread of Unix systems only; elsewhere the limit of the cell has to do.
    """
    main = threading.current_thread() is threading.main_thread()
    if not (main and hasattr(signal, "setitimer")):
        yield
        return

    running = True

    def stop(_number: int, _frame: types.FrameType | None) -> None:
        if running:
            raise TimeLimit

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        yield
    finally:
        running = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _preload(function: Callable[..., Any]) -> None:
    """Import what the function itself imports, so that its time is not spent on loading."""
    code = getattr(function, "__code__", None)
    if not isinstance(code, types.CodeType):
        return
    for step in dis.get_instructions(code):
        if step.opname == "IMPORT_NAME" and step.argval.split(".")[0] in SLOW_TO_LOAD:
            with contextlib.suppress(Exception):
                importlib.import_module(step.argval)


def call(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    limit: float,
    lists: Collection[int] = (),
) -> Called:
    """Call `function` on fresh copies of its inputs and record all that happens.

    `limit` is in seconds, `lists` has the places of arguments that are lists of arrays.
    Nothing reaches stdout or stderr. Only KeyboardInterrupt passes through.
    """
    fresh_args = tuple(prepare(arg, place in lists) for place, arg in enumerate(args))
    fresh_kwargs = {key: prepare(value) for key, value in kwargs.items()}
    kept: dict[int | str, Any] = dict(enumerate(fresh_args))
    kept.update(fresh_kwargs)
    originals = {key: duplicate(value) for key, value in kept.items()}
    out, result = _Capped(), Called()
    _preload(function)
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(_Capped()),
        warnings.catch_warnings(record=True) as warned,
        _without_keyboard(),
        _seeded(),
    ):
        warnings.simplefilter("always")
        try:
            with _limited(limit):
                result.value = function(*fresh_args, **fresh_kwargs)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            result.error = error
    result.printed, result.warned = out.getvalue(), list(warned)
    result.changed = [key for key, value in originals.items() if not _same(value, kept[key])]
    return result


def where_raised(
    error: BaseException, namespace: Mapping[str, Any]
) -> traceback.FrameSummary | None:
    """The last line of the notebook's own code that the error passed through."""
    frames = [
        (frame, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_globals is namespace
    ]
    if not frames:
        return None
    summary = traceback.StackSummary.extract(iter(frames[-1:]))
    return summary[0]


def raised_by(error: BaseException, namespace: Mapping[str, Any]) -> str:
    """The name of the notebook's function whose own line raised the error, or ""."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    own = bool(frames) and frames[-1].f_globals is namespace
    return frames[-1].f_code.co_name if own else ""
