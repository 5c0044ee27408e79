"""Whether dicts changed, from the counter that Python keeps in each of them.

To compare all entries touches thousands of objects, and with them the memory that a forked process
shares with its server. Pythons without such a counter compare.
"""

from __future__ import annotations

import ctypes
import gc
import operator
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

_zip, _list, _map = zip, list, map  # student code may replace the builtins
_value = operator.attrgetter("value")
TAG_AT = 24  # where a dict keeps its counter, in bytes


class Tags:
    """The state of some mappings: dicts, or the read-only views of classes' dicts."""

    def __init__(self, mappings: Iterable[Mapping[str, Any]]) -> None:
        dicts = [_dict_of(mapping) for mapping in mappings]
        self._tags = [ctypes.c_uint64.from_address(id(one) + TAG_AT) for one in dicts]
        self.look()

    def look(self) -> None:
        """Take the present state for unchanged."""
        self._kept = _list(_map(_value, self._tags))

    def changed(self) -> list[bool]:
        """For each mapping, whether something was added, removed or replaced; [] where nothing."""
        now = _list(_map(_value, self._tags))
        if now == self._kept:
            return []
        return [before != after for before, after in _zip(self._kept, now, strict=True)]


def available() -> bool:
    """Whether this Python counts the changes of its dicts where we look for it."""
    one: dict[str, Any] = {"a": 1, "b": 2}
    tag = ctypes.c_uint64.from_address(id(one) + TAG_AT)
    seen = [tag.value]
    for change in (
        lambda: one.update(a=3),
        lambda: one.update(c=4),
        lambda: one.pop("c"),
        lambda: one.__setitem__("b", 5),
    ):
        change()
        seen.append(tag.value)
    still = tag.value
    _ = one["a"], len(one), dict(one)
    return len(set(seen)) == len(seen) and tag.value == still


def _dict_of(mapping: Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(mapping, MappingProxyType):
        (inner,) = gc.get_referents(mapping)
        return inner  # type: ignore[no-any-return]
    return mapping
