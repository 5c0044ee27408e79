"""Copying what lies beside a notebook into the throw-away folder of its kernel."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

MOST_FILES = 2000
MOST_MB = 500
MOST_LOOKED_AT = 20_000  # entries, for a notebook that lies in somebody's home
LEFT_OUT = {"__pycache__", "node_modules"}


def copy_files(source: Path, target: Path) -> None:
    """Copy a folder's files to `target`, which is made; those nearest to its top come first.

    Notebooks, hidden files, links that lead out of the folder, and what is neither file nor folder
    are left out, as is what would go beyond 2000 files or 500 MB.
    """
    target.mkdir(parents=True, exist_ok=True)
    room = MOST_MB * 1_000_000
    for path in islice(_files(source), MOST_FILES):
        with contextlib.suppress(OSError):
            size = path.stat().st_size
            if size > room:
                continue
            room -= size
            to = target / path.relative_to(source)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, to)


def _files(source: Path) -> Iterator[Path]:
    top, folders, looked_at = source.resolve(), deque([source]), 0
    while folders:
        for entry in _entries(folders.popleft()):
            looked_at += 1
            if looked_at > MOST_LOOKED_AT:
                return
            path = Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                folders.append(path)
            elif entry.is_file() and path.resolve().is_relative_to(top):
                yield path


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return []
    return [
        entry
        for entry in entries
        if not entry.name.startswith(".")
        and entry.name not in LEFT_OUT
        and not entry.name.endswith(".ipynb")
    ]
