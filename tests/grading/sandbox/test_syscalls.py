"""What the filters decide, worked out without loading them: also for the other processor."""

from __future__ import annotations

import errno
import platform
import struct

import pytest

from coursekit.grading.sandbox import refused, syscalls

seccompy = pytest.importorskip("seccompy")

ALLOW, FAIL, KILL = 0x7FFF0000, 0x00050000, 0x80000000
X32 = 0x40000000
PID = 4321


def decide(made, number, *arguments, arch=None):
    """The answer of a filter's program to a system call: a small machine that runs it."""
    words = [a for n in (*arguments, *[0] * 6)[:6] for a in (n & 0xFFFFFFFF, n >> 32)]
    data = struct.pack("<iIQ12I", number, arch or seccompy.audit_arch(), 0, *words)
    code = list(struct.iter_unpack("<HBBI", made.program))
    value = at = 0
    while True:
        operation, yes, no, k = code[at]
        at += 1
        if operation == 0x06:
            return k
        if operation == 0x20:
            (value,) = struct.unpack_from("<I", data, k)
        elif operation == 0x54:
            value &= k
        elif operation == 0x05:
            at += k
        else:
            holds = {0x15: value == k, 0x25: value > k, 0x35: value >= k}[operation]
            at += yes if holds else no


@pytest.fixture(params=["x86_64", "aarch64"])
def machine(request, monkeypatch):
    monkeypatch.setattr(platform, "machine", lambda: request.param)
    syscalls._known.cache_clear()
    syscalls.prepare.cache_clear()
    yield request.param
    monkeypatch.undo()
    syscalls._known.cache_clear()
    syscalls.prepare.cache_clear()


def call(name, *arguments):
    number = seccompy.syscall_nr(name)
    answers = {
        decide(made, number, *arguments)
        for made in (syscalls._for_process(PID), syscalls.prepare())
    }
    return min(answers)  # the kernel takes the strictest


@pytest.mark.parametrize("name", ["read", "openat", "mmap", "futex", "execve", "ptrace", "bpf"])
def test_refusals_do_not_depend_on_arguments(machine, name):
    expected = FAIL | errno.EPERM if name in refused.REFUSED else ALLOW
    assert call(name) == call(name, 2**64 - 1, 2**64 - 1) == expected


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("clone", [0x10F00], ALLOW),  # a thread
        ("clone", [17], FAIL | errno.EPERM),  # a process
        ("clone", [0x10000000 | 17], FAIL | errno.EPERM),  # with names of its own
        ("clone3", [], FAIL | errno.ENOSYS),
        ("kill", [PID], ALLOW),
        ("kill", [PID + 1], FAIL | errno.EPERM),
        ("kill", [0], FAIL | errno.EPERM),
        ("kill", [2**64 - 1], FAIL | errno.EPERM),
        ("kill", [2**32 + 1], FAIL | errno.EPERM),
        ("tgkill", [PID, 7], ALLOW),
        ("tgkill", [1, PID], FAIL | errno.EPERM),
        ("prlimit64", [0], ALLOW),
        ("prlimit64", [1], FAIL | errno.EPERM),
        ("setpriority", [0, PID], ALLOW),
        ("setpriority", [1, 0], FAIL | errno.EPERM),  # of a group
        ("setpriority", [2, 0], FAIL | errno.EPERM),  # of a user
        ("socketpair", [1, 1 | 0o2000000], ALLOW),
        ("socketpair", [1, 2], FAIL | errno.EPERM),
        ("socketpair", [2, 1], FAIL | errno.EPERM),
        ("ioctl", [0, 0x5401], ALLOW),
        ("ioctl", [0, 0x5412], FAIL | errno.EPERM),
        ("ioctl", [0, 2**32 + 0x5412], FAIL | errno.EPERM),
        ("fcntl", [0, 3], ALLOW),
        ("fcntl", [0, 8], FAIL | errno.EPERM),
        ("fchmodat", [], FAIL),
        ("setxattr", [], FAIL | errno.ENOTSUP),
    ],
)
def test_arguments_decide(machine, name, arguments, expected):
    assert call(name, *arguments) == expected


def test_other_interfaces_are_no_way_round(machine):
    same = syscalls.prepare()
    for number in (0, 57, 59, 220, 221, 520, 545):
        assert decide(same, X32 | number) == FAIL | errno.ENOSYS
    other = 0x40000003 if machine == "x86_64" else 0x40000028  # 32-bit programs
    assert decide(same, 2, arch=other) == KILL


def test_calls_that_are_not_known_yet_are_absent(machine):
    assert decide(syscalls.prepare(), 590) == FAIL | errno.ENOSYS


def test_each_name_is_a_system_call_of_one_of_the_machines(monkeypatch):
    known = set()
    for name in ("x86_64", "aarch64"):
        monkeypatch.setattr(platform, "machine", lambda name=name: name)
        syscalls._known.cache_clear()
        known |= syscalls._known()
    monkeypatch.undo()
    syscalls._known.cache_clear()
    named = refused.REFUSED | refused.PRETENDED | refused.NO_ATTRIBUTES | refused.ABSENT
    named |= set(refused.ON_A_PROCESS) | set(refused.REFUSED_FOR)
    assert named - known == set()
