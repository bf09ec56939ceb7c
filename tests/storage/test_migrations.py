"""Migrations lead to exactly the tables the program knows; a database at an older or a newer revision is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, create_engine, event, inspect, text

from bot.storage.database import Database
from bot.storage.errors import StorageError
from bot.storage.migrations import known_revisions, revisions, upgrade
from bot.storage.tables import metadata

NEWEST = max(known_revisions())


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    """A database file reached without the program's own connections, foreign keys held."""
    engine = create_engine(f"sqlite:///{tmp_path / 'migrated.db'}")
    event.listen(engine, "connect", lambda connection, _record: connection.execute("PRAGMA foreign_keys=ON").close())
    return engine


def migrate(engine: Engine, step: Any, *revision: str) -> None:
    with engine.connect() as connection:
        step(connection, *revision)


def counts(connection: Connection) -> dict[str, int]:
    names = [name for name in inspect(connection).get_table_names() if name != "alembic_version"]
    return {name: connection.execute(text(f'SELECT count(*) FROM "{name}"')).scalar_one() for name in names}


def test_the_newest_revision_has_exactly_the_tables_the_program_knows(engine: Engine) -> None:
    migrate(engine, upgrade)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": False})
        assert compare_metadata(context, metadata) == []
        assert revisions(connection) == (NEWEST, NEWEST)


def test_numbers_of_rows_are_never_given_twice_as_the_tables_say(engine: Engine) -> None:
    migrate(engine, upgrade)
    wanted = {table.name for table in metadata.sorted_tables if table.dialect_options["sqlite"]["autoincrement"]}
    with engine.connect() as connection:
        made = connection.execute(text("SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'")).scalars()
        assert set(made) == wanted


@pytest.mark.parametrize(
    ("revision", "reason"),
    [
        ("0005", "was made before the first release of Tavoliere: it is at 0005, this version begins at 0023"),
        ("0022", "was made before the first release of Tavoliere: it is at 0022, this version begins at 0023"),
        ("9999", f"belongs to a newer version of Tavoliere: it is at 9999, this one knows no further than {NEWEST}"),
    ],
)
async def test_a_database_at_an_unknown_revision_is_refused_and_left_alone(
    engine: Engine, tmp_path: Path, revision: str, reason: str
) -> None:
    migrate(engine, upgrade)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
    before = (tmp_path / "migrated.db").read_bytes()
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'migrated.db'}")
    try:
        with pytest.raises(StorageError, match=reason):
            await database.open()
    finally:
        await database.close()
    assert (tmp_path / "migrated.db").read_bytes() == before


async def test_opening_an_up_to_date_database_again_changes_nothing(engine: Engine, tmp_path: Path) -> None:
    found = []
    for _ in range(2):
        database = Database(f"sqlite+aiosqlite:///{tmp_path / 'migrated.db'}")
        await database.open()
        await database.close()
        with engine.connect() as connection:
            schema = connection.execute(text("SELECT type, name, sql FROM sqlite_schema ORDER BY name")).all()
            found.append((schema, connection.execute(text("PRAGMA schema_version")).scalar_one(), counts(connection)))
    assert found[0] == found[1]
