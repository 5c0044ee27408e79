"""One warm server for the tests of a worker."""

from __future__ import annotations

import os

import pytest

from coursekit.grading.kernels.cells import Cell, Limits
from coursekit.grading.kernels.client import Kernels
from coursekit.grading.kernels.session import Session

QUICK = Limits(cell_seconds=2, notebook_seconds=60)


@pytest.fixture(scope="session")
def kernels():
    os.environ["A_SECRET"] = "swordfish"
    with Kernels(limits=QUICK) as warm:
        yield warm


@pytest.fixture
def session(kernels):
    with Session(kernels) as started:
        yield started


@pytest.fixture
def run(session):
    """Run a cell: `run("x = 1")`, `run("assert x == 1", points=2)`."""

    def run(source, name="q1", **options):
        return session.run(Cell(source, name, **options))

    return run
