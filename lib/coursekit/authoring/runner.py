"""Run a notebook many times with other answers, fast: cells that variants share run only once.

The cells run in IPython in a process of their own that walks through the notebook and forks one
child for each variant at the first cell that the variant replaces. Shell and marks are those of the
grading kernels.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

import coursekit
from coursekit.authoring.notebooks import Kind, code_cells, grade_id, kind, of_kind
from coursekit.authoring.outcomes import Outcome, Run, outcome_of
from coursekit.errors import CourseError
from coursekit.grading.kernels.client import ONE_THREAD, SETTINGS
from coursekit.grading.trust.asked import asked_names

TO_START = 120.0  # seconds; a machine that is busy or has cold disks is slow to import
# nbgrader sets this while it grades; checks then know that the hidden cases are there.
GRADING = {"NBGRADER_EXECUTION": "autograde"}


def run(
    nb: NotebookNode,
    variants: Mapping[str, Mapping[str, str]],
    *,
    folder: Path | None = None,
    evaluate: Sequence[str] = (),
    seconds: float = 120.0,
    cell_seconds: float = 30.0,
    workers: int | None = None,
) -> dict[str, Run]:
    """Run `nb` once for each variant, a mapping of answer-cell grade ids to whole cell sources.

    `folder` holds the lesson's other files; each variant gets a copy. `evaluate` are expressions
    evaluated after the last cell of each variant that replaces nothing. Each variant has `seconds`
    of wall-clock time; a cell that takes `cell_seconds` is interrupted, and the run goes on, as in
    nbgrader. As many variants as the machine has cores (or `workers`) run at once. Errors in cells
    do not stop a run. Raises CourseError where an answer has no cell in the notebook.
    """
    places = {grade_id(c): i for i, c in enumerate(code_cells(nb)) if kind(c) is Kind.ANSWER}
    _refuse_unknown(variants, places)
    with tempfile.TemporaryDirectory(prefix="coursekit-") as name:
        home = Path(name)
        workers = workers or os.cpu_count() or 1
        limits = {"seconds": seconds, "cell_seconds": cell_seconds, "workers": workers}
        _write_job(home, nb, _asked(variants, places, evaluate), limits)
        ignored = shutil.ignore_patterns("*.ipynb", ".ipynb_checkpoints")
        if folder is not None:
            shutil.copytree(folder, home / "home", ignore=ignored)
        else:
            (home / "home").mkdir()
        stopped = _work(home, nb, seconds)
        return {
            variant: _read(home, number, nb, stopped, seconds)
            for number, variant in enumerate(variants)
        }


def _refuse_unknown(variants: Mapping[str, Mapping[str, str]], places: Mapping[str, int]) -> None:
    for name, answers in variants.items():
        for answer in answers:
            if answer not in places:
                known = ", ".join(places) or "none"
                raise CourseError(
                    f'the variant "{name}" replaces the answer cell "{answer}", '
                    f"which the notebook does not have (it has: {known})."
                )


def _asked(
    variants: Mapping[str, Mapping[str, str]], places: Mapping[str, int], evaluate: Sequence[str]
) -> list[dict[str, Any]]:
    return [
        {
            "answers": {places[answer]: source for answer, source in answers.items()},
            "evaluate": [] if answers else list(evaluate),
        }
        for answers in variants.values()
    ]


def _write_job(
    home: Path, nb: NotebookNode, variants: list[dict[str, Any]], limits: Mapping[str, float]
) -> None:
    cells = [_asked_of(cell) for cell in code_cells(nb)]
    job = json.dumps({"cells": cells, "variants": variants, **limits})
    (home / "job.json").write_text(job, encoding="utf-8")
    (home / "alive").touch()


def _asked_of(cell: NotebookNode) -> dict[str, Any]:
    """What the kernel is told of a cell: all but the answers are the course's own."""
    what = kind(cell)
    points = float(cell.metadata.nbgrader.points) if what is Kind.TEST else None
    return {
        "source": cell.source,
        "name": grade_id(cell) or cell.id,
        "course": what is not Kind.ANSWER,
        "points": points,
        "hidden": "BEGIN HIDDEN TESTS" in cell.source,
        "asks": sorted(asked_names([cell.source])) if what is Kind.ANSWER else None,
    }


def _environment(home: Path) -> dict[str, str]:
    # The package may be on sys.path only in this process, e.g. under a test runner.
    package = str(Path(coursekit.__path__[0]).parent)
    paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        **ONE_THREAD,  # threads do not survive a fork, so no library may start any
        **SETTINGS,
        **GRADING,
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": os.pathsep.join(paths),
    }


def _work(home: Path, nb: NotebookNode, seconds: float) -> str:
    """Let the worker do the job; return why it had to be stopped, or ""."""
    with (home / "log").open("wb") as log:
        worker = subprocess.Popen(
            [sys.executable, "-m", "coursekit.authoring.worker", str(home)],
            cwd=home / "home",
            env=_environment(home),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            while worker.poll() is None:
                time.sleep(0.01)
                late = _late(home / "alive", nb, seconds)
                if late:
                    return late
        finally:
            # Also ends what student code may have left running.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(worker.pid, signal.SIGKILL)
            worker.wait()
    broken = home / "broken"
    if broken.exists() or not (home / "0.jsonl").exists():
        said = (broken if broken.exists() else home / "log").read_text(errors="replace")
        reason = (said.strip().splitlines() or ["it ended without a word"])[-1]
        return f"the process that runs the source notebook failed: {reason}"
    return ""


def _late(alive: Path, nb: NotebookNode, seconds: float) -> str:
    """What has kept the worker from giving a sign of life, or "" while all is well."""
    quiet = time.time() - alive.stat().st_mtime
    if quiet <= seconds:
        return ""
    at = alive.read_text()
    if at:
        cell = code_cells(nb)[int(at)]
        return f"cell {cell.id} of the source ran for more than {seconds:g} seconds"
    return "" if quiet <= TO_START else f"IPython did not start within {TO_START:g} seconds"


def _read(home: Path, number: int, nb: NotebookNode, stopped: str, seconds: float) -> Run:
    lines = _lines(home / f"{number}.jsonl")
    found: dict[str, Any] = {}
    for line in lines:
        found.update(line)
    if "seconds" in found:
        stopped = ""
    elif (home / f"{number}.stopped").exists():
        stopped = f"time limit: the run took more than {seconds:g} seconds"
    else:
        stopped = stopped or found.get("broken", "the process died")
    cells = _outcomes(nb, [line for line in lines if "outputs" in line], stopped)
    values = found.get("values", {})
    return Run(
        {grade_id(cell): cells[cell.id] for cell in of_kind(nb, Kind.TEST)},
        cells,
        {text: said["value"] for text, said in values.items() if "value" in said},
        {text: said["error"] for text, said in values.items() if "error" in said},
        stopped,
        found.get("seconds", 0.0),
    )


def _lines(path: Path) -> list[dict[str, Any]]:
    lines = []
    if path.exists():
        for text in path.read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(ValueError):  # the last line of a killed child
                lines.append(json.loads(text))
    return lines


def _outcomes(nb: NotebookNode, did: list[Any], stopped: str) -> dict[str, Outcome]:
    error = {"output_type": "error", "ename": "", "evalue": stopped, "traceback": []}
    missed = {"outputs": [error], "verdict": None, "flags": []}
    return {
        cell.id: outcome_of(cell, did[i] if i < len(did) else missed)
        for i, cell in enumerate(code_cells(nb))
    }
