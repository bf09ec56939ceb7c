"""Homes: what a match belongs to, as the number that stands in every ``guild_id``.

A home is a server, by its id, or the direct messages of the bot and one person, by minus the id of their channel.
"""

from __future__ import annotations


def direct_home(channel_id: int) -> int:
    """Return the home that a channel of direct messages is."""
    return -channel_id


def is_direct(home: int) -> bool:
    """Return whether a home is the direct messages of the bot and a person, and no server."""
    return home < 0


def channel_of(home: int) -> int:
    """Return the channel of direct messages that a home is."""
    assert is_direct(home)
    return -home


def in_address(home: int) -> int | str:
    """Return what stands for a home in addresses of Discord's messages."""
    return "@me" if is_direct(home) else home
