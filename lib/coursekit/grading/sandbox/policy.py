"""What a confined process may use."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from coursekit.grading.kernels.cells import Limits


@dataclass(frozen=True)
class Policy:
    """What a confined process may use.

    `folder` is the only one it may write in; its home and its temporary folder belong there.
    `readable` are folders and files that it may read besides Python, its packages and the system's
    libraries.
    """

    folder: Path
    readable: tuple[Path, ...] = ()
    limits: Limits = field(default_factory=Limits)
