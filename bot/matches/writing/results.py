"""Ends a match: stores the result on its seats and the ratings it changes, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.game import Result
from bot.matches.model.rating import counts, rate, with_newcomers
from bot.matches.writing.clocks import Clock
from bot.storage import locks, matches, people, ratings
from bot.storage.matches import reason_columns
from bot.storage.records import Match, MatchState, RatingChange


async def finish(
    tx: AsyncConnection, match: Match, result: Result, dropped: Sequence[int], now: datetime
) -> dict[str, Any]:
    """Store the result of a match on its seats and in the ratings; return the columns of the match that hold it, too.

    ``dropped`` holds the seats that left, in that order. The entries of the match are stored already.
    """
    for seat in match.seats:
        won = result.won(seat.seat, len(match.seats))
        await matches.change_seat(tx, match.id, seat.seat, to_move=False, won=won)
    await _note_beaten(tx, match, result)
    if match.rated and counts(match, await matches.moves_of(tx, match.id)):
        await _rate(tx, match, ranks(len(match.seats), result.winners, dropped), now)
    number = await matches.next_finish(tx)
    over = {"state": MatchState.OVER, "ended_at": now, "finish": number}
    return {**over, **reason_columns(result.reason), **Clock().columns()}


def ranks(seats: int, winners: Collection[int], dropped: Sequence[int]) -> list[int]:
    """Return the rank of every seat: winners first, then those who stayed, then the dropped, the first to go last."""
    stayed = [seat for seat in range(seats) if seat not in winners and seat not in dropped]
    left = [seat for seat in dropped if seat not in winners]
    found = dict.fromkeys(winners, 1) | dict.fromkeys(stayed, 2)
    found |= {seat: 2 + bool(stayed) + place for place, seat in enumerate(reversed(left))}
    return [found[seat] for seat in range(seats)]


async def _note_beaten(tx: AsyncConnection, match: Match, result: Result) -> None:
    """Note the level that a person has beaten who played computer players alone: of several, the lowest."""
    players = [seat for seat in match.seats if not seat.person.computer]
    levels = [seat.person.level for seat in match.seats if seat.person.level is not None]
    if len(players) == 1 and levels and result.won(players[0].seat, len(match.seats)):
        await people.note_level_beaten(tx, players[0].person.id, match.game, min(levels), match.id)


async def _rate(tx: AsyncConnection, match: Match, places: Sequence[int], now: datetime) -> None:
    players = [seat.person.id for seat in match.seats]
    await locks.ratings(tx, match.guild_id, shared=True)
    await locks.people(tx, players)
    for game in (match.game, ratings.OVERALL):
        before = with_newcomers(await ratings.of(tx, match.guild_id, game, players), players)
        after = rate(before, places)
        await ratings.put(tx, match.guild_id, game, after, now)
        await ratings.add_changes(
            tx,
            game,
            [
                RatingChange(match.id, old.user_id, old.mu, old.sigma, new.mu, new.sigma, now)
                for old, new in zip(before, after, strict=True)
            ],
        )
