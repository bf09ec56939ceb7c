"""The messages of a server's Monday, as rows of the outbox inside the caller's transaction: ladder and weekly post.

The pairing comes first, because the weekly post shows the pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.writing.outbox_messages import MessageKind
from bot.storage import guilds, ladders, outbox
from bot.storage.puzzles import PuzzleChannel


async def weekly_post(
    tx: AsyncConnection, puzzles: PuzzleChannel, week: date, next_pairing: datetime, at: datetime
) -> bool:
    """Queue the post of a server's week before ``week``, a Monday, and before it the pairing of a ladder that is due.

    The ladder is due again at ``next_pairing``. Return False, and queue neither, where the server wants no such post,
    or that of this week was queued before. The caller holds the lock of the server.
    """
    guild_id = puzzles.guild_id
    settings = await guilds.settings(tx, guild_id)
    topic = f"weekly:{guild_id}:{week.isoformat()}"
    if not settings.weekly or await outbox.is_stored(tx, topic):
        return False
    # It goes to the first of them that takes it.
    channels = list(dict.fromkeys((settings.weekly_channel or puzzles.channel_id, puzzles.channel_id)))
    payload = {"guild": guild_id, "week": week.isoformat(), "channels": channels}
    ladder = await ladders.get(tx, guild_id)
    if ladder is not None and ladder.due_at <= at:
        await ladders.put(tx, replace(ladder, due_at=next_pairing))
        if await ladders.players(tx, guild_id):
            await pairing(tx, guild_id, at, topic=topic, channels=channels)
            payload["ladder"] = at.isoformat()
    await outbox.add(tx, key=topic, topic=topic, kind=MessageKind.WEEKLY, payload=payload, at=at)
    return True


async def pairing(
    tx: AsyncConnection, guild_id: int, week: datetime, *, topic: str = "", channels: Sequence[int] = ()
) -> None:
    """Queue the pairing of a server's ladder for the week that begins at a moment.

    The pairs get a post of their own, unless a weekly post that follows in the ``topic`` shows them in ``channels``.
    """
    own = f"ladder:{guild_id}"
    payload = {"guild": guild_id, "week": week.isoformat(), "channels": list(channels)}
    await outbox.add(
        tx, key=f"{own}:{week.timestamp()}", topic=topic or own, kind=MessageKind.LADDER, payload=payload, at=week
    )
