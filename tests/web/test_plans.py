"""Replies are planned on the page: on the boards that would stand, by their owner alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.acting import board_of, text_of
from tests.support.simulated_discord import SimulatedDiscord
from tests.web.browser import Browser

pytestmark = pytest.mark.own_bot

Browsers = Callable[[], Browser]


async def data(browser: Browser, path: str) -> dict[str, Any]:
    answer = await browser.get(f"/api/{path}?width=600")
    found: dict[str, Any] = await answer.json()
    return found


async def press(browser: Browser, path: str, act: str, **sent: Any) -> dict[str, Any]:
    """Do something at a place of a plan, at what the page shows of it."""
    shown = (await data(browser, path))["ply"]
    answer = await browser.post(f"/api/{path}/{act}", {"ply": shown, **sent})
    found: dict[str, Any] = await answer.json()
    return found


def pieces(shown: dict[str, Any]) -> str:
    return str(shown["board"]["description"])


async def test_a_reply_is_planned_with_one_press_and_the_two_moves_and_played(
    sim: SimulatedDiscord, thread: int, browsers: Browsers
) -> None:
    alice = await browsers().sign_in(sim.alice)
    await alice.move("c3", ply=0)
    assert {"act": "plan", "label": "Plan"} in (await alice.state())["acts"]
    began = await press(alice, "match/1", "plan")
    assert began["path"] == "plan/1/0"
    assert (await alice.get("/plan/1/0")).status == 200
    shown = await data(alice, "plan/1/0")
    assert "which move do you expect" in shown["status"]
    assert len(shown["turn"]["steps"]) == 24
    expected = await press(alice, "plan/1/0", "move", keys=["d4"])
    assert expected["path"] == "plan/1/1"
    shown = await data(alice, expected["path"])
    assert "your reply" in shown["status"]
    assert "d4" in pieces(shown)
    assert "d4" not in pieces(await alice.state())
    reply = await press(alice, expected["path"], "move", keys=["e5"])
    assert reply["path"] == "plan/1/2"
    assert "If **d4**, then **e5**" in (await data(alice, reply["path"]))["status"]
    picture = await alice.get("/api/plan/1/2/picture?width=600")
    assert (picture.status, picture.content_type) == (200, "image/png")
    await sim.bob.slash(sim.place(thread), "move", move="d4")
    assert "Reply: Alice places a piece on e5" in text_of(board_of(sim, thread))
    assert "Reply: Alice places a piece on e5" in (await alice.state())["status"]


async def test_a_plan_is_stepped_through_changed_and_cleared(
    sim: SimulatedDiscord, thread: int, browsers: Browsers
) -> None:
    alice = await browsers().sign_in(sim.alice)
    await sim.alice.slash(sim.place(thread), "match", plan="c3, d4, e5, a1")
    acts = [act["act"] for act in (await data(alice, "plan/1/1"))["acts"]]
    assert acts == ["go/match", "go/0", "go/2", "remove", "clear"]
    assert (await press(alice, "plan/1/1", "go/2"))["path"] == "plan/1/2"
    assert (await press(alice, "plan/1/1", "go/match"))["path"] == "match/1"
    assert (await press(alice, "plan/1/2", "remove"))["path"] == "plan/1/1"
    assert "d4" not in (await data(alice, "plan/1/0"))["status"]
    assert (await press(alice, "plan/1/1", "clear"))["path"] == "plan/1/0"
    assert [act["act"] for act in (await data(alice, "plan/1/0"))["acts"]] == ["go/match"]


async def test_a_press_on_a_plan_that_has_changed_since_is_refused(
    sim: SimulatedDiscord, thread: int, browsers: Browsers
) -> None:
    alice = await browsers().sign_in(sim.alice)
    ply = (await data(alice, "plan/1/0"))["ply"]
    await sim.alice.slash(sim.place(thread), "match", plan="c3, d4")
    late = await (await alice.post("/api/plan/1/0/move", {"ply": ply, "keys": ["a1"]})).json()
    assert late["came"] == "refused"
    assert "a1" not in (await data(alice, "plan/1/0"))["status"]


async def test_nobody_else_sees_a_plan_on_the_page(sim: SimulatedDiscord, thread: int, browsers: Browsers) -> None:
    bob, carol = await browsers().sign_in(sim.bob), browsers()

    async def seen() -> list[Any]:
        paths = ("match/1", "plan/1/0", "plan/1/1", "match/1/position")
        strangers = [(await carol.get(f"/api/{path}")).status for path in paths]
        return [*strangers, *[await data(bob, path) for path in paths]]

    before = await seen()
    await sim.alice.slash(sim.place(thread), "match", plan="c3, d4, e5")
    assert await seen() == before
