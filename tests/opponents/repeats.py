"""Matches in which a person always gives the same replies: how soon the level they play makes each of them another."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

from bot.games import GAMES
from bot.games.search import Level, Method, SearchState
from bot.opponents import choose
from bot.opponents.candidates import Candidate
from bot.opponents.thinking import think

MATCHES = 10
PLIES = 12
"""Until each side has made its sixth move, a set-up included."""
NODES = 2_000
_PLIES_APART = 1_000_000
"""What lies between the seeds of two matches, as in ``bot.matches.services.computer_players``."""

_budget = Level.budget


def different_matches(game: str, level: int, seat: int, nodes: int = NODES) -> int:
    """Return how many of ten matches of a level that has a ``seat`` differ by the sixth move, in the default variant.

    The person plays as level 3 does that always draws the same lots. A search looks at so many ``nodes`` at most: what
    chooses among its moves is the same however far it looks.
    """
    variant = GAMES[game].variants[0]
    start = GAMES[game].start(players=2, **variant.options)
    alike = [[(start, number) for number in range(101, 101 + MATCHES)]]
    different = 0
    with _thinking_once(), patch.object(Level, "budget", lambda level, state: min(_budget(level, state), nodes)):
        for ply in range(PLIES):
            following: dict[tuple[int, str], list[Any]] = {}
            for place, group in enumerate(alike):
                for position, number in group:
                    mine = position.to_move == seat
                    move = choose(position, level, number * _PLIES_APART + ply) if mine else choose(position, 3, 0)
                    following.setdefault((place, str(move)), []).append((position.play(move), number))
            different += sum(len(group) == 1 for group in following.values())
            alike = [group for group in following.values() if len(group) > 1 and group[0][0].to_move is not None]
    return different + len(alike)


@contextmanager
def _thinking_once() -> Iterator[None]:
    """Search a position once where the search draws no lots: in alpha-beta without blind spots."""
    found: dict[Hashable, list[Candidate]] = {}

    def remembered(state: SearchState, nodes: int, random: Random, **options: Any) -> list[Candidate]:
        if state.method is not Method.ALPHA_BETA or options["sees"] is not None:
            return think(state, nodes, random, **options)
        key = state.key(), nodes, options["depth"], options["margin"]
        if key not in found:
            found[key] = think(state, nodes, random, **options)
        return found[key]

    with patch("bot.opponents.player.think", remembered):
        yield
