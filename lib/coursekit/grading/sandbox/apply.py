"""Everything that this machine offers to confine a process, in the right order."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from coursekit.grading.sandbox import files, limits, privileges, syscalls
from coursekit.grading.sandbox.policy import Policy


@cache
def prepare() -> None:
    """Work out once, before the forks, what does not depend on the notebook.

    This is most of the work, so call it in the process that forks. `confine` does it where nobody
    has, and then trusts `sys.path` and `sys.modules` as it finds them.
    """
    files.prepare()
    privileges.prepare()
    syscalls.prepare()


def confine(policy: Policy) -> list[str]:
    """Confine this process for good; the names of what was applied, and never an exception.

    The process must have one thread, as a fresh fork has: other threads would stay unconfined.
    Open files stay open, so close what student code must not see.
    """
    prepare()
    # The system calls come last: the steps before need some that are refused from then on.
    steps: dict[str, Callable[[], bool]] = {
        **limits.steps(policy.limits),
        "files": partial(files.restrict, policy),
        **privileges.STEPS,
        "system calls": syscalls.restrict,
    }
    return [name for name, step in steps.items() if _done(step)]


def _done(step: Callable[[], bool]) -> bool:
    try:
        return step()
    except (OSError, ValueError, OverflowError):
        return False
