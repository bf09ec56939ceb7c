"""Keeps the fault of one game away from the others.

The facts of a game, and what it did in its trial, are no promise. A loop over games does what belongs to one of them
with ``of_each`` or inside ``leaving_out``: a game that raises is left out of what the loop makes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from bot.games.cancellation import ComputationCancelled
from bot.games.game import Game

log = logging.getLogger(__name__)
T = TypeVar("T")

FAULTS: Final[dict[str, str]] = {}
"""The first error of each game that was left out of something, by the game's key."""


@contextmanager
def leaving_out(game: Game, *, passing: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """End the block if the game raises; log its first error. Errors that are ``passing`` are none of the game's."""
    try:
        yield
    except Exception as error:
        if isinstance(error, (ComputationCancelled, *passing)):
            raise
        key = str(getattr(game, "key", game))
        if key not in FAULTS:
            FAULTS[key] = f"{type(error).__name__}: {error}"
            log.error("the game %s is left out where it fails: %s", key, FAULTS[key])


def of_each(use: Callable[[Game], T], games: Iterable[Game]) -> list[T]:
    """Return what ``use`` returns for each game, without those for which it raises."""
    results: list[T] = []
    for game in games:
        with leaving_out(game):
            results.append(use(game))
    return results
