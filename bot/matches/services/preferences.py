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
"""Seconds for which a person's cached language is used: another process may change the stored one."""
_MOST_SPOKEN = 10_000


@dataclass(frozen=True, slots=True)
class Spoken:
    """The languages of a person."""

    language: str
    """The tag of the language they chose, or else of their Discord client."""
    commands: str | None
    """The tag of the language in which Discord shows them commands; None if no interaction has told it."""


class PersonalSettings:
    """Stores the preferences and blocks of people, which are the same in every server."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._spoken: dict[int, tuple[Spoken | None, float]] = {}
        """The languages of people, and until when each entry is valid."""

    async def preferences(self, user_id: int) -> Preferences:
        """Return a person's preferences."""
        async with self._context.database.read() as tx:
            return await people.preferences(tx, user_id)

    @retried
    async def prefer(self, user_id: int, change: Callable[[Preferences], Preferences]) -> Preferences:
        """Change a person's preferences and return the new ones.

        ``change`` gets the stored preferences inside the transaction, so two changes at the same time both count.
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
        """Return the languages of a person; ``locale`` is the tag of their Discord client, if an interaction told it.

        The tag is stored for direct messages, which come with none. Returns None if no tag was ever stored.
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
        """Return the tag of a person's language from the cache, or else ``locale``; reads no database."""
        known, _until = self._spoken.get(user_id, (None, 0.0))
        return known.language if known else locale

    def forget(self, user_id: int) -> None:
        """Drop a person from the cache."""
        self._spoken.pop(user_id, None)

    @retried
    async def block(self, user_id: int, blocked_id: int, *, blocked: bool) -> None:
        """Block a person's challenges, or lift the block. Raises ``Refusal``."""
        if user_id == blocked_id:
            raise Refusal(_("You can't block yourself."))
        async with self._context.database.write() as tx:
            await locks.people(tx, [user_id])
            await people.set_block(tx, user_id, blocked_id, blocked=blocked)

    async def blocked(self, user_id: int) -> list[int]:
        """Return the ids of the people that a person has blocked."""
        async with self._context.database.read() as tx:
            return await people.blocked_by(tx, user_id)


class ServerSettings:
    """Stores the settings of servers."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    async def of(self, guild_id: int) -> GuildSettings:
        """Return a server's settings."""
        async with self._context.database.read() as tx:
            return await guilds.settings(tx, guild_id)

    @retried
    async def change(self, guild_id: int, change: Callable[[GuildSettings], GuildSettings]) -> GuildSettings:
        """Change a server's settings and return the new ones.

        ``change`` gets the stored settings inside the transaction, so two changes at the same time both count.
        """
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            before = await guilds.settings(tx, guild_id)
            wanted = change(before)
            if wanted != before:
                await guilds.put_settings(tx, guild_id, wanted)
        return wanted
