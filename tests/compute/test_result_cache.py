"""Results are kept for a while, as many as there is room for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from bot.compute.result_cache import KEPT_FOR, ResultCache, size_of
from tests.support.manual_time import Time


def test_what_was_used_last_stays_when_room_is_needed() -> None:
    cache = ResultCache(Time(), capacity=3 * size_of(("a", b"x" * 100)))
    for key in "abc":
        cache.keep(key, b"x" * 100)
    assert cache.get("a") is not None
    cache.keep("d", b"x" * 100)
    assert [key for key in "abcd" if cache.get(key) is not None] == ["a", "c", "d"]


def test_it_never_takes_more_bytes_than_it_may() -> None:
    cache = ResultCache(Time(), capacity=1000)
    for at in range(100):
        cache.keep(at % 7, (b"x" * (at * 37 % 500), "words"))
        assert cache.size <= 1000
    cache.keep("huge", b"x" * 1001)
    assert cache.get("huge") is None
    assert cache.size > 0


@dataclass
class Shown:
    """A result with text inside."""

    text: str


@pytest.mark.parametrize(
    "holding",
    [
        lambda text: (text,),
        lambda text: [text],
        lambda text: {"key": text},
        lambda text: {text: 1},
        lambda text: [{"key": (text,)}],
        lambda text: frozenset((text,)),
        Shown,
    ],
)
def test_what_a_result_holds_counts_and_but_once(holding: Callable[[str], object]) -> None:
    long = "x" * 10_000
    assert 10_000 < size_of(holding(long)) < 10_500
    assert 10_000 < size_of([holding(long), holding(long)]) < 10_900


def test_long_keys_take_room_too() -> None:
    cache = ResultCache(Time(), capacity=1000)
    cache.keep("k" * 1000, b"x")
    assert cache.size == 0


def test_after_a_while_a_result_is_made_anew() -> None:
    time = Time()
    cache = ResultCache(time)
    cache.keep("a", b"x")
    time.now = KEPT_FOR - 1
    assert cache.get("a") == b"x"
    time.now = KEPT_FOR
    assert cache.get("a") is None
    assert cache.size == 0
