"""A bot's place among those that share a PostgreSQL database: one is active, the others stand by for it.

An active bot that has to stop names a successor among those that stand by. From then on it answers only interactions
that it has reserved, because the successor connects to Discord and hears of every interaction, too. Once the successor
is ready, the active bot finishes what it is sending, and makes the successor the active one. Without a successor an
interaction costs nothing.
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

from bot.cluster.gateway import Gateway
from bot.games import GAMES
from bot.storage import active_bot, interactions, processes
from bot.storage.database import Database
from bot.storage.errors import DatabaseAway, LeaseLost, explain_errors
from bot.storage.exclusive_use import Use
from bot.storage.processes import BOT
from bot.storage.records import BotState
from bot.storage.registration import Registration
from bot.storage.transactions import cancel_all, retried, retry_until_stored
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

LOOKED_EVERY = 1.0
"""Seconds between two looks at the states of the bots, unless another process tells of a change."""
ANSWERED_WITHIN = 3.0
"""Seconds within which Discord wants an interaction acknowledged; later answers are refused."""
RESERVED_WITHIN = 2.0
"""Seconds an interaction waits for its reservation, so that it can still be acknowledged in time."""
GIVEN_UP = 10.0
"""Seconds a stop waits for the acknowledgement of a reserved interaction."""
ACTIVE_FIRST = 0.5
"""Seconds a successor leaves an interaction to the active bot, before it reserves the interaction."""
LONGEST, FOR_A_SHARD = 60.0, 6.0
"""Seconds for which a bot that has to stop waits for its successor: so many, and more for each shard to connect."""
RESERVATIONS_KEPT = timedelta(minutes=1)
"""How long reservations are kept: longer than their interactions can be answered."""


class OnlyBot:
    """The bot of an SQLite database, which is for one: it is active at once, and every interaction is its own."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.active = True
        """Whether this bot serves people, as far as it knows."""
        self.stood_by = False
        """Whether another bot was active when this one started."""

    @property
    def succeeding(self) -> bool:
        """Whether this bot is a successor that is not active yet."""
        return False

    @property
    def warning(self) -> str | None:
        """A warning for the operator, if the clock of this machine differs from the database's."""
        return None

    async def open(self) -> None:
        """Open the database, and migrate it. Raises ``StorageError``."""
        await self._database.open(Use.BOT)

    async def join(self) -> None:
        """Return once this bot is to connect to Discord."""

    async def serve(self, begin: Callable[[], Awaitable[None]]) -> None:
        """Begin to serve. Raises ``StorageError``."""
        with explain_errors(self._database.url):
            await begin()

    async def succeed(self, begin: Callable[[], Awaitable[None]]) -> bool | None:
        """Become active and begin to serve, now that this bot is connected; return whether that was still possible.

        Return None where this bot is no successor, or no longer.
        """
        return None

    async def answers(self, _interaction: discord.Interaction[Any]) -> bool:
        """Return whether this bot answers an interaction. Call it before the interaction is acknowledged."""
        return True

    async def hand_over(
        self,
        shards: int,
        beat: Callable[[], Awaitable[None]],
        finish: Callable[[], Awaitable[None]],
        at_once: asyncio.Event,
    ) -> bool:
        """Let a successor become active, if another bot stands by; return whether it has.

        ``beat`` is called about once a second while this bot serves, ``finish`` when its work has to end. ``at_once``
        ends the waiting.
        """
        return False

    async def close(self) -> None:
        """Leave the others."""


class Member(OnlyBot):
    """A bot on a PostgreSQL database, from ``join`` to ``close``.

    ``on_lost`` is called once, when other processes have taken over from this one.
    """

    def __init__(self, database: Database, gateway: Gateway, shards: int | None, on_lost: Callable[[], None]) -> None:
        super().__init__(database)
        self.active = False
        self._gateway = gateway
        self._shards = shards
        self.registration = Registration(database, BOT, self._wake, on_lost, rules=GAMES.rules)
        self._news = asyncio.Event()
        self._predecessor: int | None = None
        """The active bot that named this one its successor, until this one is active."""
        self._shared = False
        """Whether another bot may hear of the same interactions."""
        self._left = False
        """Whether the successor answers everything."""
        self._unanswered: set[discord.Interaction[Any]] = set()
        """Interactions that are being reserved, or were reserved a moment ago."""
        self._watching: asyncio.Task[None] | None = None
        self._succeeding = asyncio.Lock()

    @property
    def succeeding(self) -> bool:
        return self._predecessor is not None

    @property
    def warning(self) -> str | None:
        return self.registration.warning

    async def open(self) -> None:
        """Open the database, and migrate it, once a server answers. Raises ``StorageError``."""
        await retry_until_stored(self._database.open)

    async def join(self) -> None:
        """Register, and stand by until this bot is active or is to succeed the active one. Raises ``StorageError``.

        Waits while the database or Discord is away.
        """
        with explain_errors(self._database.url):
            await retry_until_stored(self.registration.open)
            recommended = (await self._gateway.learn()).shards
            while True:
                self._news.clear()
                state = await retry_until_stored(self._begin)
                if state is not BotState.STANDBY:
                    break
                if not self.stood_by:
                    log.info("standing by: another bot is active")
                    self.stood_by = True
                await self._gateway.stand_by(self._shards or recommended)
                await self._wait()
        self._gateway.stand_by_no_longer()
        self._shared, self.active = self.succeeding, not self.succeeding
        if self.active:
            # From here on people are to be served, and are not yet.
            await self._gateway.wait_for_connections(self._shards or recommended)
        metrics.TAKEOVERS.labels("handed over" if self.succeeding else "free").inc()
        log.info("connecting to succeed the active bot" if self.succeeding else "active, no other bot is")

    @retried
    async def _begin(self) -> BotState:
        async with self._database.write() as tx:
            state = await active_bot.begin(tx, self._token)
            self._predecessor = await active_bot.current(tx) if state is BotState.SUCCESSOR else None
            return state

    async def serve(self, begin: Callable[[], Awaitable[None]]) -> None:
        """Begin to serve, once the database answers. Raises ``StorageError``."""
        await retry_until_stored(begin)

    async def succeed(self, begin: Callable[[], Awaitable[None]]) -> bool | None:
        """Do as ``OnlyBot.succeed`` says, once the active bot has finished what it is sending."""
        async with self._succeeding:
            predecessor = self._predecessor
            if predecessor is None:
                return None
            try:
                while True:
                    self._news.clear()
                    if await retry_until_stored(self._ready) is BotState.ACTIVE:
                        break
                    self.registration.tell()
                    await self._wait()
                self._predecessor, self.active = None, True
                log.info("active, after a handover", predecessor=predecessor)
                self._watching = asyncio.create_task(self._until_alone(predecessor), name="handover")
                await retry_until_stored(begin)
            except LeaseLost:
                return False
            return True

    @retried
    async def _ready(self) -> BotState:
        async with self._database.write() as tx:
            await interactions.forget_reservations(tx, RESERVATIONS_KEPT)
            return await active_bot.ready(tx, self._token)

    async def _until_alone(self, predecessor: int) -> None:
        """Claim every interaction until the predecessor has gone, and the last ones it may have heard of."""
        while True:
            try:
                async with self._database.read() as tx:
                    if not await processes.alive(tx, predecessor):
                        break
            except Exception as error:
                log.warning("cannot tell whether the predecessor has gone", error=repr(error))
            await self._wait()
            self._news.clear()
        await asyncio.sleep(ANSWERED_WITHIN)
        self._shared = False
        log.info("predecessor gone", predecessor=predecessor)

    async def answers(self, interaction: discord.Interaction[Any]) -> bool:
        """Return whether this bot answers an interaction. Call it before the interaction is acknowledged."""
        if self._left:
            return False
        if not self._shared and self.registration.current():
            return True
        if self.succeeding:
            await asyncio.sleep(ACTIVE_FIRST)
        self._unanswered.add(interaction)
        asyncio.get_running_loop().call_later(GIVEN_UP, self._unanswered.discard, interaction)
        won = False
        reserving = asyncio.create_task(self._reserve(interaction.id))
        try:
            done, _ = await asyncio.wait({reserving}, timeout=RESERVED_WITHIN)
            if not done:
                reserving.cancel()
                raise TimeoutError
            won = reserving.result()
        except LeaseLost:
            pass
        except Exception as error:
            log.warning("interaction not reserved", interaction=interaction.id, error=repr(error))
            # Without the database the only answer is an apology, and of two bots only one may give it.
            won = not self._shared
        if not won:
            self._unanswered.discard(interaction)
        metrics.INTERACTION_CLAIMS.labels("won" if won else "lost").inc()
        return won

    @retried
    async def _reserve(self, interaction_id: int) -> bool:
        async with self._database.write() as tx:
            return await interactions.reserve(tx, interaction_id)

    async def hand_over(
        self,
        shards: int,
        beat: Callable[[], Awaitable[None]],
        finish: Callable[[], Awaitable[None]],
        at_once: asyncio.Event,
    ) -> bool:
        """Do as ``OnlyBot.hand_over`` says."""
        if not self.active:
            return False
        self._shared = True
        try:
            async with asyncio.timeout(LONGEST + FOR_A_SHARD * shards):
                if not await self._wait_for_successor(beat, at_once):
                    return False
            await finish()
            # Where this cannot be stored, the successor becomes active once this bot is gone.
            async with asyncio.timeout(ANSWERED_WITHIN):
                await retry_until_stored(self._hand_over)
        except LeaseLost:
            return False
        except (TimeoutError, SQLAlchemyError, OSError) as error:
            log.warning("not handed over, stopping all the same", error=repr(error))
            return False
        self.registration.tell()
        log.info("handed over")
        # An interaction from before the successor was connected may arrive only now, and only here.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(at_once.wait(), ANSWERED_WITHIN)
        self._left = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GIVEN_UP):
                # Every reserved interaction is acknowledged before this bot leaves.
                while any(not interaction.response.is_done() for interaction in self._unanswered):  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
        return True

    async def _wait_for_successor(self, beat: Callable[[], Awaitable[None]], at_once: asyncio.Event) -> bool:
        """Wait until the successor is ready; return False if there is none, or ``at_once`` is set."""
        named = False
        while not at_once.is_set():
            self._news.clear()
            try:
                progress = await self._name_successor()
                if progress is not BotState.SUCCESSOR:
                    return progress is BotState.READY
                if not named:
                    log.info("handing over")
                    self.registration.tell()
                    named = True
                await beat()
            except (DatabaseAway, SQLAlchemyError, OSError) as error:
                log.warning("cannot tell how far the successor is", error=repr(error))
            await self._wait(at_once)
        return False

    @retried
    async def _name_successor(self) -> BotState | None:
        async with self._database.write() as tx:
            return await active_bot.name_successor(tx, self._token)

    @retried
    async def _hand_over(self) -> None:
        async with self._database.write() as tx:
            await active_bot.hand_over(tx, self._token)

    async def close(self) -> None:
        """Sign off, so that another bot can become active at once."""
        if self._watching is not None:
            await cancel_all([self._watching])
        await self.registration.close()

    def _wake(self) -> None:
        self._database.signals.received()
        self._news.set()

    async def _wait(self, *others: asyncio.Event) -> None:
        """Wait for news, for one of some other events, or for ``LOOKED_EVERY`` seconds."""
        waiting = [asyncio.ensure_future(event.wait()) for event in (self._news, *others)]
        await asyncio.wait(waiting, timeout=LOOKED_EVERY, return_when=asyncio.FIRST_COMPLETED)
        for waited in waiting:
            waited.cancel()

    @property
    def _token(self) -> int:
        assert self._database.token is not None
        return self._database.token
