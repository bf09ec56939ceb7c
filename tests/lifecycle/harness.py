"""The whole bot above the network, on a database file and a fake Discord that both outlive it, under a clock that
stands still until it is moved. It can be stopped, killed and started again at any moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import aiosqlite
from sqlalchemy import event, select

from bot.compute.queue import ComputeQueue
from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Handler, OutboxDispatcher
from bot.delivery.handlers import create_handlers
from bot.matches.downtime import Downtime
from bot.matches.due_scheduler import DueScheduler
from bot.matches.model.actor import Actor
from bot.matches.model.game_state import GameState
from bot.matches.service_context import Idle, PlayLimits, ServiceContext, plain_idle
from bot.matches.services import Services, create_services
from bot.messages.pictures import PUBLIC, BoardRenderer, Picture
from bot.storage import computer_turns, due, outbox
from bot.storage.computer_turns import ComputerTurn
from bot.storage.database import Database
from bot.storage.people import Preferences
from bot.storage.records import Match, Person
from bot.storage.tables import metadata
from bot.storage.transactions import cancel_all
from tests.lifecycle.fake_discord import FakeDiscord

T = TypeVar("T")

GUILD, CHANNEL = 10, 20
HEARTBEAT = timedelta(minutes=1)
BEGINNING = datetime(2028, 2, 25, 12, tzinfo=UTC)
MANY = 400
"""More pauses of the dispatcher than any test needs: what is not sent by then will never be."""
EVERYTHING = {table.name: str(select(table)) for table in metadata.sorted_tables if table.name != "heartbeats"}
Rows = dict[str, list[tuple[Any, ...]]]


class BlankBoardRenderer(BoardRenderer):
    """Draws nothing: these tests do not look at pictures."""

    async def board(
        self, match: Match, game_state: GameState, seat: int = 0, preferences: Preferences = PUBLIC
    ) -> Picture:
        return Picture(b"", "a board")

    async def describe(self, match: Match, game_state: GameState, seat: int) -> str:
        return "a board"


@dataclass(frozen=True, slots=True)
class Bot:
    """One bot above the network."""

    database: Database
    queue: ComputeQueue
    services: Services
    dispatcher: OutboxDispatcher
    downtime: Downtime
    scheduler: DueScheduler

    @classmethod
    def of(
        cls,
        context: ServiceContext,
        queue: ComputeQueue,
        discord: FakeDiscord,
        monotonic: Callable[[], float],
        idle: Idle = plain_idle,
    ) -> Bot:
        """Return a bot put together as the client does, which posts to a fake Discord and draws nothing."""
        handlers: dict[str, Handler] = {}
        dispatcher = OutboxDispatcher(context.database, handlers, context.clock, lambda: idle, monotonic)
        services = create_services(replace(context, outbox=dispatcher))
        handlers |= create_handlers(
            DeliveryContext(discord, services, BlankBoardRenderer(context), threads=False)  # type: ignore[arg-type]
        )
        downtime = Downtime(context, HEARTBEAT)
        scheduler = DueScheduler(services, lambda: idle, downtime, HEARTBEAT)
        return cls(context.database, queue, services, dispatcher, downtime, scheduler)


class Harness:
    """One bot after another on the same database and the same fake Discord."""

    bot: Bot

    def __init__(self, template: Path, folder: Path) -> None:
        self.file = folder / "tavoliere.db"
        shutil.copy(template, self.file)
        self.prepare()
        self.build()

    def prepare(self) -> None:
        """Start with an empty database, without a bot."""
        self.loop = asyncio.new_event_loop()
        self.now = BEGINNING
        self.limits = PlayLimits(matches=12, challenges=10)
        self.random = Random(1)
        self.starts = 0
        self.gone: frozenset[int] = frozenset()
        """The people who have left the server."""
        self.slow = timedelta(0)
        """How much time has passed while the bot was trying again: it moves the clock on by itself."""
        self._resting = asyncio.Event()
        self._interactions = count(1000)
        self.discord = FakeDiscord(lambda: self.now)

    @property
    def database(self) -> Database:
        """The database, as the bot has opened it."""
        return self.bot.database

    @property
    def services(self) -> Services:
        """The services."""
        return self.bot.services

    @property
    def dispatcher(self) -> OutboxDispatcher:
        """The dispatcher."""
        return self.bot.dispatcher

    @property
    def downtime(self) -> Downtime:
        """The downtime, which keeps the heartbeats."""
        return self.bot.downtime

    @property
    def scheduler(self) -> DueScheduler:
        """The scheduler."""
        return self.bot.scheduler

    @property
    def elapsed(self) -> float:
        """The seconds since the beginning, as a clock that is never set measures them."""
        return (self.now - BEGINNING).total_seconds()

    def interaction(self) -> int:
        """Return the id of another interaction."""
        return next(self._interactions)

    def actor(self, person: Person) -> Actor:
        """Return a person who asks for something now."""
        return Actor(GUILD, person, self.interaction(), self.now, CHANNEL)

    def request(self, match_id: int, person: Person, ply: int | None = None) -> tuple[Actor, int, int | None]:
        """Return what a person asks for now in a match, at the ply they see."""
        return (Actor(GUILD, person, self.interaction(), self.now), match_id, ply)

    def run(self, action: Awaitable[T]) -> T:
        """Do something to its end."""

        async def done() -> T:
            return await action

        return self.loop.run_until_complete(done())

    def build(self) -> None:
        """Put a bot together without beginning anything."""
        self._connections: list[aiosqlite.Connection] = []
        self.bot = self.built(Database(f"sqlite+aiosqlite:///{self.file}"))
        engine = self.database.engine.sync_engine
        event.listen(engine, "connect", lambda opened, _: self._connections.append(opened.driver_connection))

    def built(self, database: Database) -> Bot:
        """Return another bot on the same Discord, under the same clock."""
        self.starts += 1
        queue = ComputeQueue()
        database.signals.on_commit.append(self._wake)

        async def has_left(_guild_id: int, user_id: int) -> bool:
            return user_id in self.gone

        context = ServiceContext(
            database, lambda: self.now, queue, limits=self.limits, random=self.random, has_left=has_left
        )
        return Bot.of(context, queue, self.discord, lambda: self.elapsed, self._idle)

    def start(self) -> None:
        """Start the bot: give the time back in which it was not there, and look at what is due."""
        self.run(self.downtime.credit_downtime())
        self.keep_time()

    def kill(self) -> None:
        """Kill the bot: work under way stays as it is, nothing is cleaned up."""

        async def end() -> None:
            self._roll_back()
            await cut_short()
            await self.bot.queue.close()
            await self._let_go()

        self.run(end())
        self.discord.trouble.clear()
        self.build()

    def stop(self) -> None:
        """Stop the bot in good order."""

        async def end() -> None:
            await self.dispatcher.close()
            await cut_short()
            await self.bot.queue.close()
            await self.database.close()
            await self._let_go()

        self.run(end())
        self.build()

    def close(self) -> None:
        """End for good."""
        self.kill()
        self.run(self.bot.queue.close())
        self.run(self.database.close())
        self.loop.close()

    def pass_time(self, time: timedelta) -> None:
        """Let time pass, doing everything at the moment it falls due."""
        until = self.now + time
        for _ in range(MANY):
            due = self.run(self._next_due())
            if due is None or due >= until:
                break
            self.now = max(self.now, due)
            self.keep_time()
        else:
            raise AssertionError(f"what was due at {due} is never done")
        self.now = max(self.now, until)
        self.keep_time()

    def keep_time(self) -> None:
        """Do what is due."""
        self.run(self._until_rest(self.scheduler.run()))

    async def let_computers_move(self) -> None:
        """Have computer players take their turns until it is the turn of none of them."""
        play, quarantined = self.services.computer_players.play, self.services.quarantined
        while turns := [turn for turn in await self._due_computer_turns() if turn.match_id not in quarantined]:
            await asyncio.gather(*map(play, turns))

    async def _due_computer_turns(self) -> list[ComputerTurn]:
        async with self.services.database.read() as tx:
            return await computer_turns.pending(tx)

    def deliver(self) -> None:
        """Send everything that has to be sent, however often Discord has to be asked."""
        self.run(self._deliver())

    def deliver_until_stalled(self) -> bool:
        """Begin to deliver and stop at the call that is never answered; return whether there was one."""
        return self.run(self._deliver_until_stalled())

    def everything_stored(self) -> Rows:
        """Return every row of every table but the heartbeats."""
        with contextlib.closing(sqlite3.connect(self.file)) as connection:
            return {name: sorted(connection.execute(query), key=repr) for name, query in EVERYTHING.items()}

    def select(self, query: str, *parameters: Any) -> list[Any]:
        """Return the first column of what a query finds in the database file."""
        with contextlib.closing(sqlite3.connect(self.file)) as connection:
            return [row[0] for row in connection.execute(query, parameters)]

    async def lapse(self, iterations: int) -> None:
        """Run the event loop for so many iterations."""
        for _ in range(iterations):
            await asyncio.sleep(0)

    async def pending(self) -> tuple[int, datetime | None]:
        """Return how many outbox messages are not sent yet, and when the next can be tried."""
        async with self.database.read() as tx:
            heads = await outbox.first_of_each_topic(tx, busy=(), limit=1)
            return (await outbox.waiting(tx))[0], heads[0].due_at if heads else None

    async def _let_go(self) -> None:
        """Close every connection to the database, also connections that are lost to the program."""
        while alive := [connection for connection in self._connections if connection._thread.is_alive()]:
            for connection in alive:
                connection.stop()
            await asyncio.sleep(0.0005)

    def _roll_back(self) -> None:
        """Undo what is not committed: a closed connection that an exception still refers to would keep its lock."""
        undone = []
        for connection in self._connections:
            if connection._connection is not None:
                undone.append((connection, threading.Event()))
                connection._tx.put_nowait((None, partial(_undo, connection._connection, undone[-1][1])))
        for connection, event_ in undone:
            while connection._thread.is_alive() and not event_.wait(0.001):
                pass

    def _dispatchers(self) -> Sequence[OutboxDispatcher]:
        """Return the dispatchers of every bot."""
        return [self.dispatcher]

    def _wake(self) -> None:
        for dispatcher in self._dispatchers():
            dispatcher.wake()

    async def _idle(self, awaitable: Awaitable[Any], /, *, reason: str) -> Any:
        self._resting.set()
        return await awaitable

    async def _next_due(self) -> datetime | None:
        async with self.database.read() as tx:
            return await due.next_due(tx)

    async def _until_rest(self, work: Coroutine[Any, Any, None]) -> None:
        self._resting.clear()
        task = asyncio.create_task(work)
        await self._resting.wait()
        await ended(task)

    async def _deliver(self) -> None:
        self._resting.clear()
        tasks = [asyncio.create_task(dispatcher.run()) for dispatcher in self._dispatchers()]
        try:
            for _ in range(MANY):
                await self._resting.wait()
                self._resting.clear()
                number, due = await self.pending()
                if not number:
                    return
                if due is not None and due > self.now and not self._busy():
                    self.slow += due - self.now
                    self.now = due
                    self._wake()
            raise AssertionError(f"{number} outbox messages are never sent")
        finally:
            for task in tasks:
                await ended(task)

    async def _deliver_until_stalled(self) -> bool:
        self.discord.stalled.clear()
        delivering = asyncio.create_task(self._deliver())
        stalling = asyncio.create_task(self.discord.stalled.wait())
        await asyncio.wait((delivering, stalling), return_when=asyncio.FIRST_COMPLETED)
        await ended(stalling)
        if delivering.done():
            delivering.result()
            return False
        return True

    @staticmethod
    def _busy() -> bool:
        return any(task.get_name().startswith("outbox message ") for task in asyncio.all_tasks())


def _undo(connection: sqlite3.Connection, undone: threading.Event) -> None:
    connection.rollback()
    undone.set()


async def cut_short() -> None:
    """Cancel everything that is under way."""
    await cancel_all(task for task in asyncio.all_tasks() if task is not asyncio.current_task())


async def ended(task: asyncio.Task[Any]) -> None:
    """Cancel a task and wait for its end."""
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
