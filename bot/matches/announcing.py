"""What of a match has to be said in Discord, as rows of the outbox. Written inside the transaction that caused it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.queries import outbox


class Kind(StrEnum):
    """The kinds of errands the outbox knows."""

    CARD = "card"
    """Post the card of a challenge, or bring the one posted up to date."""
    THREAD = "thread"
    """Open the thread of a match on its card."""
    BOARD = "board"
    """Post the board of a match as it stands at a ply, and take the controls of the one before away."""
    OFFER = "offer"
    """Post an offer, or bring the one posted up to date."""
    REMINDER = "reminder"
    """Remind whoever is to move that time is running out."""
    LATE = "late"
    """Tell the others that the time is up and the win may be claimed."""


async def card(tx: AsyncConnection, challenge_id: int, occasion: str, at: datetime) -> None:
    """Have the card of a challenge posted or brought up to date, once for each ``occasion``."""
    await outbox.add(
        tx,
        key=f"card:{challenge_id}:{occasion}",
        topic=f"challenge:{challenge_id}",
        kind=Kind.CARD,
        payload={"challenge": challenge_id},
        at=at,
    )


async def opening(tx: AsyncConnection, match_id: int, at: datetime) -> None:
    """Have a thread opened for a new match and its first board posted."""
    await outbox.add(
        tx,
        key=f"thread:{match_id}",
        topic=f"match:{match_id}",
        kind=Kind.THREAD,
        payload={"match": match_id},
        at=at,
    )
    await board(tx, match_id, 0, at)


async def board(tx: AsyncConnection, match_id: int, ply: int, at: datetime, *, again: str = "") -> None:
    """Have the board of a match posted as it stands at ``ply``; ``again`` names the reason to post it once more."""
    await outbox.add(
        tx,
        key=f"board:{match_id}:{ply}" + (f":{again}" if again else ""),
        topic=f"match:{match_id}",
        kind=Kind.BOARD,
        payload={"match": match_id, "ply": ply, "again": again},
        at=at,
    )


async def offer(tx: AsyncConnection, match_id: int, offer_id: int, state: str, at: datetime) -> None:
    """Have an offer posted, or brought up to date in its new state."""
    await outbox.add(
        tx,
        key=f"offer:{offer_id}:{state}",
        topic=f"match:{match_id}",
        kind=Kind.OFFER,
        payload={"match": match_id, "offer": offer_id},
        at=at,
    )


async def reminder(tx: AsyncConnection, match_id: int, ply: int, at: datetime) -> None:
    """Have whoever is to move at ``ply`` reminded once."""
    await _once(tx, Kind.REMINDER, match_id, ply, at)


async def late(tx: AsyncConnection, match_id: int, ply: int, at: datetime) -> None:
    """Have the others told once that the time at ``ply`` is up."""
    await _once(tx, Kind.LATE, match_id, ply, at)


async def _once(tx: AsyncConnection, kind: Kind, match_id: int, ply: int, at: datetime) -> None:
    payload = {"match": match_id, "ply": ply}
    key = f"{kind}:{match_id}:{ply}"
    if not await outbox.known(tx, key):
        await outbox.add(tx, key=key, topic=f"match:{match_id}", kind=kind, payload=payload, at=at)
