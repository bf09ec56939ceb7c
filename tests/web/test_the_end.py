"""The end of a match on the page: it speaks to the person, and leads on by one button."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import ViewportSize, expect

from bot.storage.records import Person
from tests.matches.conftest import ALICE, GUILD
from tests.support.acting import board_of, text_of
from tests.support.simulated_discord import SimulatedDiscord
from tests.web.board_window import BoardWindow
from tests.web.browser import Browser
from tests.web.running import Running
from tests.web.served import Served, served
from tests.web.test_beside_the_board import resign

__all__ = ["served"]
SIZES = [(360, 640), (768, 1024), (1280, 720)]
"""Screens of phones, tablets and computers, in pixels."""
FOUR_IN_A_ROW = ("a1", "a5", "b1", "b5", "c1", "e5", "e2", "d4", "e2-d1")


@pytest.mark.own_bot
async def test_a_match_goes_on_on_the_page_and_in_discord_and_its_end_speaks_to_who_won_and_to_who_lost(
    sim: SimulatedDiscord, thread: int, browsers: Callable[[], Browser]
) -> None:
    alice, bob = await browsers().sign_in(sim.alice), await browsers().sign_in(sim.bob)
    for ply, move in enumerate(FOUR_IN_A_ROW):
        assert (await alice.state())["end"] is None
        if ply in (0, 7, 8):
            await (sim.bob if ply % 2 else sim.alice).slash(sim.place(thread), "move", move=move)
            assert move in text_of(board_of(sim, thread))
        else:
            assert (await (bob if ply % 2 else alice).move(move, ply=ply, confirmed=True))["played"] == move
    won, lost = await alice.state(), await bob.state()
    assert (won["end"]["outcome"], won["end"]["headline"]) == ("won", "You won!")
    assert (lost["end"]["outcome"], lost["end"]["headline"]) == ("lost", "You lost")
    assert (won["over"], won["turn"], len(won["moves"])) == (True, None, len(FOUR_IN_A_ROW))
    assert won["board"]["winning"] == ["a1", "b1", "c1", "d1"]
    assert [act["act"] for act in won["acts"]] == ["rematch", "review", "share"]


@pytest.mark.own_bot
async def test_a_draw_by_agreement_is_nobody_s_and_lights_nothing(
    sim: SimulatedDiscord, thread: int, browsers: Callable[[], Browser]
) -> None:
    alice, bob = await browsers().sign_in(sim.alice), await browsers().sign_in(sim.bob)
    await alice.move("a1", ply=0)
    await alice.post("/api/match/1/draw", {"ply": 1})
    await bob.post("/api/match/1/draw", {"ply": 1})
    for one in (alice, bob):
        shown = await one.state()
        assert (shown["end"]["headline"], shown["board"]["winning"]) == ("A draw", [])


async def test_a_match_that_was_won_and_voided_has_no_winner_and_names_who_voided_it_until_they_delete_their_data(
    served: Served,
) -> None:
    crowd, dora = served.crowd, Person(5, "Dora")
    match = await crowd.begin()
    alice = await served.browser().sign_in(ALICE, match)
    await crowd.services.forfeits.give_up(match, 1)
    won = await alice.state(match)
    assert [player["won"] for player in won["players"]] == [True, False]
    assert "counts for nobody" not in won["status"]
    await crowd.services.voiding.void(GUILD, match, dora.id, crowd.interaction(), dora.name)
    voided = await alice.state(match)
    assert [player["won"] for player in voided["players"]] == [False, False]
    assert f"**Voided by <@{dora.id}>, who manages this server.**" in voided["status"]
    assert "It counts for nobody, and ratings are as if it had not been played." in voided["status"]
    assert voided["people"][str(dora.id)] == "Dora"
    await crowd.services.privacy.erase(dora, 7)
    voided = await alice.state(match)
    assert "**Voided by somebody who left.**" in voided["status"]
    assert "Dora" not in str(voided)


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.timeout(240)
@pytest.mark.parametrize("won", [True, pytest.param(False, marks=pytest.mark.slow)])
async def test_the_headline_and_the_way_on_are_in_sight_on_every_screen_and_the_rest_is_under_more(
    run: Running, browser: Chromium, won: bool
) -> None:
    match = await run.match("redtangle") if won else await run.computer_match("redtangle")
    await run.play_on(match, 2)
    await resign(run, match, 1 if won else 0)
    for width, height in SIZES:
        alice = await BoardWindow.open(browser, run, 0, match, ViewportSize(width=width, height=height))
        headline = alice.page.get_by_role("heading", name="You won!" if won else "You lost")
        way_on = alice.page.get_by_role("button", name="Rematch" if won else "See where it turned")
        for one in (headline, way_on, alice.page.locator(".board")):
            await expect(one).to_be_in_viewport(ratio=1)
        await expect(alice.page.locator(".controls .primary")).to_have_count(1)
        assert await alice.page.locator(".controls button").count() == 4
        assert alice.complaints() == []
    await alice.assert_accessible()
    flip = alice.page.get_by_role("button", name="Flip the board")
    await expect(flip).to_have_count(0)
    await alice.press("More")
    await expect(flip).to_be_visible()


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.timeout(240)
@pytest.mark.slow
async def test_who_resigns_further_down_sees_board_headline_and_way_on(run: Running, browser: Chromium) -> None:
    match = await run.computer_match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match, ViewportSize(width=360, height=640))
    await alice.press("Resign")
    await alice.press("Yes, resign")
    headline = alice.page.get_by_role("heading", name="You lost")
    for one in (headline, alice.page.get_by_role("button", name="See where it turned"), alice.page.locator(".board")):
        await expect(one).to_be_in_viewport(ratio=1)
