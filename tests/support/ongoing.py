"""Positions from all over games at random."""

from __future__ import annotations

from bot.games.game import Position
from tests.games.cases import Case, legal, samples


def ongoing(case: Case) -> list[Position]:
    """Return positions of a random game in which the moves can be listed."""
    return [ply.position for ply in samples(case) if ply.position.to_move and legal(ply.position)[1]]
