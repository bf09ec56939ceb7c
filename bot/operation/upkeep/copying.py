"""``copy``: copies a whole database that no bot uses into an empty one, of the same kind or another.

Rows are stored page by page in the order of their keys, so a copy that was killed continues after the last row in the
target. Until the target is proven equal it is marked as unfinished, and no bot starts on it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from glob import escape
from pathlib import Path

from sqlalchemy import Table, make_url
from sqlalchemy.exc import ArgumentError

from bot.matches.audit import audit_running
from bot.operation.upkeep.errors import UpkeepError, open_as_is
from bot.operation.upkeep.progress import Progress
from bot.settings import DRIVERS
from bot.storage import copying, exclusive_use
from bot.storage.database import Database, in_memory
from bot.storage.errors import explain_errors, hosts, place


@dataclass(frozen=True, slots=True)
class Copied:
    """The result of a copy. ``out_of_order`` has lines about running matches that had errors before the copy, too."""

    rows: int
    tables: int
    running: int
    resumed: bool
    out_of_order: list[str]


async def copy(source: str, target: str, progress: Progress) -> Copied:
    """Copy a database into an empty one, prove the copy, and say what was copied. Raises ``UpkeepError``.

    Both are SQLAlchemy URLs, or names of SQLite files. A copy that was killed is continued.
    """
    from_url, to_url = _url(source), _url(target)
    if _same(from_url, to_url):
        raise UpkeepError("both are the same database")
    async with open_as_is(from_url) as original, open_as_is(to_url) as copied, _no_empty_file_left(copied):
        generation = await _check_source(original)
        await original.lock()
        resumed = await _begin_or_resume(copied, generation)
        rows = await _copy_tables(original, copied, progress)
        if (differing := await _difference(original, copied, rows, progress)) is not None and resumed:
            # A bot used the source after the copy had begun, so the rows copied before are out of date.
            async with copying.writing(copied) as tx:
                await copying.empty(tx)
            rows = await _copy_tables(original, copied, progress)
            differing = await _difference(original, copied, rows, progress)
        if differing is not None:
            raise UpkeepError(f"the table {differing.name} was not the same in the copy; give the command again")
        with explain_errors(copied.url):
            running, problems = await audit_running(copied)
        with explain_errors(original.url):
            _, before = await audit_running(original, problems) if problems else (0, {})
        if problems != before:
            first = next(lines[0] for match, lines in problems.items() if before.get(match) != lines)
            raise UpkeepError(f"the copy is not in order: {first}")
        async with copying.writing(copied) as tx:
            await exclusive_use.finish_copy(tx)
    out_of_order = [line for lines in problems.values() for line in lines]
    return Copied(sum(rows.values()), len(rows), running, resumed, out_of_order)


@asynccontextmanager
async def _no_empty_file_left(target: Database) -> AsyncIterator[None]:
    """Delete the file of a target that a failing copy has made, unless rows are in it: a copy goes on after those."""
    file = target.file
    made = file is not None and not file.exists()
    try:
        yield
    except Exception:
        with suppress(Exception):
            if made and file is not None and file.exists() and await copying.first_filled(target) is None:
                await target.close()
                for part in file.parent.glob(f"{escape(file.name)}*"):
                    part.unlink()
        raise


def _url(given: str) -> str:
    """Return the URL of a database that is given as a URL or as the name of a file. Raises ``UpkeepError``."""
    url = given if "://" in given else f"sqlite+aiosqlite:///{given}"
    try:
        if (parsed := make_url(url)).drivername in DRIVERS:
            if in_memory(parsed):
                raise UpkeepError("a database without a file is in memory and is lost with the command; name a file")
            return url
    except (ArgumentError, ValueError):
        pass
    drivers = " or ".join(f"{driver}://" for driver in DRIVERS)
    # Do not repeat what was given: it may contain a password.
    raise UpkeepError(f"a database is named by a file, or by an address that begins with {drivers}")


def _same(source: str, target: str) -> bool:
    """Return whether two URLs lead to one database, as far as the URLs show it."""
    first, second = make_url(source), make_url(target)
    if first.drivername != second.drivername:
        return False
    if first.get_backend_name() == "sqlite":
        return Path(first.database or "").resolve() == Path(second.database or "").resolve()
    defaults = [
        (hosts(url) or ["localhost"], url.port or 5432, url.database or url.username) for url in (first, second)
    ]
    return defaults[0] == defaults[1]


async def _check_source(source: Database) -> int:
    if source.file is not None and not source.file.exists():
        raise UpkeepError(f"there is no database at {source.file}")
    current, newest = await source.revisions()
    if current is None:
        raise UpkeepError(f"there is nothing of Tavoliere in the database {place(source.url)}")
    if current != newest:
        raise UpkeepError(
            f"the database {place(source.url)} is at {current}, this version needs {newest}: "
            "make a backup, then `run` sees to it"
        )
    async with copying.reading(source) as tx:
        return await exclusive_use.own_generation(tx)


async def _begin_or_resume(target: Database, source: int) -> bool:
    """Create and mark the target, or find it marked; return whether a copy of the same source has begun there."""
    if target.file is not None and target.file.exists():
        # Check this before a file is made beside it.
        await target.revisions(unfinished=True)
    if target.file is not None:
        target.file.parent.mkdir(parents=True, exist_ok=True)
    await target.lock()
    current, newest = await target.revisions(unfinished=True)
    if current is None:
        await target.open(unfinished=True)
    elif current != newest:
        raise UpkeepError(f"the database {place(target.url)} is one of an earlier version; name an empty one")
    async with copying.reading(target) as tx:
        begun = await exclusive_use.copied_from(tx)
    if begun == source:
        return True
    if await copying.first_filled(target) is not None:
        which = "not empty" if begun is None else "an unfinished copy of another"
        raise UpkeepError(f"the database {place(target.url)} is {which}; name an empty one")
    async with copying.writing(target) as tx:
        await exclusive_use.begin_copy(tx, source)
    return False


async def _copy_tables(source: Database, target: Database, progress: Progress) -> dict[Table, int]:
    """Copy the missing rows; return the number of rows of each table."""
    rows = {table: await copying.count(source, table) for table in copying.COPIED}
    progress.begin(2 * sum(rows.values()))
    for table in copying.COPIED:
        progress.advance(f"copying {table.name}", await copying.count(target, table))
        async for page in copying.pages(source, table, await copying.last_key(target, table)):
            async with copying.writing(target) as tx:
                await copying.add(tx, table, page)
            progress.advance(f"copying {table.name}", len(page))
    numbers, finish = await _last_numbers(source)
    async with copying.writing(target) as tx:
        for table, number in numbers.items():
            await copying.set_last_number(tx, table, number)
        await copying.set_last_finish(tx, finish)
    return rows


async def _last_numbers(database: Database) -> tuple[dict[Table, int], int]:
    """Return the last number of each table with numbers, and the last finish number."""
    async with copying.reading(database) as tx:
        numbers = {table: await copying.last_number(tx, table) for table in copying.NUMBERED}
        return numbers, await copying.last_finish(tx)


async def _difference(source: Database, target: Database, rows: dict[Table, int], progress: Progress) -> Table | None:
    """Return the first table that differs; None if all are equal."""
    for table in rows:
        async for same in copying.same_rows(source, target, table):
            if same is None:
                return table
            progress.advance(f"comparing {table.name}", same)
    (given, _), (copied, _) = await _last_numbers(source), await _last_numbers(target)
    return next((table for table, number in given.items() if number > copied[table]), None)
