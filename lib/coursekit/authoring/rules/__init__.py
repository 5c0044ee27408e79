"""Rules for source notebooks: each takes a lesson and yields the faults that it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coursekit.authoring.lesson import Fault, Lesson

Rule = Callable[[Lesson], Iterator[Fault]]
