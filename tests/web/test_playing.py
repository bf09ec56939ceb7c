"""A match is played on the page and in Discord at once: each move is played once, and both show it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import update

from bot.storage import tables
from tests.support.acting import board_of, challenge_accepted, text_of
from tests.support.simulated_discord import SimulatedDiscord
from tests.web.browser import Browser

pytestmark = pytest.mark.own_bot

Browsers = Callable[[], Browser]


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
