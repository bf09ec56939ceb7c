"""Every call that opens or archives the threads of matches. Raises like ``bot.delivery.discord_calls``."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal

import discord

from bot.delivery.discord_calls import expected_errors
from bot.delivery.refusals import Meaning, meaning

THREAD_EXISTS = 160004
ARCHIVED_AFTER: Literal[10080] = 10080
"""Minutes of silence after which Discord archives a match's thread: a week, the longest there is."""
NEWEST = 50
"""How many of the newest messages of a place are looked through."""


async def open_thread(channel: discord.TextChannel, card_id: int | None, name: str, *, again: bool) -> int:
    """Open a thread on a card, or without a card if that is gone, and return its id.

    If the card already has a thread, return that one. On a retry (``again``), a thread of the same name counts as well.
    Raises ``RefusedError`` or ``UnavailableError``.
    """
    async with expected_errors():
        if card_id is None:
            kind = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
            opened = _own_thread(channel, name, kind) if again else None
            if opened is not None:
                return opened.id
            return (await channel.create_thread(name=name, type=kind, auto_archive_duration=ARCHIVED_AFTER)).id
        try:
            card = channel.get_partial_message(card_id)
            return (await card.create_thread(name=name, auto_archive_duration=ARCHIVED_AFTER)).id
        except discord.HTTPException as error:
            if error.code == THREAD_EXISTS:
                return card_id
            raise


async def open_private_thread(channel: discord.TextChannel, name: str, user_id: int, *, again: bool) -> int:
    """Open a private thread with the bot and one person, and return its id; nothing in the channel announces it.

    If this is tried ``again``, a private thread of that name is the one. Without the person it does not stay. Raises
    ``RefusedError``, ``RejectedError`` or ``UnavailableError``.
    """
    kind = discord.ChannelType.private_thread
    async with expected_errors():
        thread = _own_thread(channel, name, kind) if again else None
        if thread is None:
            thread = await channel.create_thread(name=name, type=kind, auto_archive_duration=ARCHIVED_AFTER)
        # A mention would add the person, too, but not everyone wants to be mentioned.
        try:
            await thread.add_user(discord.Object(user_id))
        except discord.HTTPException as error:
            if meaning(error.status, error.code) not in (None, Meaning.FOR_NOW):
                await _discard(thread)
            raise
        return thread.id


async def _discard(thread: discord.Thread) -> None:
    """Delete a thread of the bot's, or archive it where the bot does not manage threads."""
    with suppress(discord.HTTPException):
        try:
            await thread.delete()
        except discord.Forbidden:
            await thread.edit(archived=True)


def _own_thread(channel: discord.TextChannel, name: str, kind: discord.ChannelType) -> discord.Thread | None:
    """Return an open thread that the bot has opened in a channel, if it is known."""
    own = (thread for thread in channel.threads if thread.owner_id == channel.guild.me.id and thread.type is kind)
    return next((thread for thread in own if thread.name == name), None)


async def remove_announcement(client: discord.Client, channel_id: int, thread_id: int) -> None:
    """Delete the line in a channel that says that the bot has started a thread, if it is among the newest messages.

    Raises ``RefusedError``, ``RejectedError`` or ``UnavailableError``.
    """
    async with expected_errors():
        async for message in client.get_partial_messageable(channel_id).history(limit=NEWEST):
            about = message.reference
            own = client.user is not None and message.author.id == client.user.id
            # A thread has the id of the card it was started on.
            of_thread = about is not None and thread_id in (about.channel_id, about.message_id)
            if message.type is discord.MessageType.thread_created and own and of_thread:
                await message.delete()
                return


async def archive(client: discord.Client, thread_id: int) -> None:
    """Archive a thread, which leaves the list of open ones. Raises like ``archive_soon``."""
    thread = client.get_channel(thread_id)
    if isinstance(thread, discord.Thread):
        async with expected_errors():
            await thread.edit(archived=True)


async def archive_soon(client: discord.Client, thread_id: int) -> None:
    """Have Discord archive a thread after an hour of silence, after a day if people write in it.

    A thread that is not open stays as it is. Raises ``RefusedError``, ``RejectedError`` or ``UnavailableError``.
    """
    thread = client.get_channel(thread_id)
    if not isinstance(thread, discord.Thread):
        return
    async with expected_errors():
        try:
            written = [message.author.bot async for message in thread.history(limit=NEWEST)]
        except discord.Forbidden as error:
            if meaning(error.status, error.code) is not Meaning.PLACE:
                raise
            written = []
        await thread.edit(auto_archive_duration=60 if all(written) else 1440)
