"""Tests that can be trusted although student code runs in the same interpreter."""

from coursekit.grading.trust.guard import Guard, Watch

__all__ = ["Guard", "Watch"]
