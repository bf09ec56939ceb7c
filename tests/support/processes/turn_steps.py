"""The statements and transactions of a turn, step by step: from ``/move`` to the board that is noted as sent and the
earlier board without controls. The bot runs in this process, on a loopback Discord, and does the whole of it.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from sqlalchemy import event

from bot.client import Tavoliere, create_bot
from bot.delivery import dispatcher
from bot.demo.discord_server import led_to
from bot.settings import Settings
from bot.storage.database import Database
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import begun, played
from tests.support.waiting import until

DAY = 86400.0
LOOKS = 3
"""How many looks in a row must find the bot at rest: the end of a task runs between two looks."""

WARM = ("a1", "a5", "b1", "b5")
"""Moves of Yonmoque after which the bot knows the languages of both people, and has asked every question before."""
COUNTED = ("c1", "e5", "e2")
"""The moves after them that are counted; the match goes on after the last."""
FIND, STORE, NEXT = "find the match", "store the turn", "look for the next match"
LOOK, POST, RETIRE = "look into the outbox", "post the board", "retire the earlier board"
STEPS = (FIND, STORE, NEXT, LOOK, POST, RETIRE)
_TASKS = {"outbox message board": POST, "outbox message past": RETIRE, "dispatcher": LOOK, "CommandTree": FIND}
"""The steps by the beginning of the name of the task that takes them; what an interaction asks is told apart below."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The transactions of a step, each with its statements; where one begins and ends is no statement."""

    transactions: tuple[tuple[str, ...], ...] = ()

    @property
    def statements(self) -> int:
        """How many statements the step has."""
        return sum(map(len, self.transactions))


@dataclass
class _Record:
    """The statements of a database in order, each with the step that executes it."""

    asked: list[tuple[str, list[str]]] = field(default_factory=list)
    _open: dict[int, list[str]] = field(default_factory=dict)

    def begin(self, connection: Any) -> None:
        task = asyncio.current_task()
        name = "" if task is None else task.get_name()
        step = next((step for beginning, step in _TASKS.items() if name.startswith(beginning)), None)
        statements = self._open[id(connection.connection.dbapi_connection)] = []
        if step is not None:
            self.asked.append((step, statements))

    def note(self, connection: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        if not statement.startswith("BEGIN"):
            # A transaction that began before the record, such as the renewal of a lease, belongs to no step.
            self._open.setdefault(id(connection.connection.dbapi_connection), []).append(statement)

    def steps(self) -> dict[str, Asked]:
        """Return the statements of every step. An interaction finds its match, stores the turn, and looks on."""
        found: dict[str, list[tuple[str, ...]]] = {step: [] for step in STEPS}
        stored = False
        for step, statements in self.asked:
            writes = step == FIND and any(not statement.startswith("SELECT") for statement in statements)
            later = STORE if writes else NEXT if step == FIND and stored else step
            stored = stored or writes
            found[later].append(tuple(statements))
        return {step: Asked(tuple(transactions)) for step, transactions in found.items()}


@contextmanager
def _recorded(database: Database) -> Iterator[_Record]:
    engine, record = database.engine.sync_engine, _Record()
    listened: dict[str, Callable[..., None]] = {"before_cursor_execute": record.note, "begin": record.begin}
    for name, listener in listened.items():
        event.listen(engine, name, listener)
    try:
        yield record
    finally:
        for name, listener in listened.items():
            event.remove(engine, name, listener)


@dataclass(frozen=True, slots=True)
class _Rest:
    """A bot that runs here, and what its workers are waiting for."""

    bot: Tavoliere
    reasons: set[str] = field(default_factory=set)

    async def idle(self, awaitable: Awaitable[Any], /, *, reason: str) -> Any:
        """Note what a worker waits for."""
        self.reasons.add(reason)
        try:
            return await awaitable
        finally:
            self.reasons.discard(reason)

    def busy(self) -> list[str]:
        """Return the work under way: tasks, and a look into the outbox that runs or is wanted."""
        names = [task.get_name() for task in asyncio.all_tasks()]
        found = [name for name in names if name.startswith(("outbox message", "CommandTree"))]
        dispatcher, database = self.bot._dispatcher, self.bot.database
        assert dispatcher is not None
        assert database is not None
        if "the outbox is empty" not in self.reasons or dispatcher._news.is_set():
            found.append("a look into the outbox")
        if database.sqlite and database.engine.sync_engine.pool.checkedout() > 0:  # type: ignore[attr-defined]
            found.append("a connection in use")
        return found


@asynccontextmanager
async def running_bot(url: str) -> AsyncIterator[tuple[Loopback, Database, _Rest]]:
    """Run the bot on a database, in front of a Discord of its own; give both, and what the bot does.

    It never looks into the outbox only because some time has passed: that may fall into any turn.
    """
    settings = Settings(_env_file=None, database_url=url, picture_workers=0, thinkers=0, heartbeat=864000)
    discord = Loopback()
    await discord.open()
    with led_to(discord.address), patch.object(dispatcher, "POLLED_EVERY", DAY):
        bot = create_bot(settings)
        rest = _Rest(bot)
        bot.idle = rest.idle
        running = asyncio.create_task(bot.start(TOKEN))
        try:
            await until(lambda: bot.is_ready() or running.done(), "the bot")
            assert not running.done(), running
            assert bot.database is not None
            yield discord, bot.database, rest
        finally:
            await bot.close()
            await asyncio.gather(running, return_exceptions=True)
            await discord.close()


async def steps_of_turns(url: str) -> list[dict[str, Asked]]:
    """Return the statements of each of some turns of two people with a pace."""
    found = []
    async with running_bot(url) as (discord, database, rest):
        place = await begun(discord)
        for ply, move in enumerate((*WARM, *COUNTED)):
            await at_rest(discord, rest, place)
            with _recorded(database) as record:
                await played(discord, place, move, begin=ply)
                await at_rest(discord, rest, place)
            if move in COUNTED:
                found.append(record.steps())
    return found


async def at_rest(discord: Loopback, rest: _Rest, place: int) -> None:
    """Wait until one board has controls and the bot does nothing, not even what the end of a message wakes."""
    looks = 0

    def still() -> bool:
        nonlocal looks
        looks = 0 if controlled(discord, place) > 1 or rest.busy() else looks + 1
        return looks == LOOKS

    await until(still, "a bot at rest", lambda: (controlled(discord, place), rest.busy()))


def controlled(discord: Loopback, place: int) -> int:
    """Return how many boards in a place have their controls."""
    messages = discord.backend.messages[place].values()
    return sum('"play:' in json.dumps(message.components) for message in messages)


def most(turns: Sequence[dict[str, Asked]]) -> dict[str, tuple[int, int]]:
    """Return the statements and transactions of every step of the turn that has most of them."""
    totals = Counter({at: sum(asked.statements for asked in turn.values()) for at, turn in enumerate(turns)})
    ((dearest, _),) = totals.most_common(1)
    return {step: (asked.statements, len(asked.transactions)) for step, asked in turns[dearest].items()}
