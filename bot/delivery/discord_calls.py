"""Every call that posts, changes or looks up messages, and the errors that are expected of it.

Discord's answers become four: done, refused for good, rejected, and try again later. ``bot.delivery.refusals`` says
which of these a refusal is.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any, TypeVar

import aiohttp
import discord
import structlog

from bot.delivery import attached_files
from bot.delivery.refusals import ARCHIVED, FOR_NOW, NO_MEMBER, PERSON, Meaning, meaning
from bot.messages.layout import Outgoing, file, pictures_in, without_pictures
from bot.messages.pictures import Attachment, Picture
from bot.storage.homes import is_private
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

T = TypeVar("T")


class UnavailableError(Exception):
    """Discord cannot do it now (429, 5xx, unreachable, a refusal for now). It asks for no calls for ``after`` seconds.

    ``unanswered`` means that no answer came at all, so Discord may have done it.
    """

    def __init__(self, message: str, after: float = 0.0, *, unanswered: bool = False) -> None:
        super().__init__(message)
        self.after = after
        self.unanswered = unanswered


class RefusedError(Exception):
    """Discord refuses for good: message or place is gone or closed, or a person takes no direct messages."""

    def __init__(self, status: int, code: int, text: str = "") -> None:
        super().__init__(f"{status} {code} {text}".rstrip())
        self.code = code
        self.gone = meaning(status, code) is Meaning.GONE
        self.by_person = code in PERSON


class RejectedError(Exception):
    """Discord rejects the content of the message (400, 413). Sending it again would not help."""

    def __init__(self, status: int, code: int, text: str = "") -> None:
        super().__init__(f"{status} {code} {text}".rstrip())
        self.answer = f"{status} {code}"


class UndeliverableError(Exception):
    """Discord refuses a message in every place where it could stand."""


class NoResponseError(Exception):
    """Where the bot only answers (``bot.storage.homes``), no answer is left by which the message can be posted."""


ServerPlace = discord.abc.GuildChannel | discord.Thread
CLOCKS_DIFFER = timedelta(minutes=10)
"""How far Discord's clock, which dates messages, may be behind this machine's where no earlier id is known."""
REPEATS = 2
"""How often a message without an answer is sent again at once: Discord knows its nonce for some minutes only."""


@asynccontextmanager
async def expected_errors() -> AsyncIterator[None]:
    """Translate the errors of discord.py and of the network."""
    try:
        yield
    except discord.HTTPException as error:
        meant = meaning(error.status, error.code)
        if meant is Meaning.CONTENT:
            raise RejectedError(error.status, error.code, error.text) from error
        if meant is Meaning.FOR_NOW:
            _tell_operator(error)
            raise UnavailableError(f"{error.status} {error.code} {error.text}") from error
        if meant is not None:
            raise RefusedError(error.status, error.code, error.text) from error
        if error.status == 429 or error.status >= 500:
            wait = error.response.headers.get("Retry-After", "")
            seconds = float(wait) if wait.replace(".", "", 1).isdecimal() else 0.0
            raise UnavailableError(f"{error.status} {error.text}", seconds) from error
        raise
    except discord.RateLimited as error:
        raise UnavailableError("429 rate limited", error.retry_after) from error
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise UnavailableError(f"unreachable: {error!r}", unanswered=True) from error


def _tell_operator(error: discord.HTTPException) -> None:
    """Count a refusal for now, and say what Discord refuses."""
    code = str(error.code)
    metrics.DISCORD_REFUSALS.labels(code if code in metrics.REFUSAL_CODES else "other").inc()
    why, cause = FOR_NOW.get(error.code, error.text), f"Discord {error.status} {error.code}"
    log.error("Discord refuses for now, and is asked again", cause=cause, error=f"{cause}: {why}")


def _is(meant: Meaning, error: discord.HTTPException) -> bool:
    return meaning(error.status, error.code) is meant


def may_post(place: Any) -> bool:
    """Return whether the bot's permissions let it post boards in a channel or thread."""
    if place.guild.me is None:
        return False
    allowed = place.permissions_for(place.guild.me)
    may_send = allowed.send_messages_in_threads if isinstance(place, discord.Thread) else allowed.send_messages
    return bool(allowed.view_channel and allowed.attach_files and may_send)


async def post(client: discord.Client, place_id: int, outgoing: Outgoing, nonce: str) -> int:
    """Post a message and return its id. Discord ignores a repeated ``nonce`` for some minutes.

    Raises ``RefusedError``, ``RejectedError`` or ``UnavailableError``.
    """
    mentioned = [discord.Object(user_id) for user_id in outgoing.mentions]

    async def send() -> int:
        message = await client.get_partial_messageable(place_id).send(
            view=outgoing.view,
            files=[file(attached) for attached in outgoing.attached],
            nonce=nonce,
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=mentioned),
            silent=outgoing.silent,
        )
        attached_files.remember(client, message)
        return message.id

    return await _sent_once(send)


async def rewrite(
    client: discord.Client,
    place_id: int,
    message_id: int,
    view: discord.ui.LayoutView,
    attached: Sequence[Picture | Attachment] | None = None,
) -> None:
    """Change the text and controls of a posted message; its pictures stay unless ``attached`` replaces them.

    Archived threads are read-only, so this unarchives them first, as a new message would. If Discord does not accept
    that pictures stay, or does not say which there are, the message loses them, but gets its new controls. Raises
    ``RefusedError``, ``RejectedError`` or ``UnavailableError``.
    """
    async with expected_errors():
        message = client.get_partial_messageable(place_id).get_partial_message(message_id)
        keeps = () if attached is not None else pictures_in(view)
        try:
            present = await attached_files.of(client, message) if keeps else []
            kept = [attachment for attachment in present if attachment.filename in keeps]
        except discord.Forbidden as error:
            if not _is(Meaning.PLACE, error):
                raise
            # The bot may change its message, and not read it.
            kept = []

        async def edit(view: discord.ui.LayoutView, files: dict[str, Any]) -> None:
            await message.edit(view=view, allowed_mentions=discord.AllowedMentions.none(), **files)

        async def edit_in_place() -> None:
            # Files are made anew each time: one can be sent once.
            if keeps and not kept:
                # The message of a voided match has no picture, or the bot may not see it.
                await edit(without_pictures(view), {"attachments": []})
            elif keeps:
                await edit(view, {"attachments": kept})
            elif attached is None:
                await edit(view, {})
            else:
                attached_files.forget(client, message_id)
                await edit(view, {"attachments": [file(attachment) for attachment in attached]})

        try:
            await edit_in_place()
        except discord.HTTPException as error:
            if error.code == ARCHIVED:
                place = await client.fetch_channel(place_id)
                if not isinstance(place, discord.Thread):
                    raise
                await place.edit(archived=False)
                await edit_in_place()
            elif keeps and _is(Meaning.CONTENT, error):
                log.warning("message changed without its pictures", message=message_id, error=str(error))
                await edit(without_pictures(view), {"attachments": []})
            else:
                raise


async def place(client: discord.Client, place_id: int) -> ServerPlace | None:
    """Return a channel or thread of a server, also an archived thread; None where it is gone or closed to the bot.

    Raises ``UnavailableError``.
    """
    try:
        async with expected_errors():
            channel = client.get_channel(place_id) or await client.fetch_channel(place_id)
    except RefusedError:
        return None
    return channel if isinstance(channel, ServerPlace) else None


def may_open(place: ServerPlace, member: discord.Member) -> bool:
    """Return whether a member can open a channel or thread: of private threads, those that they manage."""
    allowed = place.permissions_for(member)
    return allowed.view_channel and (
        allowed.manage_threads or not (isinstance(place, discord.Thread) and place.is_private())
    )


def seen_by_readers(read: ServerPlace, place_ids: Iterable[int]) -> list[int]:
    """Return those of some channels and threads that all who read a channel or thread may certainly see."""
    return [place_id for place_id in place_ids if place_id == read.id or _seen_by_readers(read, place_id)]


def _seen_by_readers(read: ServerPlace, other_id: int) -> bool:
    other = read.guild.get_channel_or_thread(other_id)
    if other is None or (isinstance(other, discord.Thread) and other.is_private()):
        return False
    reading, seeing = (place.parent if isinstance(place, discord.Thread) else place for place in (read, other))
    if reading is None or seeing is None:
        return False
    closed = any(allowed.view_channel is False for allowed in seeing.overwrites.values())
    open_to_all = seeing.permissions_for(read.guild.default_role).view_channel and not closed
    return open_to_all or reading.overwrites == seeing.overwrites


async def sees(place: ServerPlace, user_id: int) -> bool:
    """Return whether a person can open a channel or thread. Raises ``UnavailableError``."""
    try:
        async with expected_errors():
            return may_open(place, await place.guild.fetch_member(user_id))
    except RefusedError:
        return False


async def exists(client: discord.Client, place_id: int, message_id: int) -> bool:
    """Return whether a posted message still exists, as far as the bot may see. Raises ``UnavailableError``."""
    try:
        async with expected_errors():
            await client.get_partial_messageable(place_id).fetch_message(message_id)
    except RefusedError as error:
        return not error.gone
    return True


async def has_left(client: discord.Client, guild_id: int, user_id: int) -> bool:
    """Return whether a person is certainly not in a server that the bot is in; False for their direct messages.

    Raises ``UnavailableError``.
    """
    if is_private(guild_id):
        return False
    try:
        async with expected_errors():
            await client.http.get_member(guild_id, user_id)
    except RefusedError as error:
        return error.code in NO_MEMBER
    return False


async def find_posted(
    client: discord.Client, place_id: int, marker: str, since: datetime, known_id: int | None
) -> int | None:
    """Return the id of the bot's message since then with the control ``marker``, however many came after it.

    Discord dates messages by its own clock, in their ids. ``known_id`` is an id that it gave before the message, if one
    is known: then that clock may be behind this machine's by any time. In a place whose history the bot may not read it
    finds nothing. Raises ``UnavailableError``.
    """
    by_time = discord.utils.time_snowflake(since - CLOCKS_DIFFER)
    after = discord.Object(by_time if known_id is None else min(by_time, known_id))
    try:
        async with expected_errors():
            history = client.get_partial_messageable(place_id).history(limit=None, after=after, oldest_first=False)
            async for message in history:
                if client.user is None or message.author.id != client.user.id:
                    continue
                view = discord.ui.LayoutView.from_message(message, timeout=None)
                if any(getattr(item, "custom_id", None) == marker for item in view.walk_children()):
                    attached_files.remember(client, message)
                    return message.id
    except RefusedError:
        return None
    return None


async def send_directly(client: discord.Client, user_id: int, outgoing: Outgoing | str, nonce: str) -> tuple[int, int]:
    """Send a direct message without mentions; return the ids of its channel and of the message.

    Discord ignores a repeated ``nonce`` for some minutes. Raises ``RefusedError``, ``RejectedError`` or
    ``UnavailableError``.
    """

    async def send() -> tuple[int, int]:
        user, mentions = client.get_user(user_id) or await client.fetch_user(user_id), discord.AllowedMentions.none()
        if isinstance(outgoing, str):
            message = await user.send(outgoing, nonce=nonce, allowed_mentions=mentions)
        else:
            files = [file(attached) for attached in outgoing.attached]
            view, silent = outgoing.view, outgoing.silent
            message = await user.send(view=view, files=files, nonce=nonce, allowed_mentions=mentions, silent=silent)
        return message.channel.id, message.id

    return await _sent_once(send)


async def direct_place(client: discord.Client, user_id: int) -> int:
    """Return the channel of direct messages to a person. Raises ``RefusedError`` or ``UnavailableError``."""
    async with expected_errors():
        user = client.get_user(user_id) or await client.fetch_user(user_id)
        return (user.dm_channel or await user.create_dm()).id


async def _sent_once(send: Callable[[], Awaitable[T]]) -> T:
    """Send a message with a nonce. If no answer comes, send it again: Discord then answers with the first one."""
    for _ in range(REPEATS):
        try:
            async with expected_errors():
                return await send()
        except UnavailableError as error:
            if not error.unanswered:
                raise
    async with expected_errors():
        return await send()
