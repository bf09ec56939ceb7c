"""Full collections of garbage are short, and free what they have to."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from bot.operation import running
from bot.operation.running import short_collections


class Linked:
    """Refers to itself, so that only a collection frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def only_full_collections() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def test_a_collection_does_not_go_through_what_has_survived_one() -> None:
    with short_collections():
        kept = [Linked() for _ in range(10_000)]
        gc.collect()
        assert len(gc.get_objects()) < len(kept)
    assert len(gc.get_objects()) > len(kept)


def test_what_has_survived_a_collection_is_freed_where_nothing_refers_to_it_and_in_cycles_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain, linked = Linked(), Linked()
    del plain.itself
    ended, cycle = weakref.ref(plain), weakref.ref(linked)
    with short_collections():
        del plain, linked
        gc.collect()
        assert (ended() is None, cycle() is None) == (True, False)
        monkeypatch.setattr(running, "THOROUGH", 1)
        gc.collect()
        assert cycle() is None
