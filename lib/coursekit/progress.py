"""Progress bars: shown on a terminal, silent elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def tracker(what: str) -> Callable[[Iterable[Item]], Iterator[Item]]:
    """A function that hands on items and shows on stderr how many are done.

    >>> for name in tracker("Releasing")(["perceptron", "collapse"]): ...
    """
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)

    def tracked(items: Iterable[Item]) -> Iterator[Item]:
        yield from track(
            list(items), what, console=console, transient=True, disable=not console.is_terminal
        )

    return tracked
