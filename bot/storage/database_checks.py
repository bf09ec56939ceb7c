"""Checks of a database: every page of an SQLite file for damage, and the rights of the bot's role in PostgreSQL.

PostgreSQL checks its pages itself when it reads them.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database
from bot.storage.engines import BUSY_SECONDS
from bot.storage.failures import DAMAGED

log = structlog.get_logger(__name__)

_RIGHTS = text("""
    SELECT current_user AS role,
           pg_is_in_recovery() AS standby,
           current_setting('transaction_read_only') = 'on' AS reading,
           current_schema() IS NOT NULL AND has_schema_privilege(current_schema(), 'CREATE') AS creates
""")
_TABLES = text("""
    SELECT DISTINCT held.relname
    FROM pg_class AS held, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS wanted
    WHERE held.relkind = 'r' AND held.relnamespace = current_schema()::regnamespace
      AND NOT (has_table_privilege(held.oid, wanted) AND pg_has_role(held.relowner, 'USAGE'))
    ORDER BY held.relname
""")


async def look_at_pages(database: Database) -> None:
    """Look at all pages while others read and write, and note damage in ``database.failures``."""
    if database.file is None:
        return
    try:
        sign = await first_damage(database.file)
    except sqlite3.OperationalError as error:
        log.warning("the pages of the database were not all looked at", error=repr(error))
        return
    if sign is not None:
        database.failures.note_damage(sign)
        log.error(DAMAGED, sign=sign)


async def first_damage(file: Path) -> str | None:
    """Return the first sign of damage in a file; None if there is none. Raises ``sqlite3.OperationalError``."""
    connection = sqlite3.connect(file, timeout=BUSY_SECONDS, check_same_thread=False)
    try:
        return await asyncio.to_thread(_first_damage, connection)
    except asyncio.CancelledError:
        # The thread ends soon, and closes the connection; perhaps it has already.
        with suppress(sqlite3.ProgrammingError):
            connection.interrupt()
        raise


def _first_damage(connection: sqlite3.Connection) -> str | None:
    with closing(connection):
        try:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            return str(error)
    return None if verdict == "ok" else str(verdict).strip().splitlines()[-1]


async def lacking_right(tx: AsyncConnection) -> str | None:
    """Return what is in the way of writing to the database and migrating it; None if nothing is."""
    rights = (await tx.execute(_RIGHTS)).one()
    if rights.standby:
        return "it is a standby, which can only be read: name the primary"
    if rights.reading:
        return f"the role {rights.role} can only read it (default_transaction_read_only)"
    tables = list((await tx.execute(_TABLES)).scalars())
    if tables:
        more = "" if len(tables) == 1 else f" and {len(tables) - 1} more"
        return f"the role {rights.role} does not own the table {tables[0]}{more}, so it cannot write or migrate it"
    return None if rights.creates else f"the role {rights.role} may not make tables in it"
