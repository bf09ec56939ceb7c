"""Private answers of which only the newest is of use: the earlier one is deleted.

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

_Answers = OrderedDict[Hashable, discord.Interaction[Any]]
_last_answers: WeakKeyDictionary[discord.Client, _Answers] = WeakKeyDictionary()
"""For each client, the newest answer to a person about each subject."""
_REMEMBERED: Final = 5_000
"""Answers remembered by one client; the oldest are forgotten first."""


async def remove_earlier(interaction: discord.Interaction[Any], *about: Hashable) -> None:
    """Delete the person's earlier answer ``about`` something, which they are done with."""
    earlier = _last_answers.setdefault(interaction.client, OrderedDict()).pop((interaction.user.id, *about), None)
    await _delete(earlier)


async def _delete(earlier: discord.Interaction[Any] | None) -> None:
    if earlier is not None and not earlier.is_expired():
        with suppress(discord.HTTPException, aiohttp.ClientError, OSError):
            await earlier.delete_original_response()


async def replace_earlier(interaction: discord.Interaction[Any], *about: Hashable) -> None:
    """Delete the person's earlier answer ``about`` the same; ``interaction`` has just been answered with a new one.

    The person can then not use the earlier one by mistake.
    """
    answers = _last_answers.setdefault(interaction.client, OrderedDict())
    key = (interaction.user.id, *about)
    earlier = answers.pop(key, None)
    answers[key] = interaction
    if len(answers) > _REMEMBERED:
        answers.popitem(last=False)
    await _delete(earlier)
