"""Runs PostgreSQL's own programs, ``pg_dump``, ``pg_restore`` and ``psql``, and reads their output.

They get the database's address and password in their environment, which other users of the machine cannot read.
"""

from __future__ import annotations

import asyncio
import math
import os
import re
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from subprocess import DEVNULL, PIPE

from sqlalchemy import URL

from bot.operation.upkeep.errors import UpkeepError
from bot.storage.engines import LET_IN_WITHIN

_LONGEST_LINE = 2**26
"""Bytes of the longest row that is read."""
_COPY = re.compile(rb'COPY (?:"?\w+"?\.)?"?(\w+)"? \(.*\) FROM stdin;\n')
_PREFIX = re.compile(r"^(psql:\S+ *|pg_\w+: )?(error|ERROR): *")


def program(name: str) -> str:
    """Return where a program is. Raises ``UpkeepError`` where it is not installed."""
    path = shutil.which(name)
    if path is None:
        raise UpkeepError(
            f"{name} is not installed; it is one of PostgreSQL's client programs "
            "(on Debian and Ubuntu: apt-get install postgresql-client)"
        )
    return path


def environment(url: URL) -> dict[str, str]:
    """Return the environment in which the programs find a database."""
    _, read = url.get_dialect()().create_connect_args(url)
    ssl = read.get("ssl", read.get("sslmode"))
    told = {
        "PGHOST": read.get("host"),
        "PGPORT": read.get("port"),
        "PGUSER": read.get("user"),
        "PGPASSWORD": read.get("password"),
        "PGPASSFILE": read.get("passfile"),
        "PGDATABASE": read.get("database"),
        "PGTARGETSESSIONATTRS": read.get("target_session_attrs"),
        "PGSSLMODE": ssl if isinstance(ssl, str) else None,
        # Each of several servers gets as much time as the bot gives it.
        "PGCONNECT_TIMEOUT": math.ceil(LET_IN_WITHIN) if isinstance(read.get("host"), list) else None,
    }
    given = {
        name: ",".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in told.items()
        if value is not None
    }
    # Their output is parsed, so it has to be in English.
    return os.environ | given | {"LC_ALL": "C"}


async def run(url: URL, name: str, *arguments: str) -> None:
    """Run a program to its end. Raises ``UpkeepError`` with the error it prints."""
    async with _start(url, name, arguments) as process:
        _, said = await process.communicate()
        _check(name, process.returncode, said)


@dataclass(slots=True)
class Contents:
    """The contents of an archive: the rows of each table, and the revision of the database."""

    rows: dict[str, int] = field(default_factory=dict)
    revision: str | None = None


async def contents(archive: Path) -> Contents:
    """Read an archive of ``pg_dump`` to its end and return its contents.

    Raises ``UpkeepError`` where it is damaged.
    """
    archived, table = Contents(), ""
    # Not to a server: written out as text.
    async with _start(None, "pg_restore", ("--file=-", str(archive)), stdout=PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        said = asyncio.create_task(process.stderr.read())
        async for line in process.stdout:
            if table and line == b"\\.\n":
                table = ""
            elif table:
                archived.rows[table] += 1
                if table == "alembic_version":
                    archived.revision = line.decode().strip()
            elif (begun := _COPY.fullmatch(line)) is not None:
                table = begun[1].decode()
                archived.rows[table] = 0
        await process.wait()
        _check("pg_restore", process.returncode, await said)
    return archived


async def restore(url: URL, archive: Path, before: str, after: str) -> None:
    """Run the statements ``before``, restore an archive, and run those ``after``: in one transaction.

    Raises ``UpkeepError``, and nothing is changed, where any of them fails.
    """
    told = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-")
    written = ("--no-owner", "--no-privileges", "--file=-", str(archive))
    reading, writing = os.pipe()
    with closing(os.fdopen(reading, "rb")) as source, closing(os.fdopen(writing, "wb", buffering=0)) as target:
        async with _start(url, "psql", told, stdin=source.fileno()) as psql:
            source.close()
            said = asyncio.create_task(psql.communicate())
            await _pass_on(target, f"BEGIN;\n{before}\n")
            async with _start(None, "pg_restore", written, stdout=target.fileno()) as reader:
                _, complaint = await reader.communicate()
            if reader.returncode == 0:
                # Without this check the end of a program that failed would look like the end of the archive.
                await _pass_on(target, f"{after}\nCOMMIT;\n")
            target.close()
            await said
        _check("psql", psql.returncode, said.result()[1])
        _check("pg_restore", reader.returncode, complaint)


async def _pass_on(target: FileIO, statements: str) -> None:
    """Write statements to a program. A program that has ended prints why by itself."""
    with suppress(BrokenPipeError):
        await asyncio.to_thread(target.write, statements.encode())


@asynccontextmanager
async def _start(
    url: URL | None, name: str, arguments: Sequence[str], stdin: int = DEVNULL, stdout: int = DEVNULL
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Start a program; kill it if an error leaves the block."""
    environment_ = dict(os.environ) | {"LC_ALL": "C"} if url is None else environment(url)
    process = await asyncio.create_subprocess_exec(
        program(name), *arguments, env=environment_, stdin=stdin, stdout=stdout, stderr=PIPE, limit=_LONGEST_LINE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _check(name: str, code: int | None, said: bytes) -> None:
    if code == 0:
        return
    lines = [line for line in said.decode(errors="replace").splitlines() if line.strip()]
    ended = f"ended with code {code}"
    wrong = next((line for line in lines if "error" in line.lower()), lines[0] if lines else ended)
    raise UpkeepError(f"{name}: {_PREFIX.sub('', wrong).rstrip('.')}")
