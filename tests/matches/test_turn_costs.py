"""What a turn costs depends neither on how long the match has lasted nor on how many others are running."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import event, select

from bot.matches import positions
from bot.matches.context import Context
from bot.matches.overview import Table
from bot.matches.services import Services, create_services
from bot.storage import tables
from bot.storage.database import Database
from bot.storage.records import MatchState
from tests.crowds.filling import fill, servers
from tests.crowds.matches import standing_at

NOW = datetime(2026, 1, 1, tzinfo=UTC)
EARLY = 5
LATE = {"redo": ("standard", 290), "gyges": ("classic", 190)}


@pytest_asyncio.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    """The services on a database with many matches, among them one at each of two plies in each of two games."""
    file = tmp_path / "full.db"
    wanted = [standing_at(key, variant, ply) for key, (variant, late) in LATE.items() for ply in (EARLY, late)]
    fill(file, servers(2, 40), running=40, finished=20, now=NOW, wanted=wanted)
    database = Database(f"sqlite+aiosqlite:///{file}")
    with ThreadPoolExecutor(1) as executor:
        try:
            yield create_services(Context(database, lambda: NOW, executor))
        finally:
            await database.close()


async def table(services: Services, key: str, ply: int) -> Table:
    """Return the match of a game that has come to a ply, or the next after it."""
    query = select(tables.matches.c.id).where(tables.matches.c.game == key, tables.matches.c.ply >= ply)
    query = query.where(tables.matches.c.state == MatchState.RUNNING).order_by(tables.matches.c.ply)
    async with services.context.database.read() as tx:
        match_id = (await tx.execute(query.limit(1))).scalar_one()
    shown = await services.overview.shown(match_id)
    assert shown is not None
    return shown


@contextmanager
def asked(services: Services) -> Iterator[list[str]]:
    """Collect what the database is asked."""
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        statements.append(statement)

    engine = services.context.database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(engine, "before_cursor_execute", note)


async def take_turn(services: Services, shown: Table) -> None:
    """Play the first legal move that needs no confirmation."""
    match, position = shown.match, shown.standing.position
    move = next(str(move) for move in position.legal_moves() if position.question(move) is None)
    await services.turns.play(match.guild_id, match.id, match.movers[0].person, move, match.id)


@pytest.mark.parametrize("key", LATE)
async def test_late_in_a_match_a_turn_asks_for_no_more_than_early(services: Services, key: str) -> None:
    early, late = await table(services, key, EARLY), await table(services, key, LATE[key][1])
    assert late.match.ply >= LATE[key][1] > early.match.ply
    with asked(services) as at_first:
        await take_turn(services, early)
    with asked(services) as at_last:
        await take_turn(services, late)
    assert at_last == at_first
    assert not [statement for statement in at_last if "FROM moves" in statement]


async def test_a_match_nobody_has_looked_at_for_long_is_played_again_once(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "REMEMBERED", 1)
    one, other = await table(services, "redo", EARLY), await table(services, "gyges", EARLY)
    for shown, again in ((other, 0), (one, 1), (one, 0), (other, 1)):
        with asked(services) as statements:
            await services.overview.shown(shown.match.id)
        assert len([statement for statement in statements if "FROM moves" in statement]) == again
