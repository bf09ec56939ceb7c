"""Ends a match: stores the result on its seats and the ratings it changes, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.game import Result
from bot.matches.model.policies.acts import counts_for_ratings, level_beaten
from bot.matches.model.rating import WEEK, ranks, rate, weights, with_newcomers
from bot.matches.writing import outbox_messages
from bot.matches.writing.clocks import Clock
from bot.storage import (
    abuse_counters,
    beaten_levels,
    blocks,
    challenges,
    locks,
    match_lists,
    matches,
    page_access,
    ratings,
)
from bot.storage.abuse_counters import AbuseCounter
from bot.storage.matches import reason_columns
from bot.storage.rating_records import RatingChange
from bot.storage.records import Match, MatchState


async def finish(
    tx: AsyncConnection, match: Match, result: Result, dropped: Sequence[int], now: datetime
) -> dict[str, Any]:
    """Store the result of a match on its seats and in the ratings; return the columns of the match that hold it, too.

    ``dropped`` holds the seats that left, in that order. The entries of the match are stored already.
    """
    for seat in match.seats:
        won = result.won(seat.seat, len(match.seats))
        await matches.change_seat(tx, match.id, seat.seat, won=won)
    if (beaten := level_beaten(match.seats, result)) is not None:
        person, level = beaten
        await beaten_levels.note(tx, person.id, match.game, level, match.id)
    if match.rated and counts_for_ratings(match, await matches.moves_of(tx, match.id)):
        await _rate(tx, match, result.winners, dropped, now)
    if match.cup_id is None and (challenge := await challenges.of_match(tx, match.id)) is not None:
        await outbox_messages.card(tx, challenge.id, "over", now)
    await _sign_out_blocked(tx, match, now)
    number = await matches.next_finish(tx)
    over = {"state": MatchState.OVER, "to_move": None, "ended_at": now, "finish": number}
    return {**over, **reason_columns(result.reason), **Clock().columns()}


async def _sign_out_blocked(tx: AsyncConnection, match: Match, now: datetime) -> None:
    """Sign people out of the board page whom others in a match that ends have blocked, once a pair and day.

    They stay while they still play with them in the server.
    """
    ids = [seat.person.id for seat in match.seats if seat.person.mentionable]
    for blocker, blocked in await blocks.among(tx, ids) if len(ids) > 1 else ():
        running = await match_lists.running_of(tx, match.guild_id, blocked)
        if any(other.id != match.id and other.seat_of(blocker) is not None for other in running):
            continue
        subject = f"{await abuse_counters.number(tx, blocker)}"
        if await abuse_counters.times(tx, blocked, AbuseCounter.BLOCK, subject, now):
            continue
        if await page_access.end_of_person(tx, blocked, match.guild_id):
            await abuse_counters.note(tx, blocked, AbuseCounter.BLOCK, subject, now)


async def _rate(
    tx: AsyncConnection, match: Match, winners: Collection[int], dropped: Sequence[int], now: datetime
) -> None:
    players = [seat.person.id for seat in match.seats]
    await locks.ratings(tx, match.guild_id, shared=True)
    await locks.people(tx, players)
    parts = weights(players, await ratings.met_since(tx, match.guild_id, players, now - WEEK), now)
    for game in (match.game, ratings.OVERALL):
        before = with_newcomers(await ratings.of(tx, match.guild_id, game, players), players)
        after = rate(before, ranks(len(players), winners, dropped), dropped, parts)
        await ratings.put(tx, match.guild_id, game, after, now)
        await ratings.add_changes(
            tx,
            game,
            [
                RatingChange(match.id, old.user_id, old.mu, old.sigma, new.mu, new.sigma, now, part)
                for old, new, part in zip(before, after, parts, strict=True)
            ],
        )
