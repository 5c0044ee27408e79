"""What this machine offers to confine student code, in words for the one who grades."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import coursekit
from coursekit.grading.sandbox import files

PATIENCE = 60  # seconds for the trial, which takes less than one

FROM_LANDLOCK = (
    "grade on Linux 5.13 or newer with Landlock: the package landlockpy must be installed, and "
    '"landlock" must be in /sys/kernel/security/lsm (add it to the boot option lsm=)'
)
FROM_SECCOMP = (
    "grade on 64-bit Linux on x86_64 or aarch64: the package seccompy must be installed, and a "
    "container must not forbid seccomp filters"
)
FROM_LIMITS = "grade on Linux: this system does not keep to this limit"
FROM_LINUX = "grade on Linux"

# By name: what is prevented, what is not without it, and where to get it.
WORDS: dict[str, tuple[str, str, str]] = {
    "reading": (
        "cannot read other files: gradebook, other submissions, solutions, home",
        "can read every file that you can: gradebook, other submissions, solutions, home",
        FROM_LANDLOCK,
    ),
    "writing": (
        "cannot write, rename or delete files outside its throw-away folder",
        "can write and delete every file that you can",
        FROM_LANDLOCK,
    ),
    "network": (
        "cannot use the network, nor sockets of programs on this machine",
        "can use the network and so send away what it can read",
        FROM_SECCOMP,
    ),
    "programs": (
        "cannot start programs or processes; threads work",
        "can start programs, and so leave some behind",
        FROM_SECCOMP,
    ),
    "processes": (
        "cannot stop, change or look into other processes: the grader, other notebooks",
        "can stop your other processes: the grader, other notebooks",
        FROM_SECCOMP,
    ),
    "privileges": (
        "has no rights of root, even where root grades",
        "has the rights of the user who grades, so do not grade as root",
        FROM_LINUX,
    ),
    "memory": (
        "gets a MemoryError once it takes more memory than its limit",
        "can use up the machine's memory",
        FROM_LIMITS,
    ),
    "file size": (
        "cannot write a file larger than its limit",
        "can write a file that fills the disk",
        FROM_LIMITS,
    ),
    "open files": (
        "cannot open more files at a time than its limit",
        "can use up the system's open files",
        FROM_LIMITS,
    ),
    "processor time": (
        "ends after its processor time, even if the grader is gone by then",
        "may run on if the grader dies",
        FROM_LIMITS,
    ),
}

NEVER = (
    "Student code can see that a file exists, how large it is and when it changed.",
    "Many files, each within the limit, can fill the disk while the notebook runs.",
    "Student code shares its process with the tests of its own notebook.",
    "A fault in the kernel of the system can undo any of it.",
)


@dataclass(frozen=True)
class Protection:
    """One thing that student code cannot do (`given`) or can. `words` say so, and the remedy."""

    name: str
    given: bool
    words: str


@cache
def protections() -> list[Protection]:
    """Each protection, tried for real in a process that ends at once; remembered."""
    tried = _trial()
    return [_told(name, tried.get(name, False)) for name in WORDS]


def missing() -> list[Protection]:
    """The protections that this machine does not offer."""
    return [protection for protection in protections() if not protection.given]


def doctor() -> str:
    """A text that tells what this machine protects from student code and what it does not."""
    lines = [_system(), "", "While a notebook is graded, student code"]
    lines += [_line(protection) for protection in protections()]
    lines += ["", "Not prevented on any machine:"]
    lines += [f"  - {sentence}" for sentence in NEVER]
    return "\n".join([*lines, "", _summary(len(missing()))])


def _told(name: str, given: bool) -> Protection:
    prevented, possible, remedy = WORDS[name]
    return Protection(name, given, prevented if given else f"{possible}. To prevent it, {remedy}")


def _line(protection: Protection) -> str:
    return f"  [{'yes' if protection.given else 'NO'}] {protection.name}: {protection.words}."


def _system() -> str:
    landlock = files.version()
    version = f"Landlock version {landlock}" if landlock else "no Landlock"
    return f"{platform.system()} {platform.release()} on {platform.machine()}, {version}."


def _summary(count: int) -> str:
    if not count:
        return f"All {len(WORDS)} protections are given."
    return f"{count} of {len(WORDS)} protections are missing: grade only code that you trust here."


def _trial() -> dict[str, bool]:
    if os.name == "nt":
        return {}
    with tempfile.TemporaryDirectory() as name:
        folder, outside = Path(name, "inside"), Path(name, "outside")
        folder.mkdir()
        outside.write_text("secret")
        return _answer(_run(folder, outside))


def _run(folder: Path, outside: Path) -> str:
    command = [sys.executable, "-m", "coursekit.grading.sandbox.probe", str(folder), str(outside)]
    here = str(Path(coursekit.__file__).parents[1])
    try:
        done = subprocess.run(
            command,
            env={**os.environ, "PYTHONPATH": here},
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def _answer(text: str) -> dict[str, bool]:
    try:
        return dict(json.loads(text))
    except ValueError:
        return {}
