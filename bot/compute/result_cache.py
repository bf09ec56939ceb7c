"""LRU cache with a byte limit and an age limit."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

CAPACITY = 32 * 1024 * 1024
"""Bytes of results that are kept."""
KEPT_FOR = 600.0
"""Seconds a result is kept at most."""
_OVERHEAD = 64
"""Bytes an object takes beside its content, roughly."""


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
        size = size_of(value)
        if size > self._capacity:
            return
        self._results[key] = _Kept(value, size, self._clock() + KEPT_FOR)
        self.size += size
        while self.size > self._capacity:
            self._forget(next(iter(self._results)))

    def _forget(self, key: Hashable) -> None:
        self.size -= self._results.pop(key).size


def size_of(value: Any) -> int:
    """Return roughly how many bytes a result takes; of other objects than bytes, text and sequences only the shell."""
    if isinstance(value, bytes | str):
        return _OVERHEAD + len(value)
    if isinstance(value, tuple | list):
        return _OVERHEAD + sum(map(size_of, value))
    return _OVERHEAD
