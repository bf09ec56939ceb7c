"""The settings of servers, and when the bot was last known to be alive."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.inserting import inserting
from bot.storage.records import GuildSettings
from bot.storage.tables import departures as departed
from bot.storage.tables import guilds, heartbeats


def _alive(slot: int) -> str:
    return f"alive:{slot}" if slot else "alive"


async def settings(tx: AsyncConnection, guild_id: int) -> GuildSettings:
    """Return a server's settings, the usual ones for a server that has not said any."""
    row = (await tx.execute(select(guilds).where(guilds.c.guild_id == guild_id))).one_or_none()
    if row is None:
        return GuildSettings()
    return GuildSettings(tuple(row.channels), row.threads, row.pace, row.automatic, row.language)


async def put_settings(tx: AsyncConnection, guild_id: int, wanted: GuildSettings) -> None:
    """Store a server's settings in place of those before."""
    await tx.execute(delete(guilds).where(guilds.c.guild_id == guild_id))
    await tx.execute(
        insert(guilds).values(
            guild_id=guild_id,
            channels=list(wanted.channels),
            threads=wanted.threads,
            pace=wanted.pace,
            automatic=wanted.automatic,
            language=wanted.language,
        )
    )


async def departures(tx: AsyncConnection) -> dict[int, datetime]:
    """Return the servers the bot was sent away from, and when."""
    return {row.guild_id: row.at for row in await tx.execute(select(departed))}


async def depart(tx: AsyncConnection, guild_id: int, now: datetime) -> None:
    """Note that the bot is not in a server, if that is new."""
    await tx.execute(inserting(tx, departed).values(guild_id=guild_id, at=now).on_conflict_do_nothing())


async def come_back(tx: AsyncConnection, guild_id: int) -> None:
    """Note that the bot is in a server again."""
    await tx.execute(delete(departed).where(departed.c.guild_id == guild_id))


async def last_heartbeat(tx: AsyncConnection, slot: int = 0) -> datetime | None:
    """Return when a slot was last known to be served."""
    return (await tx.execute(select(heartbeats.c.at).where(heartbeats.c.name == _alive(slot)))).scalar_one_or_none()


async def spread_heartbeats(tx: AsyncConnection, slots: int) -> None:
    """Have each of so many slots be served last when the one that was served least lately was: servers change slots."""
    oldest = (await tx.execute(select(func.min(heartbeats.c.at)))).scalar_one_or_none()
    await tx.execute(delete(heartbeats))
    if oldest is not None:
        await tx.execute(insert(heartbeats), [{"name": _alive(slot), "at": oldest} for slot in range(slots)])


async def beat(tx: AsyncConnection, now: datetime, slot: int = 0) -> None:
    """Note that a slot is served."""
    new = inserting(tx, heartbeats).values(name=_alive(slot), at=now)
    await tx.execute(new.on_conflict_do_update(index_elements=[heartbeats.c.name], set_={"at": now}))
