"""What people and servers choose: how boards look, whose challenges are blocked; where, and at what pace, to play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

from bot.matches.model.refusals import Refusal
from bot.matches.service_context import ServiceContext
from bot.storage import guilds, locks, people
from bot.storage.guilds import GuildSettings
from bot.storage.people import Preferences
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

_GRANTED = 60.0
"""Seconds for which a person's language is not read again: another process may have changed it."""
_MOST_SPOKEN = 10_000


@dataclass(frozen=True, slots=True)
class Spoken:
    """How to speak with a person."""

    language: str
    """The tag of the language they chose, or of that of their Discord."""
    commands: str | None
    """The tag of that of their Discord, which shows them commands in it; None where it has not been seen."""


class PersonalSettings:
    """The preferences and blocks of people, the same in every server."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._spoken: dict[int, tuple[Spoken | None, float]] = {}
        """How to speak with a person, and until when that is taken for granted."""

    async def preferences(self, user_id: int) -> Preferences:
        """Return a person's preferences."""
        async with self._context.database.read() as tx:
            return await people.preferences(tx, user_id)

    @retried
    async def prefer(self, user_id: int, change: Callable[[Preferences], Preferences]) -> Preferences:
        """Store what ``change`` makes of a person's preferences, and return it.

        ``change`` is given the preferences as they are then, so that of two changes at the same time none is lost.
        """
        async with self._context.database.write() as tx:
            await locks.people(tx, [user_id])
            before = await people.preferences(tx, user_id)
            wanted = change(before)
            if wanted != before:
                await people.put_preferences(tx, user_id, wanted)
        self._spoken.pop(user_id, None)
        return wanted

    async def spoken_with(self, user_id: int, locale: str | None = None) -> Spoken | None:
        """Return how to speak with a person; ``locale`` is the tag of their Discord's language, where it is seen.

        What is seen is kept for when there is no Discord to ask: for direct messages. Then, None is returned for
        somebody of whom nothing has ever been seen.
        """
        known, granted_until = self._spoken.get(user_id, (None, 0.0))
        seen = known.commands if known else None
        if monotonic() < granted_until and locale in (None, seen):
            return known
        wanted = await self.preferences(user_id)
        if locale is not None and wanted.locale != locale:
            wanted = await self.prefer(user_id, lambda before: replace(before, locale=locale))
        if len(self._spoken) >= _MOST_SPOKEN:
            self._spoken.clear()
        spoken = Spoken(wanted.spoken, wanted.locale) if wanted.spoken else None
        self._spoken[user_id] = (spoken, monotonic() + _GRANTED)
        return spoken

    def last_spoken_with(self, user_id: int, locale: str) -> str:
        """Return the tag of the language to speak with a person as far as that is known without the database."""
        known, _until = self._spoken.get(user_id, (None, 0.0))
        return known.language if known else locale

    def forget(self, user_id: int) -> None:
        """Take nothing for granted of a person."""
        self._spoken.pop(user_id, None)

    @retried
    async def block(self, user_id: int, blocked_id: int, *, blocked: bool) -> None:
        """Keep a person's challenges away, or no longer. Raises ``Refusal``."""
        if user_id == blocked_id:
            raise Refusal(_("You can't block yourself."))
        async with self._context.database.write() as tx:
            await locks.people(tx, [user_id])
            await people.set_block(tx, user_id, blocked_id, blocked=blocked)

    async def blocked(self, user_id: int) -> list[int]:
        """Return whom a person has blocked."""
        async with self._context.database.read() as tx:
            return await people.blocked_by(tx, user_id)


class ServerSettings:
    """The settings of servers."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    async def of(self, guild_id: int) -> GuildSettings:
        """Return a server's settings."""
        async with self._context.database.read() as tx:
            return await guilds.settings(tx, guild_id)

    @retried
    async def change(self, guild_id: int, change: Callable[[GuildSettings], GuildSettings]) -> GuildSettings:
        """Store what ``change`` makes of a server's settings, and return it.

        ``change`` is given the settings as they are then, so that of two changes at the same time none is lost.
        """
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            before = await guilds.settings(tx, guild_id)
            wanted = change(before)
            if wanted != before:
                await guilds.put_settings(tx, guild_id, wanted)
        return wanted
