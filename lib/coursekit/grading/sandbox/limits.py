"""Limits on memory, files and processor time, which the system itself keeps to."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from pathlib import Path

from coursekit.grading.kernels.cells import Limits

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

MB = 1024 * 1024
SPARE_SECONDS = 10


def steps(wanted: Limits) -> dict[str, Callable[[], bool]]:
    """The limits by name, each with what sets it and says whether it was set."""
    if resource is None:
        return {}
    numbers = {
        "memory": ("RLIMIT_AS", _address_space() + wanted.memory_mb * MB),
        "file size": ("RLIMIT_FSIZE", wanted.file_mb * MB),
        "open files": ("RLIMIT_NOFILE", wanted.open_files),
        "core dumps": ("RLIMIT_CORE", 0),
        "processor time": ("RLIMIT_CPU", _processor_seconds(wanted.notebook_seconds)),
    }
    return {
        name: lambda kind=kind, most=most: _limit(kind, most)  # type: ignore[misc]
        for name, (kind, most) in numbers.items()
    }


def _limit(kind: str, most: int) -> bool:
    number = getattr(resource, kind, None)
    if number is None:
        return False
    highest = resource.getrlimit(number)[1]
    if highest != resource.RLIM_INFINITY:
        most = min(most, highest)
    resource.setrlimit(number, (most, most))
    return True


def _processor_seconds(seconds: float) -> int:
    # Threads each count. The grader's clock ends a notebook long before; this is for its absence.
    most = (seconds + SPARE_SECONDS) * (os.cpu_count() or 1)
    return math.ceil(min(most, 10**9))


def _address_space() -> int:
    """Bytes of address space that this process has now; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
