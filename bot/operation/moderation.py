"""Decisions of operators about matches and players of any server, while the bot runs or is stopped.

A running bot finds a decision in its database, and tells the people at its next heartbeat.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from uuid import uuid4

from bot.compute.queue import ComputeQueue
from bot.matches.model.refusals import NoSuchMatch, Refusal
from bot.matches.service_context import ServiceContext
from bot.matches.services import Services, create_services
from bot.settings import Settings
from bot.storage import bars
from bot.storage.bars import Bar
from bot.storage.database import Database
from bot.storage.errors import StorageError, explain_errors
from bot.storage.exclusive_use import Use
from bot.storage.records import EVERYWHERE, Person


class ModerationError(Exception):
    """The decision cannot be carried out. The message tells the operator why."""


async def void(settings: Settings, match_id: int) -> bool:
    """Void a match; return whether ratings changed with it, which are right then. Raises ``ModerationError``."""
    async with _services(settings) as services:
        guild_id = await services.voiding.void(None, match_id)
        if guild_id is not None:
            await services.voiding.rate_again(guild_id)
        return guild_id is not None


async def bar(settings: Settings, user_id: int, guild_id: int = EVERYWHERE) -> None:
    """Bar a person from one server, or from all. Raises ``ModerationError``."""
    async with _services(settings) as services:
        await services.bars.bar(guild_id, user_id)


async def unbar(settings: Settings, user_id: int, guild_id: int = EVERYWHERE) -> None:
    """Lift a bar. Raises ``ModerationError``."""
    async with _services(settings) as services:
        barred_from = [bar.guild_id for bar in await services.read(bars.every) if bar.user_id == user_id]
        if barred_from and guild_id not in barred_from:
            raise ModerationError("they are not barred there, but elsewhere; `barred` shows where")
        await services.bars.unbar(guild_id, user_id)


async def erase(settings: Settings, user_id: int) -> int:
    """Delete everything about a person; return how many running matches this resigned. Raises ``ModerationError``."""
    async with _services(settings) as services:
        return await services.privacy.erase(Person(user_id, str(user_id)), uuid4())


async def every_bar(settings: Settings) -> list[Bar]:
    """Return every bar. Raises ``ModerationError``."""
    async with _services(settings) as services:
        return await services.read(bars.every)


@asynccontextmanager
async def _services(settings: Settings) -> AsyncIterator[Services]:
    """Open the bot's database and give the services on it."""
    database = None
    try:
        database = Database(settings.database_url, settings.database_direct_url)
        if database.file is not None and not database.file.exists():
            raise ModerationError(f"there is no database at {database.file}")
        await database.open(Use.BESIDE)
        async with ComputeQueue() as queue:
            with explain_errors(database.url):
                yield create_services(ServiceContext(database, lambda: datetime.now(UTC), queue))
    except NoSuchMatch as error:
        raise ModerationError("there is no match of that number") from error
    except (Refusal, StorageError) as error:
        reason = str(error).rstrip(".")
        raise ModerationError(reason[0].lower() + reason[1:]) from error
    finally:
        if database is not None:
            await database.close()
