"""Lookups at Discord for requests: servers, their members and messages, and where an interaction comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import discord

from bot.delivery import discord_calls
from bot.delivery.discord_calls import RefusedError, UnavailableError, expected_errors
from bot.languages.speaking import language_for
from bot.messages.wording import one_line
from bot.requests.context import ChosenPerson, Place
from bot.storage.homes import channel_of, is_private
from bot.storage.records import Person
from bot.views.outside import is_outside
from bot.views.permissions import (
    is_own_thread,
    is_private_thread,
    may_post,
    missing_permissions,
    needs_mention,
    posts,
)


class ClientLookup:
    """Implements ``DiscordLookup``, from the client's cache where possible and else by a call."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def message_is_gone(self, channel_id: int, message_id: int) -> bool:
        """Return whether a message is certainly deleted."""
        try:
            return not await discord_calls.exists(self._client, channel_id, message_id)
        except UnavailableError:
            return False

    async def has_left(self, guild_id: int, user_id: int) -> bool:
        try:
            return await discord_calls.has_left(self._client, guild_id, user_id)
        except UnavailableError:
            return False

    async def member(self, guild_id: int, user_id: int) -> ChosenPerson | None:
        """Return a member of a server, or None for a person who is not in it. Raises ``UnavailableError``."""
        guild = self._client.get_guild(guild_id)
        assert guild is not None
        try:
            async with expected_errors():
                return chosen_person(await guild.fetch_member(user_id), self._client)
        except RefusedError:
            return None

    def may_post(self, guild_id: int, channel_id: int) -> bool | None:
        """Return whether the bot may post boards in a channel or thread of a server, None for one it does not know."""
        if is_private(guild_id):
            return channel_of(guild_id) == channel_id
        guild = self._client.get_guild(guild_id)
        place = guild and guild.get_channel_or_thread(channel_id)
        return None if place is None else discord_calls.may_post(place)

    async def place(self, guild_id: int, channel_id: int, user_id: int) -> Place | None:
        """Return a channel or thread of a server as a place for what a person does there; None if it is not known."""
        guild = self._client.get_guild(guild_id)
        channel = None if guild is None else guild.get_channel_or_thread(channel_id)
        if guild is None or not isinstance(channel, discord.abc.Messageable):
            return None
        try:
            async with expected_errors():
                member = await guild.fetch_member(user_id)
        except (RefusedError, UnavailableError):
            return None
        return Place(
            guild_id,
            channel_id,
            getattr(channel, "parent_id", None),
            language_for(guild.preferred_locale),
            missing_permissions(channel.permissions_for(guild.me), channel),
            posts(channel.permissions_for(member), channel),
            own_thread=is_own_thread(channel, self._client),
            private=is_private_thread(channel),
        )

    async def visible(self, guild_id: int, channel_ids: Iterable[int], user_id: int) -> frozenset[int]:
        """Return which of some channels and threads a person may see; of private threads those that they manage."""
        if is_private(guild_id):
            return frozenset({channel_of(guild_id)}.intersection(channel_ids))
        guild = self._client.get_guild(guild_id)
        if guild is None:
            return frozenset()
        try:
            async with expected_errors():
                member = await guild.fetch_member(user_id)
        except (RefusedError, UnavailableError):
            return frozenset()
        places = {channel_id: guild.get_channel_or_thread(channel_id) for channel_id in channel_ids}
        return frozenset(
            channel_id
            for channel_id, place in places.items()
            if place is not None and discord_calls.may_open(place, member)
        )

    def channel_names(self, guild_id: int, channel_ids: Iterable[int]) -> Mapping[int, str]:
        guild = self._client.get_guild(guild_id)
        places = {channel_id: guild and guild.get_channel_or_thread(channel_id) for channel_id in channel_ids}
        return {channel_id: place.name for channel_id, place in places.items() if place is not None}


def place_of(interaction: discord.Interaction[Any]) -> Place:
    """Return where an interaction comes from; outside of servers with the bot, the direct messages, if they are open.

    There the bot has all permissions it needs, though Discord does not name them.
    """
    channel, outside = interaction.channel, is_outside(interaction)
    if outside or interaction.guild_id is None:
        channel_id = getattr(interaction.user.dm_channel, "id", None) if outside else interaction.channel_id
        language = language_for(interaction.locale)
        return Place(None, channel_id, language=language, direct=channel_id is not None, outside=outside)
    return Place(
        interaction.guild_id,
        interaction.channel_id,
        getattr(channel, "parent_id", None),
        language_for(interaction.guild_locale),
        missing_permissions(interaction.app_permissions, channel),
        may_post(interaction),
        needs_mention(interaction),
        is_own_thread(channel, interaction.client),
        is_private_thread(channel),
    )


def person(user: discord.User | discord.Member, *, outside: bool = False) -> Person:
    """Return a person under the name they have in the server or, ``outside``, in all of Discord."""
    name = (user.global_name or user.name) if outside else user.display_name
    return Person(user.id, one_line(name) or user.name)


def chosen_person(user: discord.User | discord.Member, client: discord.Client) -> ChosenPerson:
    return ChosenPerson(person(user), user.bot, user == client.user, isinstance(user, discord.Member))
