"""The settings of servers, and when the bot was last known to be alive."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import GuildSettings
from bot.storage.tables import guilds, heartbeats

ALIVE = "alive"


async def settings(tx: AsyncConnection, guild_id: int) -> GuildSettings:
    """Return a server's settings, the usual ones for a server that has not said any."""
    row = (await tx.execute(select(guilds).where(guilds.c.guild_id == guild_id))).one_or_none()
    if row is None:
        return GuildSettings()
    return GuildSettings(tuple(row.channels), row.threads, row.pace, row.automatic)


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
        )
    )


async def last_heartbeat(tx: AsyncConnection) -> datetime | None:
    """Return when the bot was last known to be alive."""
    return (await tx.execute(select(heartbeats.c.at).where(heartbeats.c.name == ALIVE))).scalar_one_or_none()


async def beat(tx: AsyncConnection, now: datetime) -> None:
    """Note that the bot is alive."""
    await tx.execute(delete(heartbeats).where(heartbeats.c.name == ALIVE))
    await tx.execute(insert(heartbeats).values(name=ALIVE, at=now))
