"""Positions of Gygès in which a turn has many routes, and how to begin with nothing remembered."""

from __future__ import annotations

from pathlib import Path

from bot.games.gyges.chains import continuations_of
from bot.games.gyges.rulesets import outcomes_of

LINES = (Path(__file__).parent / "fixtures" / "crowded.txt").read_text(encoding="utf-8").splitlines()


def forget() -> None:
    """Forget all results found for positions so far."""
    outcomes_of.cache_clear()
    continuations_of.cache_clear()
