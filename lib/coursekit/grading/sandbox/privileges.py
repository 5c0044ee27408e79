"""Give up what root may do, and the way for other processes of the user to look into this one."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache

PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
CAPABILITY_VERSION_3 = 0x20080522
CAPABILITIES = 64


@cache
def _libc() -> ctypes.CDLL | None:
    return ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def prepare() -> None:
    """Load what the steps need, before the fork."""
    _libc()


def _prctl(*numbers: int) -> bool:
    libc = _libc()
    if libc is None:
        return False
    padded = [*numbers, 0, 0, 0, 0][:5]
    return bool(libc.prctl(padded[0], *map(ctypes.c_ulong, padded[1:])) == 0)


def no_new_privileges() -> bool:
    """Let no program that this process starts give it more rights."""
    return _prctl(PR_SET_NO_NEW_PRIVS, 1)


def drop_capabilities() -> bool:
    """Make root a user like any other: it then obeys the modes of files and owns no system call."""
    libc = _libc()
    if libc is None:
        return False
    _prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    for capability in range(CAPABILITIES):
        _prctl(PR_CAPBSET_DROP, capability)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    none = (ctypes.c_uint32 * 6)()
    return bool(libc.capset(header, none) == 0)


def hide() -> bool:
    """Let no other process of this user read or change this one's memory."""
    return _prctl(PR_SET_DUMPABLE, 0)


STEPS: dict[str, Callable[[], bool]] = {
    "no new privileges": no_new_privileges,
    "capabilities": drop_capabilities,
    "hidden memory": hide,
}
