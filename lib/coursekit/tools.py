"""Commands for the people who work on the course: tests, style, cleaning up."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from coursekit import paths

STYLED = ["lib", "tests", "source", "benchmarks", paths.CONFIG]
CACHES = [".pytest_cache", ".ruff_cache", ".mypy_cache", ".hypothesis"]


def _run(*command: str) -> int:
    """Run a module of this Python from the course root and return its exit status."""
    return subprocess.run([sys.executable, "-m", *command], cwd=paths.root()).returncode


def test(arguments: Sequence[str]) -> int:
    """Run pytest, on all cores unless the arguments say otherwise."""
    return _run("pytest", *parallel(arguments), *arguments)


def parallel(arguments: Sequence[str]) -> list[str]:
    """The options with which pytest uses all cores; none where the arguments forbid it."""
    alone = ("-n", "--numprocesses", "--pdb", "--collect-only", "-s")
    cores = os.cpu_count() or 1
    if cores < 2 or any(argument.startswith(alone) for argument in arguments):
        return []
    return ["-n", str(cores), "--dist", "loadgroup"]


def _styled() -> list[str]:
    return [name for name in STYLED if (paths.root() / name).exists()]


def lint() -> int:
    """Report what `ruff` finds; 0 if nothing."""
    return _run("ruff", "check", *_styled()) or _run("ruff", "format", "--check", *_styled())


def format() -> int:
    """Sort imports, mend what can be mended safely, and format."""
    _run("ruff", "check", "--quiet", "--fix-only", *_styled())
    return _run("ruff", "format", *_styled())


def clean(everything: bool = False) -> None:
    """Remove what can be made again: never source, release, marks or submissions."""
    root = paths.root()
    for folder in _removable(root):
        shutil.rmtree(folder)
        print(f"Removed {folder.relative_to(root)}")
    if everything and (root / ".venv").is_dir():
        shutil.rmtree(root / ".venv")
        print("Removed .venv")


def _removable(root: Path) -> Iterator[Path]:
    for name in ("build", *CACHES):
        if (root / name).is_dir():
            yield root / name
    for name in ("lib", "tests", "source", "release", "benchmarks"):
        for cache in ("__pycache__", ".ipynb_checkpoints"):
            yield from list((root / name).rglob(cache))
