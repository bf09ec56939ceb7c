"""Sentences of the page that have to be true where they stand: after a bar, signed out, and beside the newest board."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.async_api import Browser as RealBrowser
from playwright.async_api import expect

from tests.support.simulated_discord import SimulatedDiscord
from tests.web.board_window import BoardWindow
from tests.web.browser import Browser
from tests.web.running import Running

ENDED = "You are signed out here. Open board in Discord gives you a new link, or says why it can't."


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
async def test_who_is_barred_is_promised_no_new_link_and_no_turn(run: Running, browser: RealBrowser) -> None:
    alice = await BoardWindow.open(browser, run, 0, await run.match("yonmoque"))
    await expect(alice.page.get_by_text("It's your turn.", exact=True)).to_be_visible()
    await expect(alice.page).to_have_title(re.compile("^● "))

    await run.services.bars.bar(run.place.server.guild.id, run.people[0].id)

    await expect(alice.page.locator(".line")).to_have_text(ENDED)
    shown = await alice.page.locator("main").inner_text()
    assert "your turn" not in shown
    assert "to move" not in shown
    await expect(alice.page).to_have_title(re.compile("^Yonmoque"))
    await expect(alice.page.locator(".may, .offers button, [data-key=resign]")).to_have_count(0)


@pytest.mark.own_bot
@pytest.mark.parametrize("language", ["en", "de", "ja"])
async def test_a_page_that_is_behind_is_not_sent_to_a_command_for_the_newest_board(
    sim: SimulatedDiscord, thread: int, browsers: Callable[[], Browser], language: str
) -> None:
    await sim.alice.slash(sim.channel, "preferences", language=language)
    alice = await browsers().sign_in(sim.alice)
    assert (await alice.move("c3", ply=0))["status"] == 200

    behind = await alice.move("a1", ply=0)

    assert behind["status"] == 409
    assert "/board" not in behind["words"]
    if language == "en":
        assert behind["words"] == "The match has moved on."
