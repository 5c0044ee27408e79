"""Grading for staff: class runs, feedback and reports, for any nbgrader course."""
