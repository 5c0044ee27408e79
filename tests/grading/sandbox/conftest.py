from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import coursekit


@dataclass
class Said:
    """What confined code came to: its error (the type, "" for none) and its `value`."""

    error: str
    text: str
    value: Any


@pytest.fixture(scope="session")
def zygote():
    """The process that forks confined ones."""
    here = str(Path(coursekit.__file__).parents[1])
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("zygote.py"))],
        env={**os.environ, "PYTHONPATH": here},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process
    process.stdin.close()
    process.wait(timeout=60)


@pytest.fixture
def confined(zygote, tmp_path):
    """Run code in a process confined to the folder `inside`; more names are handed to the code."""
    folder = tmp_path / "inside"
    folder.mkdir()

    def run(code, readable=(), nobody=False, limits=None, **names):
        request = {
            "code": code,
            "folder": str(folder),
            "readable": list(map(str, readable)),
            "nobody": nobody,
            "limits": limits or {},
            "names": {name: str(value) for name, value in names.items()},
        }
        zygote.stdin.write(json.dumps(request) + "\n")
        zygote.stdin.flush()
        return Said(**json.loads(zygote.stdout.readline()))

    return run
