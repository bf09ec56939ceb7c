"""Every call that speaks into a channel, and which of its errors are expected.

Discord's answers become three: it is done, it is refused for good, or it has to be tried later.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol

import aiohttp
import discord

from bot.delivery.courier import LaterError, MalformedError

THREAD_EXISTS = 160004
ARCHIVED_AFTER: Literal[10080] = 10080
"""Minutes of silence after which a match's thread is put away: a week, the longest there is."""
ARCHIVED = 50083
_CLOSED_PLACE = {ARCHIVED, 160005}
"""Archived and locked threads answer 400 with these codes: the place is closed for good, the message is not wrong."""
_NO_THREAD = {50024, 160006, 160007}
"""No thread is possible: the wrong kind of channel, or too many threads already. These are answered with 400, too."""
_MALFORMED = {400, 413}
"""Any other answer of these says that the message is wrong, or too large."""

CLOCKS_DIFFER = timedelta(minutes=10)
"""How far Discord's clock, which dates messages, may be behind ours."""
SEARCHED = 1000
"""Messages looked through for one that was perhaps posted, the newest first."""


class RefusedError(Exception):
    """Discord refuses for good: the place or the message is gone, or the bot may not do it."""

    def __init__(self, error: discord.HTTPException) -> None:
        super().__init__(f"{error.status} {error.text} ({error.code})")
        self.gone = error.status == 404


class Attached(Protocol):
    """Something sent along with a message."""

    def file(self) -> discord.File:
        """Return it as a new attachment; each can be sent once."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to be posted, as often as it takes.

    ``marker`` is the ``custom_id`` of a control by which it is recognised later; ``mentions`` are the people notified.
    """

    view: discord.ui.LayoutView
    marker: str
    attached: tuple[Attached, ...] = ()
    mentions: tuple[int, ...] = ()


@asynccontextmanager
async def expected_errors() -> AsyncIterator[None]:
    """Translate what Discord and the network raise."""
    try:
        yield
    except (discord.Forbidden, discord.NotFound) as error:
        raise RefusedError(error) from error
    except discord.HTTPException as error:
        if error.code in _CLOSED_PLACE | _NO_THREAD:
            raise RefusedError(error) from error
        if error.status == 429 or error.status >= 500:
            wait = error.response.headers.get("Retry-After", "0")
            raise LaterError(f"{error.status} {error.text}", _seconds(wait)) from error
        if error.status in _MALFORMED:
            raise MalformedError(f"{error.status} {error.text} ({error.code})") from error
        raise
    except discord.RateLimited as error:
        raise LaterError("429 rate limited", error.retry_after) from error
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise LaterError(f"unreachable: {error!r}") from error


def may_post(place: Any) -> bool:
    """Return whether the bot's permissions let it post boards in a channel or thread."""
    allowed = place.permissions_for(place.guild.me)
    may_send = allowed.send_messages_in_threads if isinstance(place, discord.Thread) else allowed.send_messages
    return bool(allowed.view_channel and allowed.attach_files and may_send)


async def post(client: discord.Client, place_id: int, outgoing: Outgoing, nonce: int) -> int:
    """Post a message and return its id. Raises ``RefusedError`` or ``LaterError``."""
    async with expected_errors():
        message = await client.get_partial_messageable(place_id).send(
            view=outgoing.view,
            files=[attached.file() for attached in outgoing.attached],
            nonce=str(nonce),
            allowed_mentions=discord.AllowedMentions(
                everyone=False, roles=False, users=[discord.Object(user_id) for user_id in outgoing.mentions]
            ),
        )
    return message.id


async def rewrite(client: discord.Client, place_id: int, message_id: int, view: discord.ui.LayoutView) -> None:
    """Give a posted message other text and controls; its pictures stay. Raises ``RefusedError`` or ``LaterError``.

    In a thread put away nothing can be changed, so it is taken out again, as a new message would do.
    """
    async with expected_errors():
        edit = client.get_partial_messageable(place_id).get_partial_message(message_id).edit
        try:
            await edit(view=view, allowed_mentions=discord.AllowedMentions.none())
        except discord.HTTPException as error:
            place = await client.fetch_channel(place_id) if error.code == ARCHIVED else None
            if not isinstance(place, discord.Thread):
                raise
            await place.edit(archived=False)
            await edit(view=view, allowed_mentions=discord.AllowedMentions.none())


async def exists(client: discord.Client, place_id: int, message_id: int) -> bool:
    """Return whether a posted message is still there, as far as the bot may see. Raises ``LaterError``."""
    try:
        async with expected_errors():
            await client.get_partial_messageable(place_id).fetch_message(message_id)
    except RefusedError as error:
        return not error.gone
    return True


async def find_posted(client: discord.Client, place_id: int, marker: str, since: datetime) -> int | None:
    """Return the id of an own message since then that carries the control ``marker``. Raises ``LaterError``.

    A place whose history cannot be read holds nothing that can be found.
    """
    after = since - CLOCKS_DIFFER
    try:
        async with expected_errors():
            history = client.get_partial_messageable(place_id).history(limit=SEARCHED, after=after, oldest_first=False)
            async for message in history:
                if client.user is not None and message.author.id == client.user.id and _carries(message, marker):
                    return message.id
    except RefusedError:
        return None
    return None


async def open_thread(channel: discord.TextChannel, card_id: int | None, name: str, *, again: bool) -> int:
    """Open a thread on a card, or beside it where there is none, and return its id.

    Raises ``RefusedError`` or ``LaterError``. A thread that stands on the card already is that thread, and when this is
    tried ``again`` so is one of that name.
    """
    async with expected_errors():
        if card_id is None:
            own = (thread for thread in channel.threads if thread.owner_id == channel.guild.me.id)
            opened = next((thread for thread in own if thread.name == name), None) if again else None
            if opened is not None:
                return opened.id
            public = discord.ChannelType.public_thread
            return (await channel.create_thread(name=name, type=public, auto_archive_duration=ARCHIVED_AFTER)).id
        try:
            card = channel.get_partial_message(card_id)
            return (await card.create_thread(name=name, auto_archive_duration=ARCHIVED_AFTER)).id
        except discord.HTTPException as error:
            if error.code == THREAD_EXISTS:
                return card_id
            raise


async def whisper(client: discord.Client, user_id: int, text: str, nonce: int) -> None:
    """Send a direct message. Raises ``RefusedError`` or ``LaterError``."""
    async with expected_errors():
        user = client.get_user(user_id) or await client.fetch_user(user_id)
        await user.send(text, nonce=str(nonce), allowed_mentions=discord.AllowedMentions.none())


def _carries(message: discord.Message, marker: str) -> bool:
    view = discord.ui.LayoutView.from_message(message, timeout=None)
    return any(getattr(item, "custom_id", None) == marker for item in view.walk_children())


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
