"""The sources of positions for puzzles: games between computer players, and records of finished matches.

It reads only the game, its variant and the moves of a record, not the players.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from bot.games import GAMES
from bot.games.game import Game, IllegalMove, Move, Position, Variant
from bot.opponents.player import choose
from bot.opponents.thinking import state_of

_LONGEST: Final = 250
"""The most plies of a game."""
LEVELS: Final = (1, 1, 2)
"""Levels that make mistakes, from which puzzles arise."""
_TAG: Final = re.compile(r'\[(Game|Variant) "(.*)"\]')
_PLY: Final = re.compile(r"\d+\. .+? (\S+)(?: \{[^}]*\})?(?: \([^()]*\))?")
"""A line with a move, its time, and the remark of a review."""


def self_played(game: Game, variant: Variant, number: int, among: Sequence[int] = LEVELS) -> list[Position]:
    """Return the positions of a game between two computer players; each ``number`` is another game.

    Their levels are drawn from ``among``.
    """
    random = Random(f"{game.key} {variant.key} {number}")
    levels = [random.choice(among) for _ in range(2)]
    positions = [game.start(players=2, **variant.options)]
    while positions[-1].result is None and len(positions) < _LONGEST:
        positions.append(positions[-1].play(_chosen(game, positions[-1], levels[len(positions) % 2], random)))
    return positions


def _chosen(game: Game, position: Position, level: int, random: Random) -> Move:
    """Return a move of a level, or a random one in a game whose point is to find legal moves."""
    if not game.finding:
        return choose(position, level, random.getrandbits(32))
    state = state_of(position)
    return state.move(random.choice(state.tokens()))


def game_of_record(text: str) -> tuple[Game, Variant, list[Position]]:
    """Return the game of a match's text record, its variant, and its positions up to the first illegal move.

    Raises ``ValueError`` for a text that is no record of a match between two players.
    """
    tags = dict(_TAG.findall(text))
    game = next((game for game in GAMES.values() if game.name == tags.get("Game")), None)
    variant = next((v for v in game.variants if v.key == tags.get("Variant")), None) if game else None
    if game is None or variant is None or text.count('[Player "') != 2:
        raise ValueError("this is no record of a match between two")
    positions = [game.start(players=2, **variant.options)]
    for line in text.splitlines():
        if (ply := _PLY.fullmatch(line.strip())) is not None:
            try:
                positions.append(positions[-1].play(positions[-1].parse(ply[1])))
            except IllegalMove:
                break
    return game, variant, positions


def played_in_all(
    game: Game, variant: Variant, records: list[str], games: int, first: int = 0, among: Sequence[int] = LEVELS
) -> Iterator[list[Position]]:
    """Yield the positions of every game: first the records, then ``games`` games between computer players.

    ``first`` is the number of the first of these, ``among`` the levels of the players.
    """
    for text in records:
        which, how, positions = game_of_record(text)
        if (which, how) == (game, variant):
            yield positions
    for number in range(first, first + games):
        yield self_played(game, variant, number, among)
