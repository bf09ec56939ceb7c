"""Reviews of finished matches: which ones people asked for, and the judgements so far."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    Select,
    func,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import Judgement, Rules
from bot.storage.tables import judgements, reviews
from bot.storage.tables.columns import to_dataclass
from bot.storage.transactions import inserting
from bot.storage.work_queue import claimable, of_match_by


@dataclass(frozen=True, slots=True)
class StoredReview:
    """A review of a match, finished or not: how many positions it judges, and by how many nodes each."""

    match_id: int
    positions: int
    nodes: int
    done: bool


async def get(tx: AsyncConnection, match_id: int) -> StoredReview | None:
    """Return the review of a match, finished or not."""
    row = (await tx.execute(select(reviews).where(reviews.c.match_id == match_id))).one_or_none()
    return None if row is None else to_dataclass(StoredReview, row)


async def add(tx: AsyncConnection, match_id: int, *, positions: int, nodes: int, at: datetime) -> None:
    """Store that a person asked for a review, unless one was stored; a review of no position is done."""
    values = {"positions": positions, "nodes": nodes, "asked_at": at, "done": positions == 0}
    await tx.execute(inserting(tx, reviews).values(match_id=match_id, **values).on_conflict_do_nothing())


async def put_judgement(tx: AsyncConnection, match_id: int, judgement: Judgement) -> None:
    """Store the judgement of a position, unless one is stored."""
    new = inserting(tx, judgements).values(match_id=match_id, **asdict(judgement))
    await tx.execute(new.on_conflict_do_nothing())


async def claim(
    tx: AsyncConnection, token: int, limit: int, *, begun: Collection[int] = (), rules: Rules | None = None
) -> list[int]:
    """Claim at most ``limit`` unfinished reviews that no living process has claimed; return their matches.

    They are of matches played by ``rules``. Also return reviews that are claimed for ``token`` but not ``begun``. Skip
    rows that others are claiming at the same moment. Reviews stay claimed until they are finished or ``token`` is gone.
    """
    free = claimable(reviews.c.claimed_by, token, reviews.c.match_id.in_(begun), reviews.c.match_id, rules)
    query = (
        select(reviews.c.match_id)
        .where(reviews.c.done.is_(False), free)
        .order_by(reviews.c.asked_at, reviews.c.match_id)
        .limit(limit)
    )
    match_ids = list((await tx.execute(query.with_for_update(skip_locked=True))).scalars())
    await tx.execute(update(reviews).where(reviews.c.match_id.in_(match_ids)).values(claimed_by=token))
    return match_ids


async def mark_done(tx: AsyncConnection, match_id: int) -> None:
    """Store that every position of a review is judged."""
    await tx.execute(update(reviews).where(reviews.c.match_id == match_id).values(done=True))


async def pending(tx: AsyncConnection, rules: Rules | None = None) -> list[int]:
    """Return the matches with unfinished reviews, in the order in which people asked.

    They are played by ``rules``, if some are named.
    """
    return list((await tx.execute(_pending(rules))).scalars())


@cache
def _pending(rules: Rules | None) -> Select[Any]:
    """Return the query for ``pending``, built once, because it is put after every turn."""
    query = select(reviews.c.match_id).where(reviews.c.done.is_(False), of_match_by(reviews.c.match_id, rules))
    return query.order_by(reviews.c.asked_at, reviews.c.match_id)


async def judgements_of(tx: AsyncConnection, match_id: int) -> list[Judgement]:
    """Return the judged positions of a match, the first one first."""
    rows = await tx.execute(select(judgements).where(judgements.c.match_id == match_id).order_by(judgements.c.number))
    return [to_dataclass(Judgement, row) for row in rows]


async def count_judged(tx: AsyncConnection, match_id: int) -> int:
    query = select(func.count()).select_from(judgements).where(judgements.c.match_id == match_id)
    return int((await tx.execute(query)).scalar_one())


async def release(tx: AsyncConnection, token: int, match_id: int) -> None:
    """Let other processes claim a row that a process has claimed, after those that wait."""
    mine = reviews.c.match_id == match_id, reviews.c.claimed_by == token
    await tx.execute(update(reviews).where(*mine).values(claimed_by=None, asked_at=func.now()))
