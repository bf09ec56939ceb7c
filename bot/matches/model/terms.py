"""What is proposed in a challenge, as a value."""

from __future__ import annotations

from dataclasses import dataclass

from bot.storage.records import First


@dataclass(frozen=True, slots=True)
class Terms:
    """What is proposed in a challenge. ``players`` is the number of seats, the challenger's included."""

    game: str
    variant: str
    players: int
    first: First = First.RANDOM
    rated: bool = True
    pace: int | None = None
    """Seconds for a move, or None for no limit."""
    language: str = "en"
    """The tag of the language of everything the bot posts about it."""
