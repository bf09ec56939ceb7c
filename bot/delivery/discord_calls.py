"""Every call that posts, changes or looks up messages, and which of its errors are expected.

Discord's answers become four: done, refused for good, rejected, or to be tried later.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any, Literal

import aiohttp
import discord

from bot.delivery.errors import RefusedError, RejectedError, UnavailableError
from bot.messages.layout import Outgoing, file

THREAD_EXISTS = 160004
ARCHIVED_AFTER: Literal[10080] = 10080
"""Minutes of silence after which a match's thread is put away: a week, the longest there is."""
ARCHIVED = 50083
_CLOSED_PLACE = {ARCHIVED, 160005}
"""Archived and locked threads answer 400 with these codes: the place is closed for good, the message is not wrong."""
_NO_THREAD = {50024, 160006, 160007}
"""No thread is possible: the wrong kind of channel, or too many threads already. These are answered with 400, too."""
_REJECTED = {400, 413}
"""Any other answer of these says that the message is wrong, or too large."""

CLOCKS_DIFFER = timedelta(minutes=10)
"""How far Discord's clock, which dates messages, may be behind ours."""
REPEATS = 2
"""How often a message is sent again at once where no answer came: Discord knows its nonce for some minutes only."""


@asynccontextmanager
async def expected_errors() -> AsyncIterator[None]:
    """Translate what Discord and the network raise."""
    try:
        yield
    except (discord.Forbidden, discord.NotFound) as error:
        raise RefusedError(error.status, error.code, error.text) from error
    except discord.HTTPException as error:
        if error.code in _CLOSED_PLACE | _NO_THREAD:
            raise RefusedError(error.status, error.code, error.text) from error
        if error.status == 429 or error.status >= 500:
            wait = error.response.headers.get("Retry-After", "0")
            raise UnavailableError(f"{error.status} {error.text}", _seconds(wait)) from error
        if error.status in _REJECTED:
            raise RejectedError(error.status, error.code, error.text) from error
        raise
    except discord.RateLimited as error:
        raise UnavailableError("429 rate limited", error.retry_after) from error
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise UnavailableError(f"unreachable: {error!r}", unanswered=True) from error


def may_post(place: Any) -> bool:
    """Return whether the bot's permissions let it post boards in a channel or thread."""
    allowed = place.permissions_for(place.guild.me)
    may_send = allowed.send_messages_in_threads if isinstance(place, discord.Thread) else allowed.send_messages
    return bool(allowed.view_channel and allowed.attach_files and may_send)


async def post(client: discord.Client, place_id: int, outgoing: Outgoing, nonce: str) -> int:
    """Post a message and return its id; Discord posts one of a ``nonce`` once within some minutes.

    Raises ``RefusedError``, ``RejectedError`` or ``UnavailableError``.
    """
    mentioned = [discord.Object(user_id) for user_id in outgoing.mentions]

    async def send() -> int:
        message = await client.get_partial_messageable(place_id).send(
            view=outgoing.view,
            files=[file(attached) for attached in outgoing.attached],
            nonce=nonce,
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=mentioned),
        )
        return message.id

    return await _sent_once(send)


async def rewrite(client: discord.Client, place_id: int, message_id: int, view: discord.ui.LayoutView) -> None:
    """Give a posted message other text and controls; its pictures stay.

    In a thread put away nothing can be changed, so it is taken out again, as a new message would do. Raises
    ``RefusedError``, ``RejectedError`` or ``UnavailableError``.
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
    """Return whether a posted message is still there, as far as the bot may see. Raises ``UnavailableError``."""
    try:
        async with expected_errors():
            await client.get_partial_messageable(place_id).fetch_message(message_id)
    except RefusedError as error:
        return not error.gone
    return True


async def find_posted(client: discord.Client, place_id: int, marker: str, since: datetime) -> int | None:
    """Return the id of an own message since then that carries the control ``marker``, however many came after it.

    A place whose history cannot be read holds nothing that can be found. Raises ``UnavailableError``.
    """
    after = since - CLOCKS_DIFFER
    try:
        async with expected_errors():
            history = client.get_partial_messageable(place_id).history(limit=None, after=after, oldest_first=False)
            async for message in history:
                if client.user is not None and message.author.id == client.user.id and _carries(message, marker):
                    return message.id
    except RefusedError:
        return None
    return None


async def open_thread(channel: discord.TextChannel, card_id: int | None, name: str, *, again: bool) -> int:
    """Open a thread on a card, or beside it where there is none, and return its id.

    A thread that stands on the card already is that thread, and when this is tried ``again`` so is one of that name.
    Raises ``RefusedError`` or ``UnavailableError``.
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


async def send_directly(client: discord.Client, user_id: int, text: str, nonce: str) -> None:
    """Send a direct message; Discord posts one of a ``nonce`` once within some minutes.

    Raises ``RefusedError``, ``RejectedError`` or ``UnavailableError``.
    """

    async def send() -> int:
        user = client.get_user(user_id) or await client.fetch_user(user_id)
        return (await user.send(text, nonce=nonce, allowed_mentions=discord.AllowedMentions.none())).id

    await _sent_once(send)


async def _sent_once(send: Callable[[], Awaitable[int]]) -> int:
    """Send something that carries a nonce; where no answer comes, at once again, for which Discord has the first."""
    for _ in range(REPEATS):
        try:
            async with expected_errors():
                return await send()
        except UnavailableError as error:
            if not error.unanswered:
                raise
    async with expected_errors():
        return await send()


def _carries(message: discord.Message, marker: str) -> bool:
    view = discord.ui.LayoutView.from_message(message, timeout=None)
    return any(getattr(item, "custom_id", None) == marker for item in view.walk_children())


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
