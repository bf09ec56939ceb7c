"""Accidents of bots, thinkers and the database while people play."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from bot.storage import registration
from tests.scale.crowded_discord import CrowdedDiscord
from tests.support.postgresql import STANDBY, USER, Cluster, either
from tests.support.processes.loopback import TOKEN
from tests.support.processes.processes import Running, command

SYNCHRONOUS = {"synchronous_standby_names": STANDBY}
STOPS_WITHIN = 300.0
"""Seconds a bot has for a stop in order, on a busy machine."""


@dataclass
class Machines:
    """Bots and thinkers in processes of their own, and two servers of PostgreSQL of which one is the primary."""

    folder: Path
    discord: CrowdedDiscord
    bots: int
    thinkers: int
    shards: int
    lease: float
    """Seconds until a process is taken for dead."""
    random: Random
    running: dict[str, Running] = field(default_factory=dict)
    ended: list[Running] = field(default_factory=list)
    happened: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    async def open(self) -> None:
        """Start everything, and wait until people can play."""
        # Not in the folder, which others than its owner may not enter.
        self._places = [Path(mkdtemp()) for _ in range(2)]
        await asyncio.to_thread(self._open_servers)
        for name in [*(f"bot-{at}" for at in range(self.bots)), *(f"think-{at}" for at in range(self.thinkers))]:
            await self._start(name)
            if name == "bot-0":
                await self.running[name].ready()

    def _open_servers(self) -> None:
        self.primary = Cluster.create(self._places[0])
        self.primary.start(**SYNCHRONOUS, synchronous_commit="local")
        self.spare: Cluster | None = self.primary.standby(self._places[1])
        self.spare.start()
        self.url = either(self.primary, self.spare)
        self.primary.stop()
        self.primary.start(**SYNCHRONOUS)

    async def close(self) -> None:
        """End everything."""
        for running in (*self.running.values(), *self.ended):
            with suppress(ProcessLookupError):
                if not running.over.is_set():
                    running.send(signal.SIGCONT)
            await running.end(signal.SIGKILL)
        await asyncio.to_thread(self._close_servers)

    def _close_servers(self) -> None:
        for cluster in filter(None, (self.primary, self.spare)):
            cluster.stop()
        for place in self._places:
            rmtree(place)

    @property
    def troubles(self) -> list[Callable[[], Awaitable[None]]]:
        """Everything that can happen, over and over; the primary can be replaced once."""
        often: list[Callable[[], Awaitable[None]]]
        often = [self.kill, self.kill_another, self.freeze, self.cut, self.hang_up, self.restart]
        often += [self.update, self.stall]
        return often if self.spare is None else [*often, self.replace]

    async def happen(self, trouble: Callable[[], Awaitable[None]]) -> None:
        """Have something happen, and note it."""
        await trouble()
        self.happened[trouble.__name__] += 1

    async def kill(self) -> None:
        """Kill a bot that serves, and start another in its place after a while."""
        await self._kill(await self._serving())

    async def kill_another(self) -> None:
        """Kill a thinker or a bot that stands by, and start another in its place after a while."""
        serving = await self._serving()
        await self._kill(self.random.choice(sorted(self.running.keys() - {serving})))

    async def freeze(self) -> None:
        """Suspend a bot that serves for longer than its lease lasts."""
        frozen = self.running[await self._serving()]
        frozen.send(signal.SIGSTOP)
        await asyncio.sleep(self.lease * self.random.uniform(1.5, 2.5))
        frozen.send(signal.SIGCONT)

    async def cut(self) -> None:
        """Cut every connection to the database."""
        connection = await self._connected()
        own = "pid <> pg_backend_pid() AND backend_type = 'client backend'"
        await connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {own}")
        await connection.close()

    async def hang_up(self) -> None:
        """Cut every connection to Discord's gateway."""
        await self.discord.hang_up()

    async def restart(self) -> None:
        """Have the database crash and start again."""
        settings = {} if self.spare is None else SYNCHRONOUS
        await asyncio.to_thread(self.primary.stop)
        await asyncio.sleep(self.random.uniform(0, 1))
        await asyncio.to_thread(self.primary.start, **settings)

    async def update(self) -> None:
        """Stop a bot that serves in order, break all connections while it hands over, and start another."""
        name = await self._serving()
        stopping = self.running.pop(name)
        self.ended.append(stopping)
        stopping.send(signal.SIGTERM)
        await asyncio.sleep(self.random.uniform(0, self.lease / 3))
        await self.cut()
        await self.discord.hang_up()
        try:
            async with asyncio.timeout(STOPS_WITHIN):
                await stopping.over.wait()
            code = await stopping.ended()
        except TimeoutError:
            code = await stopping.end(signal.SIGKILL)
        if code:
            self.problems.append(f"{name} was stopped in order and ended with {code}: {stopping.lines[-1:]}")
        await self._start(name)

    async def stall(self) -> None:
        """Have the database stand still for a while: the system goes on to acknowledge what it is sent."""
        pids = _family(int((self.primary.data / "postmaster.pid").read_text().split()[0]))
        for pid in pids:
            _signalled(pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(self.lease * self.random.uniform(0.5, 2.5))
        finally:
            for pid in reversed(pids):
                _signalled(pid, signal.SIGCONT)

    async def replace(self) -> None:
        """Have the primary vanish, and its standby take its place."""
        assert self.spare is not None
        await asyncio.to_thread(self.primary.stop)
        await asyncio.to_thread(self.spare.promote)
        self.primary, self.spare = self.spare, None

    async def tend(self) -> None:
        """Start every process again that ends by itself, as a service manager does, and note it as a problem."""
        while True:
            await asyncio.sleep(1)
            for name, running in list(self.running.items()):
                if running.over.is_set() and self.running.get(name) is running:
                    self.ended.append(self.running.pop(name))
                    code = await running.ended()
                    self.problems.append(f"{name} has ended by itself with {code}: {running.lines[-1:]}")
                    await self._start(name)

    async def _serving(self) -> str:
        """Return the active bot, or any process where none is."""
        connection = await self._connected()
        active = await connection.fetch("SELECT name FROM processes WHERE state = 'active'")
        await connection.close()
        numbers = {int(row["name"].rpartition(":")[2]) for row in active}
        serving = [name for name, running in self.running.items() if running.process.pid in numbers]
        return self.random.choice(serving or sorted(self.running))

    async def _connected(self) -> Any:
        return await asyncpg.connect(host="127.0.0.1", port=self.primary.port, user=USER, database="postgres")

    async def _kill(self, name: str) -> None:
        self.ended.append(self.running.pop(name))
        await self.ended[-1].end(signal.SIGKILL)
        await asyncio.sleep(self.random.uniform(0, self.lease))
        await self._start(name)

    async def _start(self, name: str) -> None:
        settings: dict[str, object] = {"database_url": self.url, "log_format": "json", "discord_token": TOKEN}
        bound = LeaseOf(self.lease)
        if name.startswith("bot"):
            wanted = command(self.folder, "run", bound=bound, shards=self.shards, heartbeat=60, **settings)
            self.running[name] = await Running.start(wanted, self.discord)
        else:
            self.running[name] = await Running.start(command(self.folder, "think", bound=bound, **settings))


def _family(pid: int) -> list[int]:
    """Return a process and its children."""
    found = [pid]
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(stat.parent.name))
    return found


def _signalled(pid: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


@dataclass(frozen=True, slots=True)
class LeaseOf:
    """Gives the process it is called in a lease of so many seconds."""

    seconds: float

    def __call__(self) -> None:
        registration.LEASE = timedelta(seconds=self.seconds)
