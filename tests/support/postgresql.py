"""PostgreSQL servers of our own. The tests of a process share one; the fixture ``server`` makes a new database.

It is copied from one that was migrated once, which takes a tenth of the time of migrating it.

``needs_postgresql`` skips tests where none is installed.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from glob import glob
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from bot.storage.database import Database
from tests.support.ports import free_port

BINARIES = [*glob("/usr/lib/postgresql/*/bin"), os.path.dirname(shutil.which("initdb") or "")]
INITDB = next((found for place in BINARIES if (found := shutil.which("initdb", path=place or None))), None)
NOBODY = 65534
"""The user that owns nothing on every Linux."""
ASYNCPG = importlib.util.find_spec("asyncpg") is not None
STANDBY = "standby"
"""The name by which a standby registers with its primary."""
USER = "tavoliere"

needs_postgresql = pytest.mark.skipif(INITDB is None or not ASYNCPG, reason="PostgreSQL or asyncpg is not installed")


@dataclass(frozen=True, slots=True)
class Cluster:
    """A server in a folder, on a port of this machine."""

    folder: Path
    port: int
    superuser: str = USER

    @classmethod
    def create(cls, folder: Path, superuser: str = USER, password: str = "") -> Cluster:
        """Return an empty server in an empty folder, on a port where no other is.

        It lets everybody in, unless there is a ``password``, which is not in the address.
        """
        created = cls._in(folder, superuser)
        wanted = folder / "password"
        wanted.write_text(password or "none")
        method = "scram-sha-256" if password else "trust"
        given = ("-U", superuser, "-A", method, f"--pwfile={wanted}", "--no-sync", "-D", created.data)
        created.run("initdb", *given)
        return created

    @classmethod
    def _in(cls, folder: Path, superuser: str = USER) -> Cluster:
        assert INITDB is not None
        data = folder / "data"
        data.mkdir(0o700)
        for place in (folder, data):
            os.chown(place, _owner(), -1)
        return cls(folder, free_port(), superuser)

    @property
    def data(self) -> Path:
        """The folder of its files."""
        return self.folder / "data"

    @property
    def address(self) -> str:
        """The address of its database."""
        return f"postgresql+asyncpg://{self.superuser}@127.0.0.1:{self.port}/postgres"

    def start(self, **settings: object) -> None:
        """Start it with some settings beside its own, and wait until it answers."""
        given = {"fsync": "off", "deadlock_timeout": "100ms"} | settings
        options = " ".join(f"-c {name}={value}" for name, value in given.items())
        given_to_it = f"-p {self.port} -k {self.folder} {options}"
        self.run("pg_ctl", "-D", self.data, "-w", "-o", given_to_it, "-l", self.folder / "log", "start")

    def stop(self) -> None:
        """Stop it at once, as a loss of power does."""
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")

    def standby(self, folder: Path) -> Cluster:
        """Return a standby of this server, in an empty folder; it follows once it is started."""
        created = self._in(folder)
        primary = f"host=127.0.0.1 port={self.port} user={USER} application_name={STANDBY}"
        self.run("pg_basebackup", "-d", primary, "-D", created.data, "-R", "-c", "fast", "--no-sync")
        return created

    def promote(self) -> None:
        """Promote a standby to the primary."""
        self.run("pg_ctl", "-D", self.data, "-w", "promote")

    def run(self, program: str, *arguments: object) -> None:
        """Run one of PostgreSQL's programs. It refuses to run as root: it runs as a user that owns nothing."""
        command = [str(Path(INITDB or "").with_name(program)), *map(str, arguments)]
        subprocess.run(command, check=True, user=_owner(), cwd=self.folder, stdout=subprocess.DEVNULL)


def either(one: Cluster, other: Cluster) -> str:
    """Return the address of the database on the primary of two servers."""
    hosts = "&".join(f"host=127.0.0.1:{cluster.port}" for cluster in (one, other))
    return f"postgresql+asyncpg://{USER}@/postgres?{hosts}&target_session_attrs=primary"


@contextmanager
def running_server(superuser: str = USER, password: str = "", **settings: object) -> Iterator[str]:
    """The address of an empty server of our own on a free port of this machine, made like ``Cluster.create``.

    It is in memory where pytest keeps the files of tests there: a new database takes a tenth of the time.
    """
    memory = os.environ.get("PYTEST_DEBUG_TEMPROOT")
    given = {"max_wal_size": "64MB"} | settings if memory else settings
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        cluster = Cluster.create(Path(folder), superuser, password)
        cluster.start(**given)
        try:
            yield cluster.address
        finally:
            cluster.stop()


@pytest.fixture(scope="session")
def shared_server() -> Iterator[str]:
    """The address of a server for all tests of this process."""
    with running_server() as address:
        yield address


@pytest.fixture(scope="session")
def migrated(shared_server: str) -> str:
    """The name of a database with every table and nothing in them, to be copied."""

    async def create() -> None:
        database = Database(new_database(shared_server, name))
        await database.open()
        await database.close()

    name = "migrated"
    in_own_loop(create)
    return name


@pytest.fixture
def server(shared_server: str, migrated: str) -> Iterator[str]:
    """The address of a database with every table and nothing in them."""
    name = f"tavoliere{next(_NUMBERS)}"
    run_sql(shared_server, f"CREATE DATABASE {name} TEMPLATE {migrated}")
    yield shared_server.replace("/postgres", f"/{name}")
    run_sql(shared_server, f"DROP DATABASE {name} WITH (FORCE)")


_NUMBERS = count(1)


def run_sql(address: str, *statements: str) -> str:
    """Have PostgreSQL's own client carry out statements, each in a transaction of its own; return what it prints."""
    command = [str(Path(INITDB or "").with_name("psql")), address.replace("+asyncpg", ""), "-qAt"]
    command += [part for statement in statements for part in ("-c", statement)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def new_database(server: str, name: str, template: str = "template1") -> str:
    """Make a database on a server, in place of one of that name; return its address.

    It is empty, unless another one is the ``template``, which must have no connections then.
    """
    drop, make = f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"CREATE DATABASE {name} TEMPLATE {template}"
    run_sql(server, drop, make)
    return make_url(server).set(database=name).render_as_string(hide_password=False)


def in_own_loop(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Wait for work in an event loop of its own, as a test may have one that runs."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(work())).result()


def _owner() -> int:
    return NOBODY if os.geteuid() == 0 else os.geteuid()
