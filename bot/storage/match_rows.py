"""Rows of matches and of their seats as the records they stand for."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from bot.storage.records import Match, MatchState, Person, Seat, computer_player
from renderers.i18n import LazyText


def seat_of(row: Row[Any]) -> Seat:
    """Return a row of the seats."""
    return Seat(row.seat, _person(row), row.to_move, row.dropped, row.won)


def _reason(row: Row[Any]) -> str | None:
    """Return why a match ended, as a message that can be translated; in an older row it is plain English."""
    return row.reason if row.reason_message is None else LazyText.from_data(row.reason_message)


def reason_columns(reason: str) -> dict[str, Any]:
    """Return the columns of a match that say why it ended: in English, and as a message."""
    return {"reason": str(reason), "reason_message": reason.as_data() if isinstance(reason, LazyText) else None}


def _person(row: Row[Any]) -> Person:
    """Return who has a seat. What computer players, and those whose name was deleted, are called is translated."""
    if row.level is not None:
        return computer_player(row.level)
    return Person(row.user_id, LazyText(row.name) if row.user_id < 0 else row.name)


def match_of(row: Row[Any], taken: tuple[Seat, ...]) -> Match:
    """Return a row of the matches, with its seats."""
    return Match(
        id=row.id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        thread_id=row.thread_id,
        game=row.game,
        variant=row.variant,
        rated=row.rated,
        state=MatchState(row.state),
        ply=row.ply,
        reason=_reason(row),
        board_channel_id=row.board_channel_id,
        board_message_id=row.board_message_id,
        board_ply=row.board_ply,
        created_at=row.created_at,
        turn_at=row.turn_at,
        ended_at=row.ended_at,
        pace=row.pace,
        deadline_at=row.deadline_at,
        remind_at=row.remind_at,
        flagged=row.flagged,
        seats=taken,
        voided_by=row.voided_by,
        language=row.language,
    )
