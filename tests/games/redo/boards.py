"""Positions of Redo for tests, written as eight ranks from the eighth down. Knows no rule."""

from __future__ import annotations

from bot.games import GAMES
from bot.games.game import Position

REDO = GAMES["redo"]


def at(board: str, side: str = "w", passes: int = 0, quiet: int = 0, plies: int = 0) -> Position:
    """Return the position of ``board``: ``w`` and ``r`` are discs, ``W`` and ``R`` towers, digits empty squares."""
    return REDO.decode(f"{board} {side} {passes} {quiet} {max(quiet, plies)} -")


def played(position: Position, *texts: str) -> Position:
    for text in texts:
        position = position.play(position.parse(text))
    return position


def legal(position: Position) -> set[str]:
    return {str(move) for move in position.legal_moves()}
