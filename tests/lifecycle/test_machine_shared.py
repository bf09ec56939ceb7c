"""The same life of many matches on PostgreSQL, where several bots share the work.

``TAVOLIERE_LONG_LIFE`` and ``TAVOLIERE_SEED`` say how long and from where, as on SQLite.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

import pytest

from bot.storage.database import Database
from tests.lifecycle.shared_harness import SharedHarness
from tests.lifecycle.test_machine import LONG, Life, live
from tests.support.postgresql import needs_postgresql, running_server

pytestmark = needs_postgresql

BOTS = 3
LIVES, STEPS = 2, 20


class SharedLife(Life):
    """People, a clock, a Discord that fails, and bots of which some die."""

    server: ClassVar[str]

    def begun(self) -> SharedHarness:
        """Return what this life is lived in."""
        return SharedHarness.on_an_emptied(self.server, BOTS)

    def ended(self) -> None:
        """Leave the database as it is: it is emptied before the next life."""


async def migrated(url: str) -> None:
    """Bring an empty database up to date."""
    database = Database(url)
    try:
        await database.open()
    finally:
        await database.close()


@pytest.mark.timeout(LONG + 600)
@pytest.mark.filterwarnings("ignore:The garbage collector is trying to clean up:sqlalchemy.exc.SAWarning")
def test_whatever_happens_among_several_bots_the_invariants_hold() -> None:
    with running_server() as server:
        asyncio.run(migrated(server))
        SharedLife.server = server
        live(SharedLife, LIVES, STEPS)
