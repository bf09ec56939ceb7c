"""How a slot changes hands while people play: the successor connects before the holder leaves. Meanwhile both receive
every interaction, and one of them claims it.

A holder that has to stop names a successor among the processes that stand by. From then on it answers only interactions
that it has claimed. The successor connects, claims what it receives, and takes the slot once it is ready; then the
holder leaves. Without a handover a claim costs nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import discord
import structlog
from sqlalchemy.exc import SQLAlchemyError

from bot.storage import interactions, locks, processes, slots
from bot.storage.database import Database
from bot.storage.errors import DatabaseAway, LeaseLost
from bot.storage.registration import BOT, Registration
from bot.storage.slots import Slot
from bot.storage.transactions import cancel_all, retried, retry_until_stored
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

LOOKED_EVERY = 1.0
"""Seconds between two looks at the progress of a handover, unless another process tells of it."""
ANSWERED_WITHIN = 3.0
"""Seconds within which Discord wants an interaction acknowledged; later answers are refused."""
CLAIMED_WITHIN = 2.0
"""Seconds an interaction waits for its claim, so that it can still be acknowledged in time."""
GIVEN_UP = 10.0
"""Seconds a stop waits for the acknowledgement of a claimed interaction."""
HOLDER_FIRST = 0.5
"""Seconds a successor that is not ready leaves an interaction to the holder, before it claims the interaction."""
LONGEST = 90.0
"""Seconds a process that has to stop waits for its successor. Then it stops without one."""
KEPT = timedelta(minutes=1)
"""How long claims are kept: longer than their interactions can be answered."""


class Handover:
    """Decides which interactions this process answers, and hands its slot over."""

    def __init__(self, database: Database, registration: Registration) -> None:
        self._database = database
        self._registration = registration
        self._news = asyncio.Event()
        self._slot: int | None = None
        self._shared = False
        """Whether another process may receive the same interactions."""
        self._left = False
        """Whether the successor answers everything."""
        self._predecessor: int | None = None
        """The holder that named this process its successor, until this process is ready."""
        self._unanswered: set[discord.Interaction[Any]] = set()
        """Interactions that are being claimed, or were claimed a moment ago."""
        self._watching: asyncio.Task[None] | None = None

    @property
    def pending(self) -> bool:
        """Whether this process is a successor that has not taken its slot yet."""
        return self._predecessor is not None

    def wake(self) -> None:
        """Look soon at the progress of the handover."""
        self._news.set()

    def take(self, slot: Slot) -> None:
        """Serve a slot as its holder or as its successor. A successor shares every interaction with the holder."""
        self._slot = slot.partition.slot
        if slot.holder != self._token:
            self._shared, self._predecessor = True, slot.holder

    async def claim(self, interaction: discord.Interaction[Any]) -> bool:
        """Return whether this process answers an interaction. Call it before the interaction is acknowledged."""
        if self._left:
            return False
        if not self._shared and self._registration.current():
            return True
        if self.pending:
            await asyncio.sleep(HOLDER_FIRST)
        self._unanswered.add(interaction)
        asyncio.get_running_loop().call_later(GIVEN_UP, self._unanswered.discard, interaction)
        won = False
        claiming = asyncio.create_task(self._claim(interaction.id))
        try:
            done, _ = await asyncio.wait({claiming}, timeout=CLAIMED_WITHIN)
            if not done:
                claiming.cancel()
                raise TimeoutError
            won = claiming.result()
        except LeaseLost:
            pass
        except Exception as error:
            log.warning("interaction not claimed", interaction=interaction.id, error=repr(error))
            # Without the database the only answer is an apology, and of two processes only one may give it.
            won = not self._shared
        if not won:
            self._unanswered.discard(interaction)
        metrics.INTERACTION_CLAIMS.labels("won" if won else "lost").inc()
        return won

    @retried
    async def _claim(self, interaction_id: int) -> bool:
        async with self._database.write() as tx:
            return await interactions.claim(tx, interaction_id)

    async def succeed(self) -> bool:
        """Take the slot, now that this process is ready; return whether it was still free for it.

        Waits while the database is away. Raises ``LeaseLost``.
        """
        succeeded = await retry_until_stored(self._succeed)
        predecessor, self._predecessor = self._predecessor, None
        if succeeded and predecessor is not None:
            self._registration.tell()
            log.info("slot taken over", predecessor=predecessor)
            self._watching = asyncio.create_task(self._until_alone(predecessor), name="handover")
        return succeeded

    @retried
    async def _succeed(self) -> bool:
        token = self._token
        async with self._database.write() as tx:
            await interactions.forget_claims(tx, KEPT)
            return await slots.succeed(tx, token)

    async def _until_alone(self, predecessor: int) -> None:
        """Claim every interaction until the predecessor has gone, and the last ones it may have received."""
        while True:
            try:
                async with self._database.read() as tx:
                    if not await processes.alive(tx, predecessor):
                        break
            except Exception as error:
                log.warning("cannot tell whether the predecessor has gone", error=repr(error))
            await self._wait()
        await asyncio.sleep(ANSWERED_WITHIN)
        self._shared = False
        log.info("predecessor gone", predecessor=predecessor)

    async def give(self, beat: Callable[[], Awaitable[None]], at_once: asyncio.Event) -> bool:
        """Hand the slot over to a process that stands by; return whether it took the slot.

        ``beat`` is called about once a second while this process serves people. ``at_once`` ends the waiting.
        """
        if self._slot is None or self.pending:
            return False
        self._shared = True
        given = False
        try:
            async with asyncio.timeout(LONGEST):
                given = await self._wait_for_successor(beat, at_once)
        except TimeoutError:
            log.warning("the successor is not ready, stopping without it")
        except Exception as error:
            log.warning("not handed over", error=repr(error))
        if given:
            log.info("slot handed over")
            # An interaction from before the successor was connected may arrive only now, and only here.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(at_once.wait(), ANSWERED_WITHIN)
            self._left = True
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GIVEN_UP):
                    # Every claimed interaction is acknowledged before this process leaves.
                    while any(not one.response.is_done() for one in self._unanswered):  # noqa: ASYNC110 (no event)
                        await asyncio.sleep(0.02)
        return given

    async def _wait_for_successor(self, beat: Callable[[], Awaitable[None]], at_once: asyncio.Event) -> bool:
        while not at_once.is_set():
            try:
                if (given := await self._has_succeeded()) is not None:
                    return given
                await beat()
            except (DatabaseAway, SQLAlchemyError, OSError) as error:
                log.warning("cannot tell how far the successor is", error=repr(error))
            await self._wait(at_once)
        return False

    async def _has_succeeded(self) -> bool | None:
        """Return whether the successor has the slot, or None while it has not. Names a successor if there is none."""
        async with self._database.read() as tx:
            slot = next(slot for slot in await slots.every(tx) if slot.partition.slot == self._slot)
        if slot.holder != self._token:
            return slot.holder is not None
        if slot.successor is None:
            successor = await self._name_successor()
            if successor is None:
                return False
            self._registration.tell()
            log.info("handing over", successor=successor)
        return None

    @retried
    async def _name_successor(self) -> int | None:
        token = self._token
        async with self._database.write() as tx:
            await locks.layout(tx)
            return await slots.name_successor(tx, token, BOT)

    async def _wait(self, *others: asyncio.Event) -> None:
        """Wait for news, for one of some other events, or for ``LOOKED_EVERY`` seconds."""
        waiting = [asyncio.ensure_future(event.wait()) for event in (self._news, *others)]
        await asyncio.wait(waiting, timeout=LOOKED_EVERY, return_when=asyncio.FIRST_COMPLETED)
        for waited in waiting:
            waited.cancel()
        self._news.clear()

    @property
    def _token(self) -> int:
        assert self._database.token is not None
        return self._database.token

    async def close(self) -> None:
        """Stop watching the predecessor."""
        if self._watching is not None:
            await cancel_all([self._watching])
