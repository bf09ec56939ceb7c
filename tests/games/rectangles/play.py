"""Positions of Rectangles of Distinction for tests. Knows no rule."""

from __future__ import annotations

from bot.games import GAMES
from bot.games.game import Position

RECTANGLES = GAMES["rectangles"]


def start(players: int = 2, dots: int = 6, tilted: bool = False, by_players: bool = False) -> Position:
    return RECTANGLES.start(players=players, dots=dots, tilted=tilted, by_players=by_players)


def played(position: Position, *texts: str) -> Position:
    for text in texts:
        position = position.play(position.parse(text))
    return position


def legal(position: Position) -> set[str]:
    return {str(move) for move in position.legal_moves()}


def winner(position: Position) -> int:
    """Return the seat, counted from 1 as people do, that has won alone."""
    assert position.result is not None
    (seat,) = position.result.winners
    return seat + 1
