"""Positions of Gygès in which a turn has many routes, and how to begin with nothing remembered."""

from __future__ import annotations

from pathlib import Path
from random import Random

from bot.games.gyges.board import SQUARES, arrange
from bot.games.gyges.chains import continuations_of
from bot.games.gyges.rulesets import outcomes_of

LINES = (Path(__file__).parent / "fixtures" / "crowded.txt").read_text(encoding="utf-8").splitlines()


def scattered(random: Random, squares: int = 36) -> int:
    """Return an arrangement of the twelve pieces on any of so many squares."""
    return arrange(zip(random.sample(random.sample(SQUARES, squares), 12), (1, 2, 3) * 4, strict=True))


def forget() -> None:
    """Forget all results found for positions so far."""
    outcomes_of.cache_clear()
    continuations_of.cache_clear()
