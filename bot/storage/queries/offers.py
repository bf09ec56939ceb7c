"""Offers of draws and requests to take a move back."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import Offer, OfferKind, OfferState
from bot.storage.tables import offers


async def add(tx: AsyncConnection, match_id: int, kind: OfferKind, seat: int, ply: int, at: datetime) -> int:
    """Store an open offer and return its id."""
    values = {"match_id": match_id, "kind": kind, "seat": seat, "ply": ply, "state": OfferState.OPEN, "created_at": at}
    return int((await tx.execute(insert(offers).returning(offers.c.id).values(**values))).scalar_one())


async def get(tx: AsyncConnection, offer_id: int, *, lock: bool = False) -> Offer | None:
    """Return an offer."""
    query = select(offers).where(offers.c.id == offer_id)
    row = (await tx.execute(query.with_for_update() if lock else query)).one_or_none()
    return None if row is None else _offer(row)


async def open_in(tx: AsyncConnection, match_id: int) -> list[Offer]:
    """Return the open offers of a match, oldest first."""
    query = select(offers).where(offers.c.match_id == match_id, offers.c.state == OfferState.OPEN).order_by(offers.c.id)
    return [_offer(row) for row in await tx.execute(query)]


async def of_seat(tx: AsyncConnection, match_id: int, kind: OfferKind, seat: int) -> list[Offer]:
    """Return every offer of a kind that a seat has made in a match, whatever became of it."""
    made = offers.c.match_id == match_id, offers.c.kind == kind, offers.c.seat == seat
    return [_offer(row) for row in await tx.execute(select(offers).where(*made).order_by(offers.c.id))]


async def change(tx: AsyncConnection, offer_id: int, **values: Any) -> None:
    """Set columns of an offer."""
    await tx.execute(update(offers).where(offers.c.id == offer_id).values(**values))


def _offer(row: Row[Any]) -> Offer:
    return Offer(
        row.id,
        row.match_id,
        OfferKind(row.kind),
        row.seat,
        row.ply,
        OfferState(row.state),
        row.channel_id,
        row.message_id,
    )
