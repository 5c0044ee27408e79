"""Landlock: the process reads what Python needs, and writes in its own folder alone."""

from __future__ import annotations

import contextlib
import os
from functools import cache
from pathlib import Path

from coursekit.grading.sandbox import paths
from coursekit.grading.sandbox.policy import Policy

try:
    import landlockpy as landlock
except ImportError:  # not Linux
    landlock = None  # type: ignore[assignment]


@cache
def version() -> int:
    """The kernel's Landlock version; 0 where there is none for us."""
    if landlock is None:
        return 0
    try:
        return landlock.abi_version()
    except OSError:
        return 0


@cache
def prepare() -> tuple[tuple[Path, landlock.AccessFS], ...]:
    """What each process may read, and the right to do so; to be called before the fork."""
    if not version():
        return ()
    null = (Path("/dev/null"), _reading(False) | landlock.AccessFS.WRITE_FILE)
    return (*((path, _reading(os.path.isdir(path))) for path in paths.readable()), null)


def restrict(policy: Policy) -> bool:
    """Confine this process's files, and on newer kernels also its TCP, signals and sockets."""
    if not version():
        return False
    outside = landlock.Scope.ABSTRACT_UNIX_SOCKET | landlock.Scope.SIGNAL
    own = (*policy.readable, Path("/proc/self"))
    with landlock.Ruleset(scoped=outside) as ruleset:
        for path, access in prepare():
            _allow(ruleset, path, access)
        for path in own:
            _allow(ruleset, path, _reading(os.path.isdir(path)))
        _allow(ruleset, policy.folder, _writing())
        ruleset.restrict()
    return True


def _allow(ruleset: landlock.Ruleset, path: Path, access: landlock.AccessFS) -> None:
    # What is gone since, or was never there, needs no permission.
    with contextlib.suppress(OSError):
        ruleset.allow_path(path, access)


def _reading(folder: bool) -> landlock.AccessFS:
    rights = landlock.AccessFS
    return rights.READ_FILE | rights.READ_DIR if folder else rights.READ_FILE


def _writing() -> landlock.AccessFS:
    # No links, pipes, sockets or devices: the grader reads this folder afterwards.
    rights = landlock.AccessFS
    return (
        _reading(True)
        | rights.WRITE_FILE
        | rights.TRUNCATE
        | rights.MAKE_REG
        | rights.MAKE_DIR
        | rights.REMOVE_FILE
        | rights.REMOVE_DIR
        | rights.REFER
    )
