"""Grading for staff: class runs, feedback and reports, on top of nbgrader and of no particular course."""
