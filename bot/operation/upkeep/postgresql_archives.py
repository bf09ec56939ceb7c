"""Backups of PostgreSQL databases as archives of ``pg_dump``, and restoring them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from secrets import randbits

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.operation.upkeep.errors import UpkeepError, files_of, open_as_is
from bot.operation.upkeep.postgresql_programs import Contents, contents, program, run
from bot.operation.upkeep.postgresql_programs import restore as restored
from bot.storage import tables
from bot.storage.copying import last_number
from bot.storage.database import Database, has_tables
from bot.storage.errors import explain_errors, place
from bot.storage.migrations import refusal
from bot.storage.tables import metadata

REVISION = "alembic_version"
_SQLITE = b"SQLite format 3\0"


async def backup(url: str, target: Path) -> int:
    """Copy the database while it is in use and prove the copy; return its size in bytes. Raises ``UpkeepError``.

    The archive is read to its end, and holds as many rows of every table as the database at the moment of the copy,
    before it gets its name.
    """
    if target.exists():
        raise UpkeepError(f"{target} exists already; name another file")
    for name in ("pg_dump", "pg_restore"):
        program(name)
    async with open_as_is(url) as database:
        current, _ = await database.revisions()
        if current is None:
            raise UpkeepError(f"there is nothing of Tavoliere in the database {place(database.url)}")
        await _dump(database, target)
    return target.stat().st_size


async def restore(url: str, source: Path) -> Path | None:
    """Put a proven backup in the database's place; return where the previous one is kept, if there was one.

    Raises ``UpkeepError`` while a bot runs on the database, or when the backup is damaged; the backup itself is only
    read. All is done in one transaction.
    """
    if not source.exists():
        raise UpkeepError(f"there is no backup at {source}")
    for name in ("pg_dump", "pg_restore", "psql"):
        program(name)
    with files_of(source), source.open("rb") as file:
        if file.read(len(_SQLITE)) == _SQLITE:
            raise UpkeepError(f"{source} is a backup of an SQLite database; restore it there, and `copy` it here")
    try:
        archived = await contents(source)
    except UpkeepError as error:
        raise UpkeepError(f"{source} is damaged, or no archive of pg_dump ({error})") from error
    if archived.revision is None or tables.matches.name not in archived.rows:
        raise UpkeepError(f"{source} is not a database of Tavoliere")
    if (why := refusal(archived.revision)) is not None:
        raise UpkeepError(f"{source} {why.rstrip('.')}")
    async with open_as_is(url) as database:
        await database.lock()
        kept = source.with_name(f"{database.url.database}.before-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
        with explain_errors(database.url):
            async with database.read() as tx:
                schema, there = await _schema(tx), await _tables(tx)
                processes = await last_number(tx, tables.processes) if tables.processes.name in there else 0
                foreign = not there and await tx.run_sync(has_tables)
        if foreign:
            raise UpkeepError(f"the database {place(database.url)} belongs to another program; name an empty one")
        if there:
            await _dump(database, kept)
        names = ", ".join(f'"{schema}"."{name}"' for name in there)
        before = [
            "SET LOCAL idle_in_transaction_session_timeout = 0;",
            *([f"DROP TABLE {names};"] if there else []),
            f'DROP SEQUENCE IF EXISTS "{schema}".{tables.finish_numbers.name};',
        ]
        after = "\n".join(_after(schema, archived, processes))
        await restored(database.url, source, "\n".join(before), after)
    return kept if there else None


async def _dump(database: Database, target: Path) -> None:
    """Write a proven archive of the bot's tables."""
    copy = target.with_name(f"{target.name}.unproven")
    with files_of(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        copy.unlink(missing_ok=True)
    try:
        with explain_errors(database.url):
            async with database.read() as tx:
                # This transaction stays idle while another program runs.
                await tx.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
                schema, there = await _schema(tx), await _tables(tx)
                snapshot = (await tx.execute(select(func.pg_export_snapshot()))).scalar_one()
                rows = {
                    name: int((await tx.execute(text(f'SELECT count(*) FROM "{schema}"."{name}"'))).scalar_one())
                    for name in there
                }
                chosen = [f'--table="{schema}"."{name}"' for name in (*there, tables.finish_numbers.name)]
                options = ("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}")
                await run(database.url, "pg_dump", *options, *chosen, f"--file={copy}")
        archived = await contents(copy)
        if archived.rows != rows:
            raise UpkeepError(f"{copy} does not hold what the database does")
        copy.replace(target)
    finally:
        copy.unlink(missing_ok=True)


async def _schema(tx: AsyncConnection) -> str:
    return str((await tx.execute(select(func.current_schema()))).scalar_one())


async def _tables(tx: AsyncConnection) -> list[str]:
    """Return the names of the bot's tables. In a database of a newer version these are all tables of its role."""
    owned = text("SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tableowner = current_user")
    there = set((await tx.execute(owned)).scalars())
    if REVISION not in there:
        return []
    revision = (await tx.execute(text(f"SELECT version_num FROM {REVISION}"))).scalar_one_or_none()
    ours = {REVISION, *metadata.tables}
    return sorted(there if revision is not None and refusal(revision) is not None else there & ours)


def _after(schema: str, archived: Contents, processes: int) -> Iterable[str]:
    """Yield the statements that prove the restored tables, and give the restored database a new generation.

    ``processes`` is the last token given in the previous database: none is given twice.
    """
    for name, rows in archived.rows.items():
        count = f'(SELECT count(*) FROM "{schema}"."{name}")'
        yield f"DO $$ BEGIN IF {count} <> {rows} THEN RAISE '{name} is not whole'; END IF; END $$;"
    if tables.generation.name in archived.rows:
        yield f'UPDATE "{schema}".{tables.generation.name} SET value = {randbits(62)};'
    if tables.processes.name in archived.rows:
        sequence = f'"{schema}".processes_id_seq'
        yield f'DELETE FROM "{schema}".processes;'
        yield f"SELECT setval('{sequence}', {processes}) FROM {sequence} WHERE last_value <= {processes};"
