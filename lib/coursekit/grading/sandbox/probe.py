"""Try for real what a confined process can still do. Run as a program, in a process of its own.

It is given a folder to be confined to and a file outside that folder, and prints what was prevented
as JSON.
"""

from __future__ import annotations

import json
import mmap
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from coursekit.grading.kernels.cells import Limits
from coursekit.grading.sandbox.apply import confine
from coursekit.grading.sandbox.policy import Policy

MB = 1024 * 1024
LIMITS = Limits(memory_mb=256, file_mb=1, open_files=64)


def main(folder: Path, outside: Path) -> None:
    """Confine this process and print, by the name of each protection, whether it is given."""
    attempts = _attempts(folder, outside, os.getppid())
    applied = confine(Policy(folder, (), LIMITS))
    given = {name: _prevented(attempt) for name, attempt in attempts.items()}
    given["privileges"] = "no new privileges" in applied and "capabilities" in applied
    given["processor time"] = "processor time" in applied
    print(json.dumps(given))


def _attempts(folder: Path, outside: Path, parent: int) -> dict[str, Callable[[], object]]:
    return {
        "reading": outside.read_text,
        "writing": lambda: outside.write_text("changed"),
        "network": lambda: socket.socket().close(),
        "programs": _start_a_process,
        "processes": lambda: os.kill(parent, 0),
        "memory": lambda: mmap.mmap(-1, 2 * LIMITS.memory_mb * MB).close(),
        "file size": lambda: (folder / "big").write_bytes(bytes(2 * LIMITS.file_mb * MB)),
        "open files": lambda: [os.dup(1) for _ in range(2 * LIMITS.open_files)],
    }


def _start_a_process() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _prevented(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, MemoryError):
        return True
    return False


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
