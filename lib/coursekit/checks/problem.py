"""What a check found wrong, in two wordings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """A fault in an answer: one sentence for a visible case, one that gives nothing away.

    `shown` may quote values; `closed` is what a hidden case prints: the kind of fault only.
    """

    shown: str
    closed: str

    @classmethod
    def same(cls, sentence: str) -> Problem:
        """A fault whose sentence holds no value, so that both wordings are equal."""
        return cls(sentence, sentence)

    def about(self, part: str) -> Problem:
        """The same fault, said of one named part of the answer."""
        return Problem(f"{part} is wrong: {self.shown}", f"{part} is wrong: {self.closed}")


NOT_ATTEMPTED = "not attempted yet"
