"""Several bots on one PostgreSQL database and the same fake Discord, under a clock that stands still until it is moved.

They share nothing but those: each has connections, a token and a memory of its own, as processes have. What people do
comes to one bot after the other, as when one hands over. The first is the active one: it posts, keeps the time, and is
the bot that ends. The others think.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from datetime import timedelta
from itertools import cycle
from typing import Any, TypeVar

from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.delivery.dispatcher import OutboxDispatcher
from bot.matches.services import Services
from bot.storage import processes
from bot.storage.database import Database
from bot.storage.processes import BOT
from bot.storage.tables import metadata
from tests.lifecycle.harness import EVERYTHING, Bot, Harness, Rows, cut_short

T = TypeVar("T")

LONG_LEASE = timedelta(days=1)
"""A slow machine must not make a process count as dead here."""
KEPT = {"generation"}
"""Tables that a migration has put something into."""


class SharedHarness(Harness):
    """``number`` bots on the database at ``url``, which has every table."""

    def __init__(self, url: str, number: int) -> None:
        self._url = url
        self._onlooker = Onlooker(url)
        self.prepare()
        self._drivers: dict[Database, list[Any]] = {}
        self.bots = [self.run(self._opened()) for _ in range(number)]
        self.bot = self.bots[0]
        self._turns = cycle(range(number))

    @classmethod
    def on_an_emptied(cls, url: str, number: int) -> SharedHarness:
        """Return bots on a database that is emptied first."""
        onlooker = Onlooker(url)
        onlooker.execute(f"TRUNCATE {', '.join(metadata.tables.keys() - KEPT)} RESTART IDENTITY")
        onlooker.close()
        return cls(url, number)

    @property
    def services(self) -> Services:
        """The services of the bot that the next request comes to."""
        return self.bots[next(self._turns)].services

    def kill(self) -> None:
        """Kill the first bot: its connections break in the middle of what it does. Another one takes its place."""
        self.run(self._end(self.bots.pop(0), violently=True))
        self.discord.trouble.clear()
        self._replace()

    def stop(self) -> None:
        """Stop the first bot in good order. Another one takes its place."""
        self.run(self._end(self.bots.pop(0), violently=False))
        self._replace()

    def close(self) -> None:
        """End for good."""
        for bot in self.bots:
            self.run(self._end(bot, violently=True))
        self._onlooker.close()
        self.loop.close()

    async def let_computers_move(self) -> None:
        """Have the bots take the turns of computer players until there are no more."""
        while True:
            taken = [(bot, turn) for bot in self.bots for turn in await bot.services.computer_players.take(2)]
            if not taken:
                return
            await asyncio.gather(*(bot.services.computer_players.play(turn) for bot, turn in taken))

    def everything_stored(self) -> Rows:
        """Return every row of every table but the heartbeats."""
        return {name: sorted(self._onlooker.execute(query), key=repr) for name, query in EVERYTHING.items()}

    def select(self, query: str, *parameters: Any) -> list[Any]:
        """Return the first column of what a query finds in the database."""
        return [row[0] for row in self.rows(query, *parameters)]

    def rows(self, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Return what a query with question marks for its parameters finds in the database."""
        named = {f"p{at}": value for at, value in enumerate(parameters)}
        for name in named:
            query = query.replace("?", f":{name}", 1)
        return self._onlooker.execute(query, **named)

    async def _opened(self) -> Bot:
        database = Database(self._url)
        drivers = self._drivers[database] = []
        engine = database.engine.sync_engine
        event.listen(engine, "connect", lambda opened, _: drivers.append(opened.driver_connection))
        async with database.write() as tx:
            token = await processes.add(tx, "a bot", BOT, LONG_LEASE)
        database.token = token
        return self.built(database)

    async def _end(self, bot: Bot, *, violently: bool) -> None:
        if violently:
            for driver in self._drivers[bot.database]:
                driver.terminate()
        else:
            await bot.dispatcher.close()
        await cut_short()
        await bot.queue.close()
        await bot.database.close()
        del self._drivers[bot.database]
        # As the others do once its lease has expired.
        await asyncio.to_thread(self._onlooker.execute, "DELETE FROM processes WHERE id = :id", id=bot.database.token)

    def _replace(self) -> None:
        self.bots.append(self.run(self._opened()))
        self.bot = self.bots[0]

    def _dispatchers(self) -> list[OutboxDispatcher]:
        return [self.bot.dispatcher]


class Onlooker:
    """Queries that read and change a database at any moment, from a thread of their own."""

    def __init__(self, url: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._engine: AsyncEngine = create_async_engine(url, isolation_level="AUTOCOMMIT")

    def execute(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Return what a query finds."""
        return self._wait(self._execute(query, parameters))

    def close(self) -> None:
        """Close the connection."""
        self._wait(self._engine.dispose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _execute(self, query: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
        async with self._engine.connect() as connection:
            found = await connection.execute(text(query), parameters)
            return [tuple(row) for row in found] if found.returns_rows else []

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()
