"""Answers to interactions that everybody sees, in homes where the bot has no access (``bot.storage.homes``).

Discord takes the token of an interaction for a quarter of an hour. Until then it alone changes the answer, and does so
in any process. A topic is that of the outbox: a match or a challenge.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.tables import responses
from bot.storage.transactions import inserting


@dataclass(frozen=True, slots=True, repr=False)
class Response:
    """An answer to an interaction that everybody sees: its message, and the token that changes it until a time."""

    message_id: int
    token: str
    expires_at: datetime


_RESPONSE = select(responses.c.message_id, responses.c.token, responses.c.expires_at)


async def keep(tx: AsyncConnection, topic: str, response: Response, ply: int | None = None) -> None:
    """Store an answer by which a message of a topic is posted or changed; a newer token of a message replaces it.

    ``ply`` is that of the match when its person acted: the board that follows has a later one.
    """
    new = inserting(tx, responses).values(
        message_id=response.message_id, topic=topic, ply=ply, token=response.token, expires_at=response.expires_at
    )
    newer = {name: new.excluded[name] for name in ("topic", "ply", "token", "expires_at")}
    await tx.execute(new.on_conflict_do_update(index_elements=[responses.c.message_id], set_=newer))


async def of_topic(tx: AsyncConnection, topic: str, after: int, now: datetime) -> list[Response]:
    """Return the answers of a topic whose messages came ``after`` one and can be changed now, the newest first."""
    query = _RESPONSE.where(responses.c.topic == topic, responses.c.message_id > after, responses.c.expires_at > now)
    return [Response(*row) for row in await tx.execute(query.order_by(responses.c.message_id.desc()))]


async def before_ply(tx: AsyncConnection, topic: str, after: int, ply: int) -> int | None:
    """Return the message of the answer that the board of a ply is, if it came ``after`` one; None without one."""
    query = select(responses.c.message_id).where(
        responses.c.topic == topic, responses.c.message_id > after, responses.c.ply < ply
    )
    return (await tx.execute(query.order_by(responses.c.ply.desc()).limit(1))).scalar_one_or_none()


async def of_message(tx: AsyncConnection, message_id: int, now: datetime) -> Response | None:
    """Return the answer that a message is, if it can be changed now."""
    query = _RESPONSE.where(responses.c.message_id == message_id, responses.c.expires_at > now)
    row = (await tx.execute(query)).one_or_none()
    return None if row is None else Response(*row)


async def remove(tx: AsyncConnection, message_id: int) -> None:
    """Forget an answer, because its message is gone or Discord no longer takes its token."""
    await tx.execute(delete(responses).where(responses.c.message_id == message_id))


async def delete_expired(tx: AsyncConnection, now: datetime) -> None:
    """Delete the answers that can no longer be changed."""
    await tx.execute(delete(responses).where(responses.c.expires_at <= now))
