"""Matches as facts for the policies: of two people, or of one against the bot."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from bot.storage.records import Match, MatchState, Person, Seat, computer_player

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
ALICE, BOB, BOT = Person(1, "Alice"), Person(2, "Bob"), computer_player(3)
ERASED = Person(-7, "deleted")


def seated(*people: Person, ready_made: bool = False) -> tuple[Seat, ...]:
    return tuple(Seat(seat, person, False, None, ready_made) for seat, person in enumerate(people))


MATCH = Match(
    id=1,
    guild_id=10,
    channel_id=20,
    thread_id=None,
    game="yonmoque",
    variant="standard",
    rated=True,
    state=MatchState.RUNNING,
    ply=0,
    to_move=0,
    reason=None,
    board_channel_id=None,
    board_message_id=None,
    board_ply=None,
    created_at=NOON,
    turn_at=NOON,
    ended_at=None,
    pace=86400,
    deadline_at=None,
    remind_at=None,
    flagged=False,
    seats=seated(ALICE, BOB),
)


def match(**changes: Any) -> Match:
    """Return a match of Alice, who is to move, and Bob, at a day a move, with some changes."""
    return replace(MATCH, **changes)
