"""Which language a message is posted in: a match's own, a server's, or for direct messages the person's.

Somebody who has never used the bot is written to in the language of the match or server it is about. What is posted for
everybody calls commands as in its own language, and direct messages as the person's Discord last showed them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.delivery.context import DeliveryContext
from bot.languages.speaking import language, language_for
from bot.storage import challenges, guilds, matches
from bot.storage.outbox import OutboxMessage
from renderers.i18n import ENGLISH, Language, current_language, speaking

_MOST_KEPT = 10_000


class Languages:
    """The languages of messages. That of a match or challenge never changes, so it is kept for a while."""

    def __init__(self, context: DeliveryContext) -> None:
        self._context = context
        self._kept: OrderedDict[tuple[str, int], str] = OrderedDict()

    async def of(self, message: OutboxMessage) -> Language:
        """Return the language of what a message posts for everybody: its match's or challenge's, else its server's."""
        for kind, read in (("match", matches.language), ("challenge", challenges.language)):
            if kind in message.payload:
                return language(await self._own(kind, message.payload[kind], read))
        guild_id = message.payload.get("guild")
        return ENGLISH if guild_id is None else language(await self._server(guild_id))

    async def _own(self, kind: str, number: int, read: Callable[[AsyncConnection, int], Awaitable[str]]) -> str:
        key = (kind, number)
        if key not in self._kept:
            async with self._context.database.read() as tx:
                self._kept[key] = await read(tx, number)
        self._kept.move_to_end(key)
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return self._kept[key]

    async def _server(self, guild_id: int) -> str:
        async with self._context.database.read() as tx:
            chosen = (await guilds.settings(tx, guild_id)).language
        guild = self._context.client.get_guild(guild_id)
        return chosen or language_for(ENGLISH.code if guild is None else guild.preferred_locale)


async def in_language_of(context: DeliveryContext, user_id: int, compose: Callable[[], str]) -> str:
    """Return what ``compose`` says to a person in their language, or in that of the moment where theirs is unknown."""
    spoken = await context.services.personal_settings.spoken_with(user_id)
    with speaking(current_language() if spoken is None else language(spoken.language, spoken.commands)):
        return compose()
