"""Grading a whole class, every submission by itself: one student's trouble stays there."""

from coursekit.grading.class_run.run import Options, Outcome, grade

__all__ = ["Options", "Outcome", "grade"]
