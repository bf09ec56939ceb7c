"""The cost of a turn depends neither on the length of its match nor on the number of other matches."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import select

from bot.compute.queue import ComputeQueue
from bot.matches import game_states
from bot.matches.model.actor import Actor
from bot.matches.service_context import ServiceContext
from bot.matches.services import Services, create_services
from bot.matches.services.match_queries import MatchView
from bot.storage import tables
from bot.storage.database import Database
from bot.storage.records import MatchState
from tests.support.crowds.filling import fill, servers
from tests.support.crowds.matches import standing_at
from tests.support.statements import statements_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)
EARLY = 5
LATE = {"redo": ("standard", 290), "gyges": ("classic", 190)}


@pytest_asyncio.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    """The services on a database with many matches, with one early and one late match in each of two games."""
    file = tmp_path / "full.db"
    wanted = [standing_at(key, variant, ply) for key, (variant, late) in LATE.items() for ply in (EARLY, late)]
    fill(file, servers(2, 40), running=40, finished=20, now=NOW, wanted=wanted)
    database = Database(f"sqlite+aiosqlite:///{file}")
    async with ComputeQueue() as queue:
        try:
            yield create_services(ServiceContext(database, lambda: NOW, queue))
        finally:
            await database.close()


async def match_view(services: Services, key: str, ply: int) -> MatchView:
    """Return the match of a game that is at a ply, or at the next."""
    query = select(tables.matches.c.id).where(tables.matches.c.game == key, tables.matches.c.ply >= ply)
    query = query.where(tables.matches.c.state == MatchState.RUNNING).order_by(tables.matches.c.ply)
    async with services.database.read() as tx:
        match_id = (await tx.execute(query.limit(1))).scalar_one()
    shown = await services.queries.find_match_view(match_id)
    assert shown is not None
    return shown


async def take_turn(services: Services, shown: MatchView) -> None:
    """Play the first legal move that needs no confirmation."""
    match, position = shown.match, shown.game_state.position
    move = next(str(move) for move in position.legal_moves() if position.question(move) is None)
    await services.turns.play(*(Actor(match.guild_id, match.mover.person, match.id, NOW), match.id, None), move)


@pytest.mark.slow
@pytest.mark.parametrize("key", LATE)
async def test_late_in_a_match_a_turn_asks_for_no_more_than_early(services: Services, key: str) -> None:
    early, late = await match_view(services, key, EARLY), await match_view(services, key, LATE[key][1])
    assert late.match.ply >= LATE[key][1] > early.match.ply
    with statements_of(services.database) as at_first:
        await take_turn(services, early)
    with statements_of(services.database) as at_last:
        await take_turn(services, late)
    assert at_last == at_first
    assert not [statement for statement in at_last if "FROM moves" in statement]


async def test_a_match_that_left_the_cache_is_replayed_once(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_states, "MOST_STATES", 1)
    one, other = await match_view(services, "redo", EARLY), await match_view(services, "gyges", EARLY)
    for shown, again in ((other, 0), (one, 1), (one, 0), (other, 1)):
        with statements_of(services.database) as statements:
            await services.queries.find_match_view(shown.match.id)
        assert len([statement for statement in statements if "FROM moves" in statement]) == again
