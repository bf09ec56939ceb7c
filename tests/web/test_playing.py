"""A match is played on the page and in Discord at once: each move is played once, and both show it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy import update

from bot.storage import tables
from tests.support.acting import board_of, challenge_accepted, text_of
from tests.support.simulated_discord import SimulatedDiscord
from tests.web.browser import Browser

pytestmark = pytest.mark.own_bot

Browsers = Callable[[], Browser]


async def test_a_match_begun_in_discord_goes_on_on_the_page_and_ends_in_discord(
    sim: SimulatedDiscord, thread: int, browsers: Browsers
) -> None:
    alice, bob = await browsers().sign_in(sim.alice), await browsers().sign_in(sim.bob)
    await sim.alice.slash(sim.place(thread), "move", move="a1")
    for ply, move in enumerate(("a5", "b1", "b5", "c1", "e5", "e2"), 1):
        mover = bob if ply % 2 else alice
        assert (await mover.move(move, ply=ply))["played"] == move
    await sim.bob.slash(sim.place(thread), "move", move="d4")
    assert "d4" in text_of(board_of(sim, thread))
    await sim.alice.slash(sim.place(thread), "move", move="e2-d1")
    shown = await bob.state()
    assert (shown["over"], shown["turn"]) == (True, None)
    assert "four in a row" in shown["status"]
    assert len(shown["moves"]) == 9


async def test_a_request_sent_twice_at_once_or_again_is_played_once(
    sim: SimulatedDiscord, thread: int, browsers: Browsers
) -> None:
    alice, request = await browsers().sign_in(sim.alice), str(uuid4())
    came = await asyncio.gather(*(alice.move("a1", ply=0, request=request) for _ in range(4)))
    assert sorted(one["came"] for one in came) == ["done", "repeated", "repeated", "repeated"]
    assert (await alice.move("a1", ply=0, request=request))["came"] == "repeated"
    assert [move["text"] for move in (await alice.state())["moves"]] == ["a1"]


async def test_the_reader_sees_the_squares_and_their_choices(
    sim: SimulatedDiscord, thread: int, browsers: Browsers
) -> None:
    alice, bob = await browsers().sign_in(sim.alice), await browsers().sign_in(sim.bob)
    shown = await alice.state()
    assert {step["square"] for step in shown["turn"]["steps"]} == {
        spot["name"] for row in shown["board"]["rows"] for spot in row
    }
    assert (await bob.state())["turn"] is None
    assert (await bob.move("a1", ply=0))["status"] == 409
    picture = await alice.get("/api/match/1/picture?width=600")
    assert (picture.status, picture.content_type) == (200, "image/png")


async def test_a_match_that_lay_idle_for_long_is_closed_on_the_page(sim: SimulatedDiscord, browsers: Browsers) -> None:
    thread = await challenge_accepted(sim, pace=0)
    async with sim.bot.context.services.database.write() as tx:
        now, day = sim.env.now(), timedelta(days=1)
        long_ago = {"turn_at": now - 61 * day, "deadline_at": now - day, "flagged": True}
        await tx.execute(update(tables.matches).values(**long_ago))
    bob = await browsers().sign_in(sim.bob)
    acts = {one["act"]: one["label"] for one in (await bob.state())["acts"]}
    assert acts["close"] == "Close the match"
    assert "claim" not in acts
    closed = await bob.post("/api/match/1/close", {"ply": 0})
    assert (await closed.json())["words"] == "The match is closed. It counts for nobody."
    shown = await bob.state()
    assert (shown["over"], "no move for 60 days" in shown["status"]) == (True, True)
    await sim.env.settle()
    assert "no move for 60 days" in text_of(board_of(sim, thread))
