"""Closing the doors by which student code could reach the grader's own code.

All classes of a process can be found through `object.__subclasses__()`. From a class one gets to
its methods, from those to the names of their module, and there a function can be replaced. So the
grader's classes become as unchangeable as built-in ones, and Python tells the audit hook when
someone asks a function for its module's names or its closure.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable
from types import FunctionType, MemberDescriptorType
from typing import Any

IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE
FLAGS_AT = 168  # where a class keeps its flags, in bytes
READ_ONLY, TELL_WHO_READS = 1, 2  # of a PyMemberDef


class _MemberDef(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_int),
        ("offset", ctypes.c_ssize_t),
        ("flags", ctypes.c_int),
    ]


class _MemberDescriptor(ctypes.Structure):
    _fields_ = [
        ("head", ctypes.c_void_p * 5),
        ("member", ctypes.POINTER(_MemberDef)),
    ]


def seal(classes: Iterable[type]) -> bool:
    """Make the classes unchangeable and reads of functions' insides known to audit hooks.

    For the whole process, without a way back. Returns whether this Python allows it: one that keeps
    these things in another place is left as it is.
    """
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    done = [_fix(kind) for kind in classes]
    members: dict[str, Any] = {name: vars(FunctionType).get(name) for name in INSIDES}
    told = [_tell(name, member) for name, member in members.items()]
    return all(done) and all(told)


INSIDES = ("__globals__", "__closure__")


def _fix(kind: type) -> bool:
    flags = ctypes.c_ulong.from_address(id(kind) + FLAGS_AT)
    if flags.value != kind.__flags__:
        return False
    flags.value |= IMMUTABLE
    return True


def _tell(name: str, member: object) -> bool:
    if not isinstance(member, MemberDescriptorType):
        return False
    found = _MemberDescriptor.from_address(id(member)).member.contents
    if found.name != name.encode() or found.flags not in (READ_ONLY, READ_ONLY | TELL_WHO_READS):
        return False
    found.flags |= TELL_WHO_READS
    return True
