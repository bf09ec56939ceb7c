"""Migrations lead to exactly the tables the program knows; a database at an older or a newer revision is refused."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, create_engine, event, inspect, select, text

from bot.storage.database import Database
from bot.storage.errors import StorageError
from bot.storage.migrations import known_revisions, revisions, upgrade
from bot.storage.tables import matches, metadata

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
        ("0005", "was made before the first release of Tavoliere: it is at 0005, this version begins at 0035"),
        ("0034", "was made before the first release of Tavoliere: it is at 0034, this version begins at 0035"),
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


@pytest.mark.parametrize("table", ["recipes (name TEXT)", "alembic_version (version_num TEXT DEFAULT 'ae1027a6acf')"])
async def test_the_database_of_another_program_is_refused_and_left_alone(
    engine: Engine, tmp_path: Path, table: str
) -> None:
    with engine.begin() as connection:
        connection.execute(text(f"CREATE TABLE {table}"))
        connection.execute(text(f"INSERT INTO {table.split(maxsplit=1)[0]} DEFAULT VALUES"))
    before = (tmp_path / "migrated.db").read_bytes()
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'migrated.db'}")
    with pytest.raises(StorageError, match=r"migrated\.db belongs to another program\."):
        await database.open()
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


def test_a_running_match_without_a_pace_gets_an_inactivity_limit_a_week_from_now_at_least(engine: Engine) -> None:
    migrate(engine, upgrade, "0037")
    match = "INSERT INTO matches (guild_id, channel_id, game, variant, rated, state, ply, to_move, created_at, turn_at"
    seat = "INSERT INTO seats (match_id, seat, user_id, name, dropped, level) VALUES"
    now = datetime.now(UTC)
    turns = {1: now - timedelta(days=400), 2: now - timedelta(days=1), 3: now - timedelta(days=400), 4: now}
    with engine.begin() as connection:
        for number, turn_at in turns.items():
            state, pace = ("over", None) if number == 3 else ("running", 3600 if number == 4 else None)
            values = {"at": turn_at.replace(tzinfo=None), "state": state, "pace": pace}
            connection.execute(
                text(f"{match}, pace) VALUES (1, 2, 'redo', 'standard', 1, :state, 0, 0, :at, :at, :pace)"), values
            )
            for taken in (0, 1):
                connection.execute(text(f"{seat} ({number}, {taken}, {taken + 1}, 'Name', 0, NULL)"))
    migrate(engine, upgrade)
    with engine.connect() as connection:
        clocks = connection.execute(select(matches.c.deadline_at, matches.c.remind_at).order_by(matches.c.id)).all()
    week, minute = timedelta(days=7), timedelta(minutes=1)
    assert abs(clocks[0].deadline_at - now - week) < minute, "it is told at once and can be closed a week later"
    assert clocks[1].deadline_at == turns[2] + timedelta(days=60)
    assert [clock.remind_at for clock in clocks[:2]] == [clock.deadline_at - week for clock in clocks[:2]]
    assert [tuple(clock) for clock in clocks[2:]] == [(None, None)] * 2


def test_levels_keep_their_strength_when_there_are_ten_instead_of_five(engine: Engine) -> None:
    migrate(engine, upgrade, "0039")
    with engine.begin() as connection:
        for level in range(1, 6):
            connection.execute(text(f"INSERT INTO levels_beaten (user_id, game, level) VALUES (1, 'redo', {level})"))
        challenge = (
            "INSERT INTO challenges (guild_id, channel_id, game, variant, players, challenger_id, first, rated, state, "
            "created_at, expires_at, levels) VALUES (1, 1, 'hex', 'standard', 4, 1, 'challenger', 0, 'open', "
            "'2026-01-01', '2026-01-02', '[1, 3, 5]')"
        )
        connection.execute(text(challenge))
    migrate(engine, upgrade)
    with engine.connect() as connection:
        beaten = connection.execute(text("SELECT level FROM levels_beaten ORDER BY level")).scalars().all()
        seated = connection.execute(text("SELECT levels FROM challenges")).scalar_one()
    assert beaten == [1, 2, 7, 8, 10]
    assert json.loads(seated) == [1, 7, 10]


def test_levels_of_games_get_the_numbers_of_those_that_are_no_stronger(engine: Engine) -> None:
    migrate(engine, upgrade, "0056")
    match = (
        "INSERT INTO matches (id, guild_id, channel_id, game, variant, rated, state, ply, to_move, created_at, turn_at)"
    )
    challenge = (
        "INSERT INTO challenges (guild_id, channel_id, game, variant, players, challenger_id, first, rated, state, "
        "created_at, expires_at, levels) VALUES (1, 1, '{game}', 'standard', 4, 1, 'challenger', 0, 'open', "
        "'2026-01-01', '2026-01-02', '[1, 10]')"
    )
    with engine.begin() as connection:
        for number, game in enumerate(("gyges", "rectangles", "redtangle", "yonmoque"), 1):
            values = f"({number}, 1, 2, '{game}', 'x', 0, 'running', 0, 0, '2026-01-01', '2026-01-01')"
            connection.execute(text(f"{match} VALUES {values}"))
            connection.execute(text(challenge.format(game=game)))
            for level in range(1, 11):
                beaten = "INSERT INTO levels_beaten (user_id, game, level) VALUES"
                connection.execute(text(f"{beaten} (1, '{game}', {level})"))
                seat = "INSERT INTO seats (match_id, seat, user_id, name, dropped, level) VALUES"
                connection.execute(text(f"{seat} ({number}, {level}, 0, 'Tavoliere', 0, {level})"))
    migrate(engine, upgrade)
    levels = {
        "gyges": [1, 2, 3, 4, 5, 6, 6, 7, 8, 9],
        "rectangles": [1, 2, 3, 4, 5, 6, 7, 7, 7, 8],
        "redtangle": [1, 2, 3, 4, 4, 5, 5, 6, 6, 7],
    }
    with engine.connect() as connection:
        for game, expected in (levels | {"yonmoque": list(range(1, 11))}).items():
            beaten = f"SELECT level FROM levels_beaten WHERE game = '{game}' ORDER BY level"
            seats = f"SELECT s.level FROM seats s JOIN matches m ON m.id = match_id WHERE game = '{game}' ORDER BY seat"
            seated = f"SELECT levels FROM challenges WHERE game = '{game}'"
            assert connection.execute(text(beaten)).scalars().all() == sorted(set(expected))
            assert connection.execute(text(seats)).scalars().all() == expected
            assert json.loads(connection.execute(text(seated)).scalar_one()) == [1, expected[-1]]
