"""Settings that innocent code changes and that change results: tests find the defaults."""

from __future__ import annotations

import contextlib
import decimal
import gc
import os
import signal
import sys
import warnings
from collections.abc import Callable
from typing import Any

SIGNALS = [
    getattr(signal, name)
    for name in ("SIGALRM", "SIGUSR1", "SIGUSR2", "SIGVTALRM", "SIGPROF", "SIGTERM", "SIGCHLD")
    if hasattr(signal, name)
]
TIMERS = [getattr(signal, name) for name in ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF")]


class Defaults:
    """The settings as they are now, to be put back before each test. Nobody is told of it."""

    def __init__(self) -> None:
        self._undo = [*_python(), *_numpy(), *_torch()]

    def quiet(self) -> None:
        """End what would run student code in the middle of the grader's: timers, signals, hooks."""
        self._undo[0]()

    def restore(self) -> None:
        """Put the settings back."""
        for undo in self._undo:
            with contextlib.suppress(Exception):
                undo()


def _python() -> list[Callable[[], object]]:
    depth, filters, context = sys.getrecursionlimit(), list(warnings.filters), decimal.getcontext()
    switch, digits = sys.getswitchinterval(), sys.get_int_max_str_digits()
    kept = context.copy()
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    trace, profile = sys.gettrace(), sys.getprofile()
    out, err = sys.stdout, sys.stderr
    hooks = {
        name: getattr(sys, name)
        for name in ("displayhook", "excepthook", "unraisablehook", "breakpointhook")
    }
    environment = {name: os.environ.get(name) for name in ("NBGRADER_EXECUTION",)}

    callbacks = list(gc.callbacks)

    def quiet() -> None:
        gc.callbacks[:] = callbacks
        for timer in TIMERS:
            signal.setitimer(timer, 0)
        for number, handler in handlers.items():
            signal.signal(number, handler)

    def untraced() -> None:
        if sys.gettrace() is not trace:
            sys.settrace(trace)
        if sys.getprofile() is not profile:
            sys.setprofile(profile)

    def warned() -> None:
        if warnings.filters != filters:
            warnings.filters[:] = filters  # type: ignore[index]
            warnings._filters_mutated()  # type: ignore[attr-defined]

    def streams() -> None:
        sys.stdout, sys.stderr = out, err
        vars(sys).update(hooks)
        for name, value in environment.items():
            if value is not None and os.environ.get(name) != value:
                os.environ[name] = value

    return [
        quiet,
        untraced,
        warned,
        streams,
        lambda: sys.setrecursionlimit(depth),
        lambda: decimal.setcontext(kept.copy()),
        lambda: sys.setswitchinterval(switch),
        lambda: sys.set_int_max_str_digits(digits),
    ]


def _numpy() -> list[Callable[[], object]]:
    np: Any = sys.modules.get("numpy")
    if np is None:
        return []
    errors, shown = np.geterr(), np.get_printoptions()
    call = np.geterrcall()
    return [
        lambda: np.seterr(**errors),
        lambda: np.seterrcall(call),
        lambda: np.set_printoptions(**shown),
    ]


def _torch() -> list[Callable[[], object]]:
    torch: Any = sys.modules.get("torch")
    if torch is None:
        return []
    dtype, grad = torch.get_default_dtype(), torch.is_grad_enabled()
    return [
        lambda: torch.set_default_dtype(dtype),
        lambda: torch.set_grad_enabled(grad),
        lambda: _torch_switches(torch),
    ]


def _torch_switches(torch: Any) -> None:
    # To set these loads large parts of torch, so they are only set where they differ.
    if torch.is_anomaly_enabled():
        torch.autograd.set_detect_anomaly(False)
    if torch.are_deterministic_algorithms_enabled():
        torch.use_deterministic_algorithms(False)
    if getattr(torch, "_GLOBAL_DEVICE_CONTEXT", None) and str(torch.get_default_device()) != "cpu":
        torch.set_default_device(None)
