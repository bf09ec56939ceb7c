"""LRU cache with a byte limit and an age limit."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

CAPACITY = 32 * 1024 * 1024
"""Bytes of results that are kept."""
KEPT_FOR = 600.0
"""Seconds a result is kept at most."""
_OVERHEAD = 64
"""Bytes an object takes beside its content, roughly."""
_POINTER = 8
"""Bytes of a place in a container or an object."""


@dataclass(frozen=True, slots=True)
class _Kept:
    value: Any
    size: int
    until: float


class ResultCache:
    """Results by key. ``clock`` is monotonic, in seconds."""

    def __init__(self, clock: Callable[[], float], capacity: int = CAPACITY) -> None:
        self._clock = clock
        self._capacity = capacity
        self._results: OrderedDict[Hashable, _Kept] = OrderedDict()
        self.size = 0

    def get(self, key: Hashable) -> Any | None:
        kept = self._results.get(key)
        if kept is None:
            return None
        if kept.until <= self._clock():
            self._forget(key)
            return None
        self._results.move_to_end(key)
        return kept.value

    def keep(self, key: Hashable, value: Any) -> None:
        """Keep a result, unless it is larger than the whole cache may be."""
        if key in self._results:
            self._forget(key)
        size = size_of((key, value))
        if size > self._capacity:
            return
        self._results[key] = _Kept(value, size, self._clock() + KEPT_FOR)
        self.size += size
        while self.size > self._capacity:
            self._forget(next(iter(self._results)))

    def _forget(self, key: Hashable) -> None:
        self.size -= self._results.pop(key).size


def size_of(value: Any) -> int:
    """Return roughly how many bytes a result takes, with all that it holds; what it holds twice counts once."""
    return _size_of(value, set())


def _size_of(value: Any, counted: set[int]) -> int:
    inside: Iterable[Any] = ()
    if id(value) in counted:
        return 0
    counted.add(id(value))
    if isinstance(value, bytes | str):
        return _OVERHEAD + len(value)
    if isinstance(value, dict):
        inside = (*value, *value.values())
    elif isinstance(value, tuple | list | set | frozenset):
        inside = value
    elif is_dataclass(value) and not isinstance(value, type):
        inside = [getattr(value, field.name) for field in fields(value)]
    return _OVERHEAD + sum(_POINTER + _size_of(part, counted) for part in inside)
