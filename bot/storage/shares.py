"""Things that people have shared in channels: each thing once per person and place, and where it was posted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime

from sqlalchemy import delete, func, null, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import ShareKind
from bot.storage.tables import seats, shares
from bot.storage.tables.columns import to_dataclass
from bot.storage.transactions import inserting


@dataclass(frozen=True, slots=True)
class Share:
    """A thing that a person has shared: the replay of a match, the move that turned it, notes on it, or a puzzle.

    ``thing`` names it and the channel, the same for all who share it there; that of an old share names no channel.
    ``number`` is that of the move, ``puzzle`` the key of the puzzle, ``day`` the day whose puzzle it was, ``found`` the
    person's result in symbols, and ``notes`` are pairs of a ply and a text. After a deletion of data ``user_id``,
    ``name`` and ``notes`` are None.
    """

    id: int
    user_id: int | None
    name: str | None
    kind: ShareKind
    guild_id: int
    channel_id: int
    at: datetime
    thing: str = ""
    game: str = ""
    message_id: int | None = None
    match_id: int | None = None
    number: int | None = None
    puzzle: str | None = None
    day: date | None = None
    found: str | None = None
    notes: list[tuple[int, str]] | None = None


async def add(tx: AsyncConnection, share: Share) -> int | None:
    """Store what a person shares, under an id of its own, and return that; None if they have shared it there before."""
    values = {field.name: getattr(share, field.name) for field in fields(share) if field.name != "id"}
    added = inserting(tx, shares).values(values).on_conflict_do_nothing().returning(shares.c.id)
    share_id: int | None = (await tx.execute(added)).scalar_one_or_none()
    return share_id


async def has_shared(tx: AsyncConnection, user_id: int, thing: str) -> bool:
    """Return whether a person has shared a thing in its channel."""
    query = select(shares.c.id).where(shares.c.user_id == user_id, shares.c.thing == thing)
    return (await tx.execute(query)).first() is not None


async def get(tx: AsyncConnection, share_id: int) -> Share | None:
    row = (await tx.execute(select(shares).where(shares.c.id == share_id))).one_or_none()
    return None if row is None else to_dataclass(Share, row)


async def is_shared(tx: AsyncConnection, match_id: int, kind: ShareKind, channel_id: int, user_id: int) -> bool:
    """Return whether another person has shared a match in a channel: its replay, or the move that turned it."""
    query = select(shares.c.id).where(shares.c.match_id == match_id, shares.c.kind == kind)
    query = query.where(shares.c.user_id.is_distinct_from(user_id))
    return (await tx.execute(query.where(shares.c.channel_id == channel_id).limit(1))).first() is not None


async def is_shown_in(tx: AsyncConnection, match_id: int, channel_ids: Sequence[int]) -> bool:
    """Return whether a match was shared in one of some channels."""
    query = select(shares.c.id).where(shares.c.match_id == match_id, shares.c.channel_id.in_(channel_ids))
    return (await tx.execute(query.limit(1))).first() is not None


async def count_since(tx: AsyncConnection, user_id: int, since: datetime) -> int:
    """Return how many things a person has shared since a time."""
    query = select(func.count()).where(shares.c.user_id == user_id, shares.c.at > since)
    return int((await tx.execute(query)).scalar_one())


async def of_person(tx: AsyncConnection, user_id: int) -> list[Share]:
    """Return what a person has shared, oldest first."""
    query = select(shares).where(shares.c.user_id == user_id).order_by(shares.c.id)
    return [to_dataclass(Share, row) for row in await tx.execute(query)]


async def set_message(tx: AsyncConnection, share_id: int, message_id: int) -> None:
    """Store which message shows it."""
    await tx.execute(update(shares).where(shares.c.id == share_id).values(message_id=message_id))


async def remove(tx: AsyncConnection, share_id: int) -> None:
    """Forget what could not be shared, so that it can be shared again."""
    await tx.execute(delete(shares).where(shares.c.id == share_id))


async def anonymise(tx: AsyncConnection, user_id: int) -> Sequence[Share]:
    """Remove a person's id, name and notes from all they have shared.

    Return that and the replays of their matches that others have shared: their messages name both players.
    """
    played = select(seats.c.match_id).where(seats.c.user_id == user_id)
    replays = select(shares).where(shares.c.match_id.in_(played), shares.c.kind == ShareKind.REPLAY)
    of_others = replays.where(shares.c.user_id.is_distinct_from(user_id))
    changed = [to_dataclass(Share, row) for row in await tx.execute(of_others)]
    changed += await of_person(tx, user_id)
    await tx.execute(update(shares).where(shares.c.user_id == user_id).values(user_id=None, name=None, notes=null()))
    return changed
