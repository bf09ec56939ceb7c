"""Begins and ends pauses inside the caller's transaction: a clock stands for days, until a player goes on."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.writing import clocks, outbox_messages
from bot.storage import matches, mentions, people, running_clocks
from bot.storage.records import Match


async def begin(tx: AsyncConnection, match: Match, until: datetime, now: datetime) -> None:
    """Stop the clock of a locked match until a time, when the person to move is told that it goes on.

    An absence of theirs stops it, too: of two times that overlap, each counts once.
    """
    away = (await people.stops(tx, match.mover.person.id, now)).away_until or now
    if match.remind_at is None:
        # Who was reminded before it is told after it all the same. At the deadline itself no reminder comes.
        await matches.change(tx, match.id, remind_at=match.deadline_at)
    await clocks.shift(tx, running_clocks.of_matches([match.id]), max(now, away), max(until, away), now)
    await matches.change(tx, match.id, paused_until=until)
    await mentions.hold(tx, match, match.ply, until, mentioned=False)
    await outbox_messages.deadline_changes(tx, [match.id], now)


async def end(tx: AsyncConnection, match: Match, now: datetime) -> None:
    """Let the clock of a locked match go on before the end of its pause, and have the person to move told."""
    assert match.paused_until is not None
    away = (await people.stops(tx, match.mover.person.id, now)).away_until or now
    # Its clock is moved as one that no longer stands in the pause.
    await over(tx, match.id, now)
    which = running_clocks.of_matches([match.id])
    await clocks.shift(tx, which, max(match.paused_until, away), max(now, away), now)
    if await mentions.take_held(tx, match.id) is not None:
        await outbox_messages.turn_later(tx, match.id, match.ply, now, mentioned=False)


async def over(tx: AsyncConnection, match_id: int, now: datetime) -> None:
    """Have a match no longer say that it is paused."""
    await matches.change(tx, match_id, paused_until=None)
    await outbox_messages.deadline_changes(tx, [match_id], now)
