"""Positions from all over games at random."""

from __future__ import annotations

from bot.contract.cases import Case, legal, samples
from bot.games.game import Position


def ongoing(case: Case) -> list[Position]:
    """Return positions of a random game in which the moves can be listed."""
    return [ply.position for ply in samples(case) if ply.position.to_move and legal(ply.position)[1]]
