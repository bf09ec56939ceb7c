"""Homes: what a match belongs to, as the number that stands in every ``guild_id``.

A home is a server, by its id, or a **private home**, by minus the id of its channel. In one with a single person they
play alone, and the bot posts there: it is their direct messages with it. In one with several the bot has no access: it
is a group, the direct messages of two people, or a channel of a server without the bot. There it **answers**: a message
is the answer to an interaction, and the token of that answer alone changes it (``bot.storage.responses``).
"""

from __future__ import annotations


def private_home(channel_id: int) -> int:
    return -channel_id


def is_private(home: int) -> bool:
    """Return whether a home is a private one, and no server."""
    return home < 0


def channel_of(home: int) -> int:
    assert is_private(home)
    return -home


def in_address(home: int) -> int | str:
    """Return what stands for a home in addresses of Discord's messages."""
    return "@me" if is_private(home) else home
