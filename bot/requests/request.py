"""A request: who asks for something, where, and how they like to be answered. One frozen value for every way in.

A command, a button, a menu, a form or a web page builds it once; functions below take it and never ask again who asks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from bot.languages.speaking import language
from bot.matches.model.actor import Actor
from bot.matches.model.refusals import Refusal
from bot.matches.services import Services
from bot.messages.wording import listed
from bot.requests.context import BotContext, Place
from bot.storage import guilds
from bot.storage.people import Preferences
from bot.storage.records import Person, RequestId
from bot.storage.responses import Response
from renderers.i18n import Language, gettext_lazy
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

PAGE = "page"
"""The first word of the controls of the board page."""
NEEDS_SERVER = gettext_lazy("This needs a server: use it in a server's channel. Here you can play me, with `/play`.")
PRIVACY = "privacy"
"""The command about what is stored about a person, and the first word of its controls."""


def command_of(control: str | None) -> str:
    """Return the label of a command or control for metrics: its name, without the match and ply behind it."""
    parts = (control or "none").split(":")
    return ":".join(parts[: 2 if parts[0] == PAGE else 1])


@dataclass(frozen=True, slots=True)
class Request:
    """A person asks for something in a place.

    ``id`` makes repeats idempotent. ``locale`` is the tag of the language of their Discord. ``at`` is when the request
    was received. ``control`` is the command or custom id that was used, for the log, and ``message_id`` the message
    that holds it. ``response`` is the answer by which what it stores is posted (``bot.storage.homes``).
    """

    context: BotContext
    id: RequestId
    place: Place
    person: Person
    can_manage_server: bool
    locale: str
    preferences: Preferences
    at: datetime
    control: str | None = None
    message_id: int | None = None
    response: Response | None = None

    @property
    def services(self) -> Services:
        return self.context.services

    @property
    def language(self) -> Language:
        """The language the person is answered in: the one they chose, or that of their Discord."""
        return language(self.preferences.spoken or self.locale, self.locale)

    @property
    def home(self) -> int:
        """What matches belong to that are played here: the server, or the direct messages (``bot.storage.homes``).

        Raises ``Refusal`` where there is neither.
        """
        home = self.place.home
        if home is None and self.place.outside:
            raise Refusal(_("I can't open our direct messages at the moment. Try again in a minute."))
        return self.server if home is None else home

    @property
    def server(self) -> int:
        """The id of the server. Raises ``Refusal`` for direct messages."""
        if self.place.guild_id is None:
            raise Refusal(NEEDS_SERVER)
        return self.place.guild_id

    @property
    def channel(self) -> int:
        """The id of the thread or channel. Raises ``Refusal`` where there is none."""
        return self.actor.channel

    @property
    def actor(self) -> Actor:
        """Who asks, as services see it. Raises ``Refusal`` where nothing is played."""
        return Actor(
            self.home,
            self.person,
            self.id,
            self.at,
            self.place.channel_id,
            self.place.parent_id,
            self.can_manage_server,
            self.response,
        )

    def check_can_manage_server(self) -> None:
        """Raise ``Refusal`` for people who may not manage the server."""
        if not self.can_manage_server:
            raise Refusal(_("Only people who can manage this server can do that."))

    def check_place(self) -> None:
        """Raise ``Refusal`` that says what the bot needs to play here, if it cannot."""
        if self.place.needs_mention:
            raise Refusal(_("I'm not in this private thread yet. Mention me in this thread first, then try again."))
        missing_permissions = self.place.missing_permissions
        if missing_permissions:
            raise Refusal(
                _n(
                    "I can't play in this channel without the permission {permissions}. Ask somebody who manages the "
                    "server to allow it, or use another channel.",
                    "I can't play in this channel without the permissions {permissions}. Ask somebody who manages the "
                    "server to allow them, or use another channel.",
                    len(missing_permissions),
                    permissions=listed(missing_permissions),
                )
            )

    async def to_share(self) -> Actor:
        """Return who asks to share something here or, in the thread of a match, in the channel around it.

        Where bot or person may not post in that channel it is the thread. Raises ``Refusal`` if not there either, and
        for private homes.
        """
        if self.place.guild_id is None:
            raise Refusal(NEEDS_SERVER)
        if (around := await self._channel_around()) is not None:
            return replace(self, place=around).actor
        self.check_place()
        if not self.place.may_post:
            raise Refusal(_("You aren't allowed to post in this channel, so you can't share here."))
        return self.actor

    async def in_public(self) -> Request:
        """Return the request as one for others to see: from a private thread of a match, in the channel around it.

        Where bot or person may not post in that channel it stays in the thread.
        """
        around = await self._channel_around() if self.place.private else None
        return self if around is None else replace(self, place=around)

    async def _channel_around(self) -> Place | None:
        """Return the channel around the thread of a match, where bot and person may post; None otherwise."""
        if not self.place.own_thread or self.place.parent_id is None:
            return None
        channel = await self.context.lookup.place(self.server, self.place.parent_id, self.person.id)
        return channel if channel is not None and channel.bot_may_post and channel.may_post else None

    async def public_language(self) -> str:
        """Return the tag of the language of public messages: the one the server's managers chose, or its own."""
        if self.place.guild_id is None:
            return self.preferences.spoken or self.locale
        settings = await self.services.read(guilds.settings, self.server)
        return settings.language or self.place.language

    async def with_preferences(self) -> Request:
        """Return the request as it begins to be carried out: with the person's preferences.

        The language of a person's Discord is noted by what they do, but not by asking what is stored about them, or to
        delete it: that would store something of people who have just deleted everything.
        """
        settings = self.services.personal_settings
        if command_of(self.control) == PRIVACY:
            preferences = replace(await settings.recent_preferences(self.person.id), locale=self.locale)
        else:
            preferences = await settings.recent_preferences(self.person.id, self.locale)
        return replace(self, preferences=preferences)
