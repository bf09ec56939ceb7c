"""Says in a sentence why a database cannot be used. Knows the drivers' errors, and never shows a password."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from alembic.util import CommandError
from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

_SQLITE = {
    "SQLITE_CANTOPEN": "cannot be opened: its folder is missing, or this user may not use it",
    "SQLITE_READONLY": "cannot be written: this user may only read it, or its folder",
    "SQLITE_NOTADB": "is not an SQLite database",
    "SQLITE_CORRUPT": "is damaged",
    "SQLITE_BUSY": "is held by another program and was not let go in time",
    "SQLITE_FULL": "cannot be written: the disk is full",
    "SQLITE_IOERR": "cannot be read or written: the disk reports errors, or is full",
}


_NO_SERVER = ("rejected SSL upgrade", "connection_lost() call", "during SSL exchange")
"""Parts of asyncpg's messages when what answers is not PostgreSQL, or only a network that ends connections."""
_LASTING = ("28", "3D000", "SQLITE_NOTADB")
"""Beginnings of the codes for a wrong user or password, and for a database that is not there or is something else."""


class StorageError(Exception):
    """The database cannot be used. The message is a sentence for the operator."""

    is_sentence = True
    """Whether the log needs no traceback."""


class ImpossibleSetting(StorageError):
    """A setting does not fit the database. Another attempt does not help."""


class DatabaseAway(StorageError):
    """No server answers at the database's address, for now."""


class DatabaseBusy(DatabaseAway):
    """No connection to the database became free in time. Nothing was begun."""


class LeaseLost(StorageError):
    """Other processes think this one dead and have taken over its work. It must not write any more."""

    def __init__(self) -> None:
        super().__init__("This process did not renew its lease in time, and others have taken over from it.")


class CommitUnknown(DatabaseAway):
    """The connection broke in a commit: the transaction may be stored, or not."""

    def __init__(self) -> None:
        super().__init__("The connection to the database broke before it said whether something was stored.")


_CONNECTION_LOST = ("08", "57P", "40003")
"""Prefixes of PostgreSQL's codes for a connection that has ended, or an outcome that is unknown."""


def leaves_open(error: DBAPIError | OSError) -> bool:
    """Return whether an error of a commit leaves open if the transaction was stored."""
    if isinstance(error, OSError) or error.connection_invalidated:
        return True
    return str(getattr(error.orig, "sqlstate", None)).startswith(_CONNECTION_LOST)


@contextmanager
def explain_errors(url: URL) -> Iterator[None]:
    """Turn the drivers' errors about the database at ``url`` into ``StorageError``.

    A connection that a server ends in the middle of an operation is ``DatabaseAway``: the server may be back soon.
    """
    try:
        yield
    except (SQLAlchemyError, CommandError, sqlite3.Error, OSError, ImportError) as error:
        cause = getattr(error, "orig", None) or error
        code = str(getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", None))
        lasting = isinstance(error, ImportError) or code.startswith(_LASTING)
        kind = ImpossibleSetting if lasting else StorageError
        if isinstance(error, DBAPIError) and leaves_open(error):
            kind = DatabaseAway
        raise kind(f"The database {place(url)} {reason(error)}.") from error


def place(url: URL) -> str:
    """Return the address of a database without any password, so that it may be shown."""
    if url.get_backend_name() == "sqlite":
        return url.database or ":memory:"
    return f"{url.database} on {' or '.join(hosts(url)) or 'this machine'}"


def hosts(url: URL) -> list[str]:
    """Return the servers in an address, each with its port if it has one; none for this machine."""
    named = url.query.get("host", url.host or ())
    return named.split(",") if isinstance(named, str) else list(named)


def reason(error: Exception) -> str:
    """Return why a database cannot be used, to be read after its name."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    name = getattr(cause, "sqlite_errorname", "") or ""
    explanation = next((reason for code, reason in _SQLITE.items() if name.startswith(code)), None)
    if explanation is not None:
        return explanation
    if isinstance(error, ImportError):
        return f"needs the package {error.name}: install the extra `postgres`"
    if "unsupported startup parameter" in str(cause):
        return "is behind PgBouncer: name the server itself in DATABASE_DIRECT_URL"
    if isinstance(cause, ConnectionError) and any(part in str(cause) for part in _NO_SERVER):
        return "cannot be used: no PostgreSQL server answers there, or it ends connections before they begin"
    if isinstance(cause, TimeoutError):
        return "cannot be used: nothing answers there"
    said = (getattr(cause, "strerror", None) or str(cause) or repr(cause)).splitlines()[0].rstrip(".")
    return f"cannot be used: {said}"
