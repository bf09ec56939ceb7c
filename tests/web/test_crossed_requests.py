"""Doubled, replayed, stale and crossed requests, by the page and by Discord's services at once: a ply is stored once.

``tests/matches/test_at_once`` asserts that one of many moves at a ply is played; here are the answers of the page.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio

from bot.games import GAMES
from bot.games.game import split_text
from bot.matches.model.refusals import AlreadyProcessed, Refusal
from bot.matches.services.turns import MoveReceipt
from tests.matches.conftest import ALICE, BOB
from tests.support.postgresql import needs_postgresql
from tests.web.browser import Browser
from tests.web.served import Served, served_on

PLIES = 14
"""How many plies are played, if the game goes on for so long."""


@pytest_asyncio.fixture(params=["sqlite", pytest.param("postgresql", marks=[needs_postgresql, pytest.mark.slow])])
async def page(request: pytest.FixtureRequest, tmp_path: Path, empty_database: Path) -> AsyncIterator[Served]:
    """A page on each kind of database."""
    if request.param == "sqlite":
        url = f"sqlite+aiosqlite:///{shutil.copy(empty_database, tmp_path)}"
    else:
        url = request.getfixturevalue("server")
    async with served_on(url) as one:
        yield one


async def posted(window: Browser, match: int, body: dict[str, Any]) -> tuple[str, str | None]:
    """Send a move; return what came of it, and the move that the answer says is played."""
    answer = await window.post(f"/api/match/{match}/move", body)
    said = await answer.json()
    assert (answer.status, said["came"]) in ((200, "done"), (200, "repeated"), (409, "refused")), said
    return said["came"], said.get("played")


async def test_no_ply_is_lost_and_none_is_doubled(page: Served) -> None:
    crowd, random = page.crowd, Random(1)
    match = await crowd.begin()
    people, game = (ALICE, BOB), GAMES["yonmoque"]
    windows = [[await page.browser().sign_in(person, match) for _ in range(2)] for person in people]
    position, carried_out = game.start(players=2), list[tuple[int, dict[str, Any]]]()

    async def by_discord(seat: int, ply: int, text: str) -> str | None:
        """Play a move by a command that is delivered twice; return it if it is played."""
        request = crowd.request(match, people[seat], ply)
        told = await asyncio.gather(*(crowd.services.turns.play(*request, text) for _ in "12"), return_exceptions=True)
        assert all(isinstance(one, MoveReceipt | Refusal | AlreadyProcessed) for one in told), told
        return next((one.text for one in told if isinstance(one, MoveReceipt)), None)

    for ply in range(PLIES):
        page.seconds += 60
        mover, waiting = ply % 2, 1 - ply % 2
        texts = random.sample([str(move) for move in position.legal_moves()], 3)
        bodies = [
            {"request": str(uuid4()), "keys": list(split_text(text)), "ply": ply, "confirmed": True}
            for text in texts[:2]
        ]
        again = random.choices(carried_out, k=4 if carried_out else 0)
        late = {**bodies[0], "ply": max(0, ply - 1), "request": str(uuid4())}
        doubled = [posted(window, match, body) for body in bodies for window in windows[mover]]
        replayed = [posted(random.choice(windows[seat]), match, body) for seat, body in again]
        wrong = [posted(windows[waiting][0], match, {**bodies[1], "request": str(uuid4())})]
        wrong += [posted(windows[waiting][1], match, late)] if ply else []

        command = asyncio.create_task(by_discord(mover, ply, texts[2]))
        came = await asyncio.gather(*doubled, *replayed, *wrong)
        by_command = await command

        entries = await crowd.moves(match)
        assert len(entries) == ply + 1, entries
        last = entries[-1].text
        assert {by_command, *(played for _, played in came)} - {None} == {last} <= set(texts)
        of_each, others = (sorted(one for one, _ in came[at : at + 2]) for at in (0, 2))
        assert [of_each, others].count(["done", "repeated"]) == (by_command is None)
        assert {one for one, _ in came[4 : 4 + len(again)]} <= {"repeated"}
        assert {one for one, _ in came[4 + len(again) :]} == {"refused"}
        carried_out += [(mover, body) for body, text in zip(bodies, texts, strict=False) if text == last]
        position = position.play(position.parse(last))
        if position.result is not None:
            break
