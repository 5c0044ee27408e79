"""What a confined process may read: Python, its packages, and what libraries want of the system."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

try:
    import pwd
except ImportError:  # Windows
    pwd = None  # type: ignore[assignment]

LIBRARIES = (
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/nix/store",
    "/gnu/store",
)
SHARED = tuple(
    f"{prefix}/share/{name}"
    for prefix in ("/usr", "/usr/local")
    for name in ("fonts", "fontconfig", "zoneinfo", "locale", "i18n", "mime", "misc")
)
SETTINGS = tuple(
    f"/etc/{name}"
    for name in (
        "crypto-policies",
        "debian_version",
        "fonts",
        "group",
        "ld.so.cache",
        "ld.so.conf",
        "ld.so.conf.d",
        "localtime",
        "magic",
        "matplotlibrc",
        "mime.types",
        "nsswitch.conf",
        "os-release",
        "passwd",
        "pki/tls/openssl.cnf",
        "ssl/openssl.cnf",
        "timezone",
    )
)
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
MACHINE = (
    "/proc/cpuinfo",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/vm/overcommit_memory",
    "/proc/uptime",
    "/proc/version",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/fs/cgroup/cpu.max",
    "/sys/fs/cgroup/cpu/cpu.cfs_period_us",
    "/sys/fs/cgroup/cpu/cpu.cfs_quota_us",
    "/sys/kernel/mm/transparent_hugepage",
)
COURSE_FILES = ("gradebook.db", "nbgrader_config.py")
COURSE_FOLDERS = frozenset(
    ("autograded", "exchange", "feedback", "release", "source", "submitted", "submissions")
)
OF_A_PREFIX = ("lib", "lib64", "share", "etc")


@cache
def readable() -> tuple[Path, ...]:
    """All of it that exists on this machine, nothing twice. Course folders are never among it."""
    system = map(Path, (*LIBRARIES, *SHARED, *SETTINGS, *DEVICES, *MACHINE))
    found = [*system, *_python(), *_libraries_in_use(), *_of_matplotlib()]
    return outermost(path for path in found if os.path.exists(path))


def outermost(found: Iterable[Path]) -> tuple[Path, ...]:
    """The paths, resolved and in order, without those that lie in another of them."""
    kept: list[Path] = []
    for path in sorted({path.resolve() for path in found}, key=lambda path: len(path.parts)):
        if not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return tuple(sorted(kept))


def exposes(folder: Path) -> bool:
    """Whether opening the folder would open a course, someone's home, or the current folder.

    A course is known by nbgrader's gradebook, settings or folders of submissions.
    """
    folder = folder.resolve()
    if any(path.resolve().is_relative_to(folder) for path in _personal()):
        return True
    if any(os.path.exists(folder / name) for name in COURSE_FILES):
        return True
    return sum(os.path.isdir(folder / name) for name in COURSE_FOLDERS) > 1


def _personal() -> Iterator[Path]:
    with contextlib.suppress(OSError):
        yield Path.cwd()
    # HOME may be the throw-away folder by now.
    yield Path(os.path.expanduser("~"))
    if pwd is not None:
        with contextlib.suppress(KeyError):
            yield Path(pwd.getpwuid(os.getuid()).pw_dir)


def packages_in(folder: Path) -> Iterator[Path]:
    """The import packages right in a folder that must not be opened itself."""
    with contextlib.suppress(OSError):
        for path in sorted(folder.iterdir()):
            if path.name not in COURSE_FOLDERS and os.path.isfile(path / "__init__.py"):
                yield path


def _python() -> Iterator[Path]:
    for prefix in {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}:
        yield from _opened(Path(prefix), (Path(prefix, name) for name in OF_A_PREFIX))
        yield Path(prefix, "pyvenv.cfg")
    for entry in filter(None, sys.path):
        path = Path(entry)
        if os.path.isdir(path):
            yield from _opened(path, packages_in(path))
        else:
            yield path  # an archive, or nothing
    yield from _packages_in_use()


def _opened(folder: Path, otherwise: Iterable[Path]) -> Iterator[Path]:
    if not exposes(folder):
        yield folder
    else:
        yield from (path for path in otherwise if os.path.isdir(path) and not exposes(path))


def _packages_in_use() -> Iterator[Path]:
    """The folders of imported packages: an import hook may have found them out of `sys.path`."""
    for name, module in list(sys.modules.items()):
        if "." in name or not getattr(module, "__path__", None):
            continue
        for folder in map(Path, list(module.__path__)):
            if os.path.isdir(folder) and not exposes(folder):
                yield folder


def _libraries_in_use() -> Iterator[Path]:
    """The folders that shared libraries were loaded from."""
    try:
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return
    names = {line.split(maxsplit=5)[-1] for line in lines if ".so" in line}
    for folder in {Path(name).parent for name in names if name.startswith("/")}:
        if os.path.isdir(folder) and not exposes(folder):
            yield folder


def _of_matplotlib() -> Iterator[Path]:
    """Its list of fonts, which it made in the user's home before the fork."""
    matplotlib = sys.modules.get("matplotlib")
    if matplotlib is not None:
        yield from Path(matplotlib.get_cachedir()).glob("fontlist-*.json")
