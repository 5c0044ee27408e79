"""Checks, figures and tools for a course of auto-graded notebooks."""
