"""How much faster a lesson's bank runs than one kernel for each variant, as a ratio.

    .venv/bin/python benchmarks/variants.py [LESSON] [KERNELS]

Runs the whole bank of a lesson through `coursekit.authoring.runner`, and KERNELS of its variants
(default 3) through nbclient with a fresh kernel each, in the same run on the same machine.
"""

from __future__ import annotations

import copy
import sys
import time
from pathlib import Path

from nbclient import NotebookClient

from coursekit.authoring import notebooks
from coursekit.authoring.bank import load
from coursekit.authoring.lesson import source
from coursekit.authoring.runner import run

ROOT = Path(__file__).parents[1]


def with_kernel(nb: notebooks.NotebookNode, answers: dict[str, str]) -> float:
    """Seconds for one variant in a kernel of its own."""
    changed = copy.deepcopy(nb)
    for cell in changed.cells:
        cell.source = answers.get(notebooks.grade_id(cell), cell.source)
    started = time.perf_counter()
    NotebookClient(changed, timeout=120, allow_errors=True).execute()
    return time.perf_counter() - started


def main(lesson: str = "perceptron", kernels: str = "3") -> None:
    """Print seconds for each variant both ways, and their ratio."""
    nb, variants = notebooks.read(source(lesson, ROOT)), load(lesson, ROOT).variants()
    started = time.perf_counter()
    run(nb, variants)
    fast = (time.perf_counter() - started) / len(variants)
    names = list(variants)[:: max(1, len(variants) // int(kernels))][: int(kernels)]
    slow = sum(with_kernel(nb, dict(variants[name])) for name in names) / len(names)
    print(f"{lesson}: {len(variants)} variants")
    print(f"one kernel each   {slow:6.2f} s a variant (mean of {len(names)})")
    print(f"coursekit runner  {fast:6.2f} s a variant (all of them)")
    print(f"ratio             {slow / fast:6.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
