"""Private answers of which only the newest is of use: the one before is deleted, so that nobody uses it by mistake.

Discord lets a private answer be deleted for a quarter of an hour. An older one, or one from before a restart, stays and
works like the newest.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from contextlib import suppress
from typing import Any, Final
from weakref import WeakKeyDictionary

import aiohttp
import discord

_KEPT: Final = 5_000
"""Answers remembered by one client; the oldest are forgotten first."""

_Answers = OrderedDict[Hashable, discord.Interaction[Any]]
_OF_CLIENTS: WeakKeyDictionary[discord.Client, _Answers] = WeakKeyDictionary()


async def replace_earlier(interaction: discord.Interaction[Any], *about: Hashable) -> None:
    """Delete the person's earlier answer ``about`` the same; ``interaction`` has just been answered with a new one."""
    answers = _OF_CLIENTS.setdefault(interaction.client, OrderedDict())
    key = (interaction.user.id, *about)
    earlier = answers.pop(key, None)
    answers[key] = interaction
    if len(answers) > _KEPT:
        answers.popitem(last=False)
    if earlier is not None and not earlier.is_expired():
        with suppress(discord.HTTPException, aiohttp.ClientError, OSError):
            await earlier.delete_original_response()
