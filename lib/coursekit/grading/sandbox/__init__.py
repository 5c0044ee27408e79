"""Confine a process that runs student code: its files, system calls, privileges and resources.

`confine` is for good and needs no rights. Linux offers all of it, other systems a part; `doctor`
says which part this machine offers.
"""

from coursekit.grading.sandbox.apply import confine, prepare
from coursekit.grading.sandbox.policy import Policy
from coursekit.grading.sandbox.report import Protection, doctor, missing, protections

__all__ = ["Policy", "Protection", "confine", "doctor", "missing", "prepare", "protections"]
