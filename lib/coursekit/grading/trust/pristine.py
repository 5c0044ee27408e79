"""What tests rely on, as it was before student code ran: noticed when changed, and put back."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from coursekit.grading.trust.tags import Tags, available

MISSING: Any = object()
HEAP_TYPE = 1 << 9  # Python's flag of classes that a `class` statement or `type` makes
# torch replaces these itself when parts of it are used for the first time.
OF_TORCH = ("`torch.Storage`", "`torch.manual_seed`", ".step`")
INSIDES = ("__code__", "__defaults__", "__kwdefaults__")
TAGS = available()

# Student code may replace builtins while these functions run: they use what was bound here.
_is, _all, _map, _zip, _len, _tuple = operator.is_, all, map, zip, len, tuple
_getattr, _setattr = getattr, setattr


@dataclass(frozen=True)
class Change:
    """Something that was replaced: `what` names it, `undo` puts the original back."""

    what: str
    undo: Callable[[], None]


class Entries:
    """The entries of a mapping; those called `names` must stay the same objects.

    `put` writes one back; `owner` is how a change is named. `sealed` has the names that may not be
    added, since they would hide others.
    """

    def __init__(
        self,
        owner: str,
        mapping: Mapping[str, Any],
        names: Iterable[str],
        put: Callable[[str, Any], None],
        take: Callable[[str], None],
        sealed: frozenset[str] = frozenset(),
    ) -> None:
        self.owner, self.mapping, self._put, self._take = owner, mapping, put, take
        self._kept = {name: mapping[name] for name in names}
        self._sealed = sealed - mapping.keys()
        self._look()

    def _look(self) -> None:
        """Take the mapping as it is for unchanged."""
        self.values = _tuple(self.mapping.values())

    def same(self) -> bool:
        """Whether nothing changed."""
        # This quick look also compares the order; where it finds a difference, `changes` decides.
        as_many = _len(self.mapping) == _len(self.values)
        if as_many and _all(_map(_is, self.mapping.values(), self.values)):
            return True
        for _ in self.changes():
            return False
        self._look()
        return True

    def changes(self) -> Iterator[Change]:
        """What changed."""
        for name, value in self._kept.items():
            if self.mapping.get(name, MISSING) is not value:
                yield Change(f"replaced `{self.owner}.{name}`", _call(self._put, name, value))
        for name in self._sealed & self.mapping.keys():
            yield Change(f"added `{self.owner}.{name}`", _call(self._take, name))


class Attributes:
    """One attribute of many objects, whose values must stay the same; `said` words a change."""

    def __init__(
        self,
        objects: Iterable[Any],
        get: Callable[[Any], Any],
        attribute: str,
        said: Callable[[Any], str],
    ) -> None:
        self._objects, self._get = tuple(objects), get
        self._attribute, self._said = attribute, said
        self._values = tuple(_map(get, self._objects))

    def same(self) -> bool:
        """Whether nothing changed."""
        try:
            return _all(_map(_is, _map(self._get, self._objects), self._values))
        except ValueError:  # an emptied cell
            return False

    def changes(self) -> Iterator[Change]:
        """What changed."""
        for thing, value in _zip(self._objects, self._values):
            try:
                if self._get(thing) is value:
                    continue
            except ValueError:
                pass
            undo = _call(_setattr, thing, self._attribute, value)
            yield Change(self._said(thing), undo)


def _call(function: Callable[..., None], *args: Any) -> Callable[[], None]:
    return lambda: function(*args)


class Snapshot:
    """Places as they are now, and the insides of some functions."""

    def __init__(
        self, places: Iterable[Entries | Attributes], functions: Iterable[FunctionType] = ()
    ) -> None:
        found = [*places]
        self._entries = [place for place in found if isinstance(place, Entries)]
        self._rest = [place for place in found if isinstance(place, Attributes)]
        self._tags = Tags([place.mapping for place in self._entries]) if TAGS else None
        self._insides = {id(f): (f, _inside(f)) for f in functions}
        self._touched: dict[int, FunctionType] = {}

    def same(self) -> bool:
        """Whether nothing changed."""
        if self._touched:
            return False
        same = [place.same() for place in self._suspects()]  # all of them: each takes a new look
        if not _all(same):
            return False
        if self._tags is not None:
            self._tags.look()
        return True

    def _suspects(self) -> Iterator[Entries | Attributes]:
        """The places that may have changed."""
        yield from self._rest
        if self._tags is None:
            yield from self._entries
        else:
            changed = self._tags.changed()
            if changed:
                yield from [p for p, new in _zip(self._entries, changed) if new]

    def touched(self, thing: Any, attribute: str) -> None:
        """Take note that a function gets another code or other defaults.

        For an audit hook: to ask each function would take longer than all the rest, since Python
        tells its hooks of that too.
        """
        if attribute in INSIDES and id(thing) in self._insides:
            self._touched[id(thing)] = thing

    def restore(self) -> list[str]:
        """Put everything back; returns what had been changed, in words."""
        if self.same():
            return []
        changes = [change for place in self._suspects() for change in place.changes()]
        for change in changes:
            change.undo()
        found = [change.what for change in changes if not change.what.endswith(OF_TORCH)]
        return found + self._restore_touched()

    def _restore_touched(self) -> list[str]:
        found = []
        for key in [*self._touched]:
            function, inside = self._insides[key]
            for name, value in _zip(INSIDES, inside):
                if _getattr(function, name) is not value:
                    _setattr(function, name, value)
                    found.append(f"replaced `{name}` of `{named(function)}`")
        self._touched.clear()
        return found


def _inside(function: FunctionType) -> tuple[Any, ...]:
    return function.__code__, function.__defaults__, function.__kwdefaults__


def named(thing: Any) -> str:
    """What a class or function is called, with its module."""
    return f"{thing.__module__}.{thing.__qualname__}"
