"""One warm server for these tests, and the bank of attempts."""

from __future__ import annotations

import pytest

from coursekit.grading.kernels.cells import Limits
from coursekit.grading.kernels.client import Kernels


@pytest.fixture(scope="session")
def kernels():
    with Kernels(limits=Limits(cell_seconds=10, notebook_seconds=60)) as warm:
        yield warm
