"""Migrations lead up to exactly the tables the program knows, and back down, on an empty and on a filled database."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, inspect, text

from bot.storage.database import Database, alembic_config, downgrade, revisions, upgrade
from bot.storage.tables import metadata

REVISIONS = [script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()][::-1]
AT = "2026-01-01 00:00:00.000000"
FILLED = (
    "INSERT INTO matches (id, guild_id, channel_id, game, variant, rated, state, ply, created_at, turn_at,"
    f" board_channel_id, board_message_id)"
    f" VALUES (1, 1, 2, 'yonmoque', 'standard', 1, 'running', 2, '{AT}', '{AT}', 2, 5)",
    "INSERT INTO matches (id, guild_id, channel_id, game, variant, rated, state, ply, created_at, turn_at, ended_at)"
    f" VALUES (2, 1, 2, 'yonmoque', 'standard', 1, 'over', 9, '{AT}', '{AT}', '{AT}')",
    "INSERT INTO seats (match_id, seat, user_id, name, to_move, dropped) VALUES (1, 0, 10, 'Alice', 1, 0)",
    f"INSERT INTO moves (match_id, ply, seat, kind, text, at) VALUES (1, 1, 0, 'move', 'c3', '{AT}')",
    "INSERT INTO challenges (id, guild_id, channel_id, game, variant, players, challenger_id, first, rated, state,"
    f" match_id, created_at, expires_at)"
    f" VALUES (1, 1, 2, 'yonmoque', 'standard', 2, 10, 'random', 1, 'started', 1, '{AT}', '{AT}')",
    f"INSERT INTO challenge_players (challenge_id, user_id, name, joined_at) VALUES (1, 10, 'Alice', '{AT}')",
    "INSERT INTO ratings (guild_id, game, user_id, mu, sigma, wins, draws, losses, updated_at)"
    f" VALUES (1, 'yonmoque', 10, 25.0, 8.0, 1, 0, 0, '{AT}')",
    "INSERT INTO rating_changes (match_id, game, user_id, mu_before, sigma_before, mu_after, sigma_after, at)"
    f" VALUES (2, 'yonmoque', 10, 25.0, 8.3, 26.0, 8.0, '{AT}')",
    'INSERT INTO outbox (id, "key", topic, kind, payload, state, attempts, due_at, created_at)'
    f" VALUES (1, 'board:1:2', 'match:1', 'board', '{{}}', 'waiting', 0, '{AT}', '{AT}')",
    f"INSERT INTO interactions (id, at) VALUES (3, '{AT}')",
)
"""Rows as the first revision keeps them."""


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
        assert revisions(connection) == (REVISIONS[-1], REVISIONS[-1])


def test_numbers_of_rows_are_never_given_twice_as_the_tables_say(engine: Engine) -> None:
    migrate(engine, upgrade)
    wanted = {table.name for table in metadata.sorted_tables if table.dialect_options["sqlite"]["autoincrement"]}
    with engine.connect() as connection:
        made = connection.execute(text("SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'")).scalars()
        assert set(made) == wanted


def test_taking_every_migration_back_leaves_an_empty_database(engine: Engine) -> None:
    migrate(engine, upgrade)
    migrate(engine, downgrade, "base")
    with engine.connect() as connection:
        assert counts(connection) == {}
        assert revisions(connection)[0] is None
    migrate(engine, upgrade)
    with engine.connect() as connection:
        assert set(counts(connection)) == set(metadata.tables)


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_revision_can_be_reached_and_left_both_ways(engine: Engine, revision: str) -> None:
    migrate(engine, upgrade, revision)
    migrate(engine, upgrade)
    migrate(engine, downgrade, revision)
    with engine.connect() as connection:
        assert revisions(connection)[0] == revision


def test_migrating_a_filled_database_up_and_down_loses_no_row(engine: Engine) -> None:
    migrate(engine, upgrade, REVISIONS[0])
    with engine.begin() as connection:
        for row in FILLED:
            connection.execute(text(row))
        before = counts(connection)
    migrate(engine, upgrade)
    with engine.connect() as connection:
        assert counts(connection).items() >= before.items()
        running, over = connection.execute(text("SELECT * FROM matches ORDER BY id"))
        assert (running.board_ply, running.finish, running.flagged) == (2, None, 0)
        assert (over.board_ply, over.finish) == (None, 2)
        assert connection.execute(text("PRAGMA foreign_key_check")).all() == []
        assert connection.execute(text("PRAGMA integrity_check")).scalar_one() == "ok"
    migrate(engine, downgrade, REVISIONS[0])
    with engine.connect() as connection:
        assert counts(connection) == before
        assert connection.execute(text("SELECT text FROM moves")).scalar_one() == "c3"


def test_the_outbox_of_an_earlier_version_is_put_into_todays_terms_and_back(engine: Engine) -> None:
    rows = (
        (2, "board", '{"match": 1, "ply": 2, "told": [10]}', "failed"),
        (3, "past", '{"match": 1, "ply": 0, "channel": 2, "message": 5}', "sending"),
        (4, "past", '{"match": 1, "ply": 0, "channel": 2, "message": 6, "notice": "late"}', "sent"),
    )
    migrate(engine, upgrade, "0005")
    insert = (
        'INSERT INTO outbox (id, "key", topic, kind, payload, state, attempts, due_at, created_at)'
        f" VALUES (:id, :id, 'match:1', :kind, :payload, :state, 1, '{AT}', '{AT}')"
    )
    with engine.begin() as connection:
        for row in FILLED:
            connection.execute(text(row))
        for row_id, kind, payload, state in rows:
            connection.execute(text(insert), {"id": row_id, "kind": kind, "payload": payload, "state": state})
    migrate(engine, upgrade, "0006")
    read = text("SELECT kind, state, json_extract(payload, '$.notified'), json_extract(payload, '$.told') FROM outbox")
    with engine.connect() as connection:
        assert connection.execute(read).all() == [
            ("board", "pending", "[]", None),
            ("board", "dropped", "[0]", None),
            ("past_board", "sending", None, None),
            ("past_notice", "sent", None, None),
        ]
    migrate(engine, downgrade, "0005")
    with engine.connect() as connection:
        assert [(kind, state, told) for kind, state, _, told in connection.execute(read)] == [
            ("board", "waiting", "[]"),
            ("board", "failed", "[10]"),
            ("past", "sending", None),
            ("past", "sent", None),
        ]


async def test_a_database_of_an_earlier_version_is_brought_up_to_date_when_it_is_opened(
    engine: Engine, tmp_path: Path
) -> None:
    migrate(engine, upgrade, REVISIONS[0])
    with engine.begin() as connection:
        for row in FILLED:
            connection.execute(text(row))
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'migrated.db'}")
    try:
        await database.open()
        async with database.read() as tx:
            current, newest = await tx.run_sync(revisions)
            match = (await tx.execute(metadata.tables["matches"].select())).first()
    finally:
        await database.close()
    assert current == newest
    assert match is not None
    assert match.created_at == datetime(2026, 1, 1, tzinfo=UTC)


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
