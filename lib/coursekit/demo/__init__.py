"""The demonstration: one run of the course's whole year with a class that exists on paper only."""

from coursekit.demo.year import run

__all__ = ["run"]
