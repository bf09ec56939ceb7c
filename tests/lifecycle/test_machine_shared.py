"""The same life of many matches on PostgreSQL, with an active bot that dies now and then, and others that think and
answer, too.

``TAVOLIERE_LONG_LIFE`` and ``TAVOLIERE_SEED`` say how long and from where, as on SQLite.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import ClassVar

import pytest
from sqlalchemy import text

from bot.storage.database import Database
from tests.lifecycle.shared_harness import Onlooker, SharedHarness
from tests.lifecycle.test_machine import LONG, Life, live
from tests.support.postgresql import needs_postgresql, running_server

pytestmark = [needs_postgresql, pytest.mark.slow]

BOTS = 3
LIVES, STEPS = 2, 20
"""The first life is always the simplest one there is."""
CLAIMED = "computer_turns", "reviews"
"""The tables whose rows bots claim under their tokens."""
NOTED = (
    "CREATE TABLE taken (what text, by_whom bigint, from_whom bigint)",
    """CREATE FUNCTION note_taken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.claimed_by <> OLD.claimed_by AND EXISTS (SELECT FROM processes WHERE id = OLD.claimed_by) THEN
            INSERT INTO taken VALUES (TG_TABLE_NAME, NEW.claimed_by, OLD.claimed_by);
        END IF;
        RETURN NULL;
    END $$""",
    *(f"CREATE TRIGGER taken AFTER UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION note_taken()" for table in CLAIMED),
)
"""A trigger that notes each claim of a row that another living bot has claimed."""


@pytest.fixture(scope="module")
def migrated_server() -> Iterator[str]:
    """A server with every table."""
    with running_server() as server:
        asyncio.run(migrated(server))
        yield server


class SharedLife(Life):
    """People, a clock, a Discord that fails, and bots of which some die."""

    server: ClassVar[str]

    def begun(self) -> SharedHarness:
        """Return what this life is lived in."""
        return SharedHarness.on_an_emptied(self.server, BOTS)

    def ended(self) -> None:
        """Leave the database, which is emptied before the next life; no bot may have taken anything from another."""
        onlooker = Onlooker(self.server)
        taken = onlooker.execute("DELETE FROM taken RETURNING *")
        onlooker.close()
        assert taken == []


async def migrated(url: str) -> None:
    """Bring an empty database up to date, and have it note what bots take from each other."""
    database = Database(url)
    try:
        await database.open()
        async with database.write() as tx:
            for statement in NOTED:
                await tx.execute(text(statement))
    finally:
        await database.close()


@pytest.mark.timeout(LONG + 600)
def test_whatever_happens_among_several_bots_the_invariants_hold(migrated_server: str) -> None:
    SharedLife.server = migrated_server
    live(SharedLife, LIVES, STEPS)
