"""The people who use the page: their sessions, and their requests. Sessions of people who left the server are ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from uuid import UUID, uuid4

import structlog
from aiohttp import web

from bot.languages.speaking import language
from bot.matches.service_context import Idle
from bot.requests.context import BotContext, Place
from bot.requests.request import Request
from bot.storage.people import Preferences
from bot.storage.records import Person
from renderers.i18n import speak

log = structlog.get_logger(__name__)

LOOK_EVERY = 300.0
"""Seconds between two searches for sessions that were not checked for a day."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person who uses the page, for their matches of one server. ``session_id`` is None without a session.

    ``address`` is what people without an account are counted by.
    """

    person: Person
    guild_id: int
    locale: str
    session_id: int | None = None
    address: str = ""


Authenticate = Callable[[web.Request], Awaitable[Visitor | None]]
"""Returns who sends a request, or None."""


def request_of(context: BotContext, visitor: Visitor, control: str, request_id: UUID | None = None) -> Request:
    """Return what a visitor asks for as a request, and speak their language from here on.

    A repetition is recognised by ``request_id``; what changes nothing needs none. ``control`` is for the log.
    """
    preferences = context.services.personal_settings.last_known(visitor.person.id) or Preferences()
    speak(language(preferences.spoken or visitor.locale, visitor.locale))
    return Request(
        context,
        request_id or uuid4(),
        Place.of_home(visitor.guild_id, visitor.locale),
        visitor.person,
        False,
        visitor.locale,
        preferences,
        context.services.clock(),
        f"page:{control}",
    )


async def check_members(context: BotContext, idle: Callable[[], Idle]) -> None:
    """End sessions of people who have left a server of this process, each checked once a day, until cancelled."""
    while True:
        try:
            await context.services.page_access.check_members(context.lookup.has_left)
        except Exception:
            log.exception("members are not checked")
        await idle()(asyncio.sleep(LOOK_EVERY), reason="members were checked")
