"""What all handlers share: the client, the services, the renderer, what is set for messages, and their languages."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import discord

from bot.languages.speaking import language, language_for
from bot.matches.services import Services
from bot.messages.pictures import BoardRenderer
from bot.storage import challenges, cups, guilds, matches
from bot.storage.outbox import OutboxMessage
from renderers.i18n import ENGLISH, Language, current_language

_MOST_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class DeliveryContext:
    """The context that all handlers of a running bot share.

    ``threads`` says whether matches get threads, ``page`` whether boards can be opened on a
    page, ``public_url`` where people without an account reach it, if they do.
    """

    client: discord.Client
    services: Services
    renderer: BoardRenderer
    threads: bool
    page: bool = False
    public_url: str = ""


class Languages:
    """The languages of messages: a post for all has the match's or the server's, a direct message the person's.

    A person who has never used the bot gets the language of the match or server that the message is about. A post for
    all names commands in its own language, a direct message in that of the person's Discord client. A cache holds the
    languages of matches, challenges and cups, which never change.
    """

    def __init__(self, context: DeliveryContext) -> None:
        self._context = context
        self._kept: OrderedDict[tuple[str, int], str] = OrderedDict()

    async def of(self, message: OutboxMessage) -> Language:
        """Return the language of a post for all: its match's, challenge's or cup's, else its server's."""
        for kind, read in (
            ("match", matches.language),
            ("challenge", challenges.language),
            ("cup", cups.language),
        ):
            if kind in message.payload:
                key = (kind, message.payload[kind])
                if key not in self._kept:
                    async with self._context.services.database.read() as tx:
                        self._kept[key] = await read(tx, message.payload[kind])
                self._kept.move_to_end(key)
                if len(self._kept) > _MOST_KEPT:
                    self._kept.popitem(last=False)
                return language(self._kept[key])
        guild_id = message.payload.get("guild")
        if guild_id is None:
            return ENGLISH
        async with self._context.services.database.read() as tx:
            chosen = (await guilds.settings(tx, guild_id)).language
        guild = self._context.client.get_guild(guild_id)
        return language(chosen or language_for(ENGLISH.code if guild is None else guild.preferred_locale))


async def language_of(context: DeliveryContext, user_id: int) -> Language:
    """Return the language of a direct message to a person: their own or, if that is unknown, the current one."""
    spoken = await context.services.personal_settings.spoken_with(user_id)
    return current_language() if spoken is None else language(spoken.language, spoken.commands)
