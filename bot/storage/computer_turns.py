"""The turns of computer players. The transaction that begins a turn inserts a row; the one that plays it deletes it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    Select,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import Rules
from bot.storage.tables import computer_turns, matches, seats
from bot.storage.tables.columns import to_dataclass
from bot.storage.work_queue import by_rules, claimable, of_match_by, unclaimed

CLAIMED_FOR = timedelta(seconds=90)
"""How long a living process may take for a turn it has claimed: the longest thought and those before it, thrice."""


@dataclass(frozen=True, slots=True)
class ComputerTurn:
    """A turn that a computer player has to play, at a ply of a match."""

    match_id: int
    ply: int


async def add(tx: AsyncConnection, match_id: int, ply: int) -> None:
    """Store that the computer player of a match is to move at a ply."""
    await tx.execute(insert(computer_turns).values(match_id=match_id, ply=ply))


async def remove(tx: AsyncConnection, match_id: int) -> None:
    """Delete the turn of a match, because it was played or never will be."""
    await tx.execute(delete(computer_turns).where(computer_turns.c.match_id == match_id))


async def claim(
    tx: AsyncConnection,
    token: int,
    limit: int,
    *,
    begun: Collection[ComputerTurn] = (),
    rules: Rules | None = None,
) -> list[ComputerTurn]:
    """Claim at most ``limit`` turns that no living process has claimed; return them.

    They are of matches played by ``rules``. Also return turns that are claimed for ``token`` but not ``begun``. Skip
    rows that others are claiming at the same moment. Turns stay claimed until they are played, until ``token`` is gone,
    or for ``CLAIMED_FOR``: two that play one turn come to the same move. People share the room fairly, however many
    matches each has: a person with the fewest claimed turns goes first, and the last free place is kept for a person
    with none. Turns that were given back come last.
    """
    playing = computer_turns.c.match_id.in_([turn.match_id for turn in begun])
    free = claimable(computer_turns.c.claimed_by, token, playing, computer_turns.c.match_id, rules)
    stuck = and_(computer_turns.c.claimed_by != token, computer_turns.c.claimed_at < func.now() - CLAIMED_FOR)
    free = or_(free, and_(stuck, of_match_by(computer_turns.c.match_id, rules)))
    # A turn's person is the first who has not left the match; matches that all have left count as one person's. Ranks
    # are among the turns of one person, from 1, claimed ones first.
    here = seats.c.match_id == computer_turns.c.match_id, seats.c.level.is_(None), seats.c.dropped.is_(False)
    person = select(seats.c.user_id).where(*here).order_by(seats.c.seat).limit(1).scalar_subquery()
    order = unclaimed(computer_turns.c.claimed_by), computer_turns.c.match_id
    rank = func.row_number().over(partition_by=person, order_by=order)
    ranked = select(computer_turns.c.match_id, computer_turns.c.ply, rank.label("rank")).subquery()
    same = ranked.c.match_id == computer_turns.c.match_id, ranked.c.ply == computer_turns.c.ply
    query = select(computer_turns, ranked.c.rank).join(ranked, and_(*same)).where(free)
    given_back = and_(computer_turns.c.claimed_by.is_(None), computer_turns.c.claimed_at.is_not(None))
    query = query.order_by(given_back, ranked.c.rank, computer_turns.c.match_id).limit(limit)
    rows = (await tx.execute(query.with_for_update(of=computer_turns, skip_locked=True))).all()
    kept = [row for at, row in enumerate(rows, 1) if row.rank == 1 or at < limit]
    turns = [to_dataclass(ComputerTurn, row) for row in kept]
    for turn in turns:
        mine = computer_turns.c.match_id == turn.match_id, computer_turns.c.ply == turn.ply
        await tx.execute(update(computer_turns).where(*mine).values(claimed_by=token, claimed_at=func.now()))
    return turns


async def release(tx: AsyncConnection, token: int, turn: ComputerTurn) -> None:
    """Let other processes claim a turn that a process has claimed, after those that wait."""
    mine = computer_turns.c.match_id == turn.match_id, computer_turns.c.ply == turn.ply
    given_back = {"claimed_by": None, "claimed_at": func.now()}
    await tx.execute(update(computer_turns).where(*mine, computer_turns.c.claimed_by == token).values(given_back))


async def unclaimed_since(tx: AsyncConnection, at: datetime, rules: Rules) -> list[ComputerTurn]:
    """Return the turns that began by then, that no living process has claimed, and whose boards are not posted.

    They are of matches played by ``rules``.
    """
    joined = computer_turns.join(matches, matches.c.id == computer_turns.c.match_id)
    hidden = matches.c.board_ply.is_distinct_from(computer_turns.c.ply)
    waiting = matches.c.turn_at <= at, hidden, unclaimed(computer_turns.c.claimed_by), by_rules(rules)
    query = select(computer_turns).select_from(joined).where(*waiting).order_by(computer_turns.c.match_id)
    return [to_dataclass(ComputerTurn, row) for row in await tx.execute(query)]


async def pending(tx: AsyncConnection, rules: Rules | None = None) -> list[ComputerTurn]:
    """Return the turns of matches played by ``rules``, all if none are named, in the order of the matches."""
    return [to_dataclass(ComputerTurn, row) for row in await tx.execute(_pending(rules))]


@cache
def _pending(rules: Rules | None) -> Select[Any]:
    """Return the query for ``pending``, built once, because it is put after every turn."""
    played = of_match_by(computer_turns.c.match_id, rules)
    return select(computer_turns).where(played).order_by(computer_turns.c.match_id)
