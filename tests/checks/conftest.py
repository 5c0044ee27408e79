"""A small notebook for the checks to look into."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import pytest

from coursekit.checks import Check


class Notebook:
    """Runs cells as a kernel does and checks the names that they define."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__"}

    def run(self, source: str) -> None:
        """Execute one cell."""
        exec(compile(textwrap.dedent(source), "<cell>", "exec"), self.names)  # noqa: S102

    def check(self, name: str, points: float = 2, **options: Any) -> Check:
        """A check of a function of this notebook."""
        return Check(name, points, namespace=self.names, **options)


@pytest.fixture
def notebook() -> Notebook:
    """An empty notebook with NumPy imported."""
    made = Notebook()
    made.run("import numpy as np")
    return made


@pytest.fixture
def verdict(
    notebook: Notebook, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[float, str]]:
    """Define `f` by a cell, run one case on it and return (score of 1, report on one line)."""

    def run(cell: str, *args: Any, expect: Any, hidden: bool = False, **options: Any) -> Any:
        case_options = {key: options.pop(key) for key in ("tol", "kwargs") if key in options}
        notebook.run(cell)
        c = notebook.check("f", 1, **options)
        if hidden:
            c.hidden("a case", *args, expect=expect, hint="think", **case_options)
        else:
            c.case("a case", *args, expect=expect, **case_options)
        score = c.score()
        captured = capsys.readouterr()
        assert captured.err == ""
        return score, " ".join(captured.out.split())

    return run
