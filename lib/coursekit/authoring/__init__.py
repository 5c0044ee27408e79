"""Tools for those who write lessons: running, testing and checking source notebooks."""
