"""A bot's place among the bots that share a PostgreSQL database: its registration, its slot, and the handover of
its slot. Knows neither commands nor the Discord client.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.calls import CallLimits
from bot.cluster.gateway import Gateway
from bot.cluster.handover import Handover
from bot.cluster.slots import SlotTaker
from bot.games import GAMES
from bot.settings import Settings
from bot.storage.database import Database
from bot.storage.errors import LeaseLost, explain_errors
from bot.storage.registration import BOT, Registration
from bot.storage.slots import Partition
from bot.storage.transactions import retry_until_stored


class ClusterMember:
    """One bot among several, from ``join`` to ``close``.

    ``on_lost`` is called once, when other processes have taken over from this one.
    """

    def __init__(
        self,
        database: Database,
        gateway: Gateway,
        settings: Settings,
        calls: CallLimits,
        on_lost: Callable[[], None],
    ) -> None:
        self._database = database
        self._slots = SlotTaker(database, gateway, settings)
        self._registration = Registration(database, BOT, self._wake, on_lost, rules=GAMES.rules)
        calls.lease_expired = self._registration.has_lapsed
        self._handover = Handover(database, self._registration)
        self._taking_over = asyncio.Lock()

    async def join(self) -> Partition:
        """Register, wait for a slot and take it; return its servers. Raises ``StorageError``.

        Waits while the database or Discord is away.
        """
        with explain_errors(self._database.url):
            await retry_until_stored(self._registration.open)
            slot = await self._slots.take()
        self._handover.take(slot)
        return slot.partition

    @property
    def warning(self) -> str | None:
        """A warning for the operator, if the clock of this machine differs from the database's."""
        return self._registration.warning

    @property
    def succeeding(self) -> bool:
        """Whether this bot is a successor that has not taken its slot yet."""
        return self._handover.pending

    async def succeed(self, begin: Callable[[], Awaitable[None]]) -> bool | None:
        """Take the slot from its holder and begin to serve; return whether that was still possible.

        Returns None where this bot is no successor, or no longer.
        """
        async with self._taking_over:
            if not self.succeeding:
                return None
            try:
                if not await self._handover.succeed():
                    return False
                await retry_until_stored(begin)
            except LeaseLost:
                return False
            return True

    async def claim(self, interaction: discord.Interaction[Any]) -> bool:
        """Return whether this bot answers an interaction that another bot may receive, too."""
        return await self._handover.claim(interaction)

    async def hand_over(self, beat: Callable[[], Awaitable[None]], at_once: asyncio.Event) -> bool:
        """Hand the slot over to a bot that stands by; return whether one took it.

        ``beat`` is called about once a second while this bot serves. ``at_once`` ends the waiting.
        """
        return await self._handover.give(beat, at_once)

    async def wait_to_identify(self, shard_id: int) -> None:
        """Wait until Discord lets one more connection identify itself, counted over all processes."""
        await self._slots.may_identify(shard_id)

    async def close(self) -> None:
        """Stop watching the predecessor and sign off, so that other processes can take the slot at once."""
        await self._handover.close()
        await self._slots.close()
        await self._registration.close()

    def _wake(self) -> None:
        self._database.signals.received()
        self._slots.wake()
        self._handover.wake()
