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
    """Remove what can be made again: never source, release, marks, submissions or answers.

    `everything` also removes .venv and build/lab, the folder of `coursekit lab` with the notebooks
    that were worked on there.
    """
    root = paths.root()
    for path in _removable(root, everything):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        print(f"Removed {path.relative_to(root)}")
    if (root / "build" / "lab").is_dir():
        print("Kept build/lab, where notebooks were worked on; clean --all removes it too")


def _removable(root: Path, everything: bool) -> Iterator[Path]:
    kept = set() if everything else {root / "build" / "lab"}
    yield from sorted(set((root / "build").glob("*")) - kept)
    for name in (*CACHES, *([".venv"] if everything else [])):
        if (root / name).is_dir():
            yield root / name
    for name in ("lib", "tests", "source", "release", "benchmarks"):
        for cache in ("__pycache__", ".ipynb_checkpoints"):
            yield from list((root / name).rglob(cache))
