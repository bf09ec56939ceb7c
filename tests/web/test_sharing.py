"""Things are shared from the page as in Discord: once, and only where the person may post."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import discord
import pytest
from sqlalchemy import select

from bot.matches.services.puzzles import PuzzleView
from bot.storage import shares, tables
from tests.support.acting import FINISHED, play, text_of
from tests.support.simulated_discord import SimulatedDiscord, give_management
from tests.web.browser import Browser

pytestmark = pytest.mark.own_bot

Browsers = Callable[[], Browser]


def shared(sim: SimulatedDiscord, place: int | None = None) -> list[discord.Message]:
    return [message for message in sim.messages(place) if "shares" in text_of(message)]


def channel_of(sim: SimulatedDiscord) -> str:
    return str(sim.env.backend.get_channel(sim.channel.id).name)


async def share(browser: Browser, subject: str = "match/1", act: str = "share", **data: Any) -> dict[str, Any]:
    answer = await browser.post(f"/api/{subject}/{act}", data)
    return {"status": answer.status, **(await answer.json())}


async def solved(sim: SimulatedDiscord) -> PuzzleView:
    """Have Alice solve a puzzle."""
    puzzles, person = sim.bot.context.services.puzzles, sim.alice.id
    view = await puzzles.begin(person, "rectangles")
    number = view.attempt.id
    for move in view.puzzle.solution[::2]:
        view = await puzzles.view(person, number)
        await puzzles.try_move(person, number, view.attempt.ply, str(move), uuid4())
    return await puzzles.view(person, number)


async def test_a_finished_match_is_shared_in_the_channel_around_its_thread_once(
    sim: SimulatedDiscord, thread: int, browsers: Browsers
) -> None:
    alice = await browsers().sign_in(sim.alice)
    assert "share" not in {act["act"] for act in (await alice.state())["acts"]}
    assert (await share(alice))["words"] == "This match is still being played. It can be shared when it's over."
    await play(sim, thread, *FINISHED)
    assert {"act": "share", "label": "Share"} in (await alice.state())["acts"]
    once = str(uuid4())
    said = await share(alice, request=once)
    assert said["words"] == f"Shared in #{channel_of(sim)}."
    assert (await share(alice, request=once))["came"] == "repeated"
    assert (await share(alice))["words"] == "You've shared that already."
    await sim.env.settle()
    (message,) = shared(sim)
    assert "### Alice shares a match of Yonmoque" in text_of(message)
    assert shared(sim, thread) == []


async def test_the_moment_of_a_review_is_shared(sim: SimulatedDiscord, thread: int, browsers: Browsers) -> None:
    alice = await browsers().sign_in(sim.alice)
    await play(sim, thread, *FINISHED)
    assert (await share(alice, act="share-review"))["status"] == 409
    await alice.post("/api/match/1/review", {})
    await sim.env.settle()
    review = (await (await alice.get("/api/match/1/review")).json())["review"]
    assert (review["done"], review["share"]) == (True, "Share")
    assert (await share(alice, act="share-review"))["came"] == "done"
    await sim.env.settle()
    (message,) = shared(sim)
    assert "### Alice shares the moment that turned a match of Yonmoque" in text_of(message)


async def test_a_solved_puzzle_is_shared_in_the_channel_for_puzzles(
    sim: SimulatedDiscord, thread: int, browsers: Browsers
) -> None:
    alice, view = await browsers().sign_in(sim.alice), await solved(sim)
    puzzle = f"puzzle/{view.attempt.id}"

    async def acts() -> set[str]:
        return {act["act"] for act in (await (await alice.get(f"/api/{puzzle}")).json())["acts"]}

    assert await acts() == {"another"}
    assert "This server has no channel for puzzles." in (await share(alice, puzzle))["words"]
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "settings", puzzle_channel=sim.channel)
    assert await acts() == {"another", "share"}
    assert (await share(alice, puzzle))["came"] == "done"
    await sim.env.settle()
    (message,) = shared(sim)
    assert "### Alice shares a puzzle: Rectangles of Distinction" in text_of(message)


async def test_only_people_who_may_post_there_share(sim: SimulatedDiscord, thread: int, browsers: Browsers) -> None:
    alice = await browsers().sign_in(sim.alice)
    await play(sim, thread, *FINISHED)
    sim.env.backend.guilds[sim.guild.id].members[sim.alice.id].role_ids.clear()
    said = await share(alice)
    assert said["words"] == f"You aren't allowed to post in #{channel_of(sim)}, so you can't share this there."
    sim.env.inject_error("GET", f"/guilds/{sim.guild.id}/members/*", status=503, times=None)
    assert "I can't look at that channel right now." in (await share(alice))["words"]
    assert sim.bot.database is not None
    async with sim.bot.database.read() as tx:
        assert await shares.of_person(tx, sim.alice.id) == []
        assert (await tx.execute(select(tables.shares))).all() == []
