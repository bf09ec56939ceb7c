"""A database filled in bulk is one the bot could have written."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from bot.matches.audit import audit
from bot.storage import match_lists
from bot.storage.database import Database
from tests.support.crowds.filling import crowd, fill, servers

NOW = datetime(2026, 1, 1, tzinfo=UTC)


async def test_what_is_filled_in_follows_from_the_moves(tmp_path: Path) -> None:
    file, places = tmp_path / "full.db", servers(2, 30)
    fill(file, places, running=30, finished=40, now=NOW)
    others = [type(place)(place.id + 1, place.channels, tuple(crowd(30, place.id + 9))) for place in places]
    fill(file, others, running=10, finished=20, now=NOW)
    database = Database(f"sqlite+aiosqlite:///{file}")
    try:
        assert await audit(database) == []
        async with database.read() as tx:
            assert await match_lists.running_everywhere(tx) == 40
            assert len(await match_lists.every_id(tx)) == 100
    finally:
        await database.close()
