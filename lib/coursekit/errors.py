"""Errors that a user sees as one sentence."""


class CourseError(Exception):
    """One clear sentence: what is wrong, where, and what to do."""
