"""seccomp: system calls that reach other processes, the network or the machine fail politely."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from functools import cache

from coursekit.grading.sandbox.refused import (
    ABSENT,
    NO_ATTRIBUTES,
    ON_A_PROCESS,
    PRETENDED,
    REFUSED,
    REFUSED_FOR,
)

try:
    import seccompy as seccomp
except ImportError:  # not Linux
    seccomp = None  # type: ignore[assignment]

NUMBERS = range(600)
LOW_HALF = 0xFFFFFFFF  # an argument that is a C int; what is above it counts for nothing
CLONE_THREAD = 0x00010000
AF_UNIX = 1
SOCK_STREAM = 1
SOCK_FLAGS = 0o2004000  # close-on-exec and non-blocking, which may come with the type


@cache
def prepare() -> seccomp.Filter | None:
    """The filter that is the same for each process, or None where there is no seccomp for us."""
    if seccomp is None or sys.maxsize < 2**32:
        return None
    with contextlib.suppress(OSError):
        if seccomp.supported():
            made = _same_for_all()
            len(made.program)  # compiles it, before the fork
            return made
    return None


def restrict() -> bool:
    """Filter this process's system calls from here on."""
    same = prepare()
    if same is None:
        return False
    # First the filter of this process: the other refuses to load more.
    _for_process(os.getpid()).load()
    same.load()
    return True


def _same_for_all() -> seccomp.Filter:
    # What has no name in the table is absent. So are the calls of the x32 interface, whose numbers
    # are others; those of 32-bit programs end the process.
    made = seccomp.Filter(default=seccomp.Action.ERRNO | errno.ENOSYS)
    fails = {
        **dict.fromkeys(REFUSED, errno.EPERM),
        **dict.fromkeys(PRETENDED, 0),
        **dict.fromkeys(NO_ATTRIBUTES, errno.ENOTSUP),
        **dict.fromkeys(ABSENT, errno.ENOSYS),
    }
    for name in _known():
        if name in fails:
            made.errno(name, fails[name])
        else:
            _allow(made, name)
    return made


def _allow(made: seccomp.Filter, name: str) -> None:
    if name == "clone":
        made.allow(name, args=[_bits(0, CLONE_THREAD, CLONE_THREAD)])
        made.errno(name, errno.EPERM)
    elif name == "socketpair":
        stream = _bits(1, LOW_HALF & ~SOCK_FLAGS, SOCK_STREAM)
        made.allow(name, args=[_bits(0, LOW_HALF, AF_UNIX), stream])
        made.errno(name, errno.EPERM)
    else:
        for command in REFUSED_FOR.get(name, ()):
            made.errno(name, errno.EPERM, args=[_bits(1, LOW_HALF, command)])
        made.allow(name)


def _for_process(pid: int) -> seccomp.Filter:
    made = seccomp.Filter(default=seccomp.Action.ALLOW)
    known = _known()
    for name, (position, zero_is_self, first) in ON_A_PROCESS.items():
        if name not in known:
            continue
        for number in (pid, 0) if zero_is_self else (pid,):
            conditions = [_bits(position, LOW_HALF, number)]
            if first is not None:
                conditions.append(_bits(0, LOW_HALF, first))
            made.allow(name, args=conditions)
        made.errno(name, errno.EPERM)
    return made


def _bits(position: int, mask: int, value: int) -> seccomp.ArgCmp:
    return seccomp.ArgCmp(position, seccomp.CmpOp.MASKED_EQ, value, mask)


@cache
def _known() -> frozenset[str]:
    """The names of this machine's system calls."""

    def names() -> Iterator[str]:
        for number in NUMBERS:
            with contextlib.suppress(ValueError):
                yield seccomp.syscall_name(number)

    return frozenset(names())
