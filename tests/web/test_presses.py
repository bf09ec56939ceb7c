"""A press counts although the page is brought up to date between finger down and finger up."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Browser, Locator, Route, expect

from tests.web.board_window import PHONE, BoardWindow
from tests.web.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]


async def press_down(window: BoardWindow, control: Locator) -> None:
    """Press a control and do not let go."""
    box = await control.bounding_box()
    assert box is not None
    await window.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await window.page.mouse.down()


@pytest.mark.slow
async def test_play_counts_when_the_server_says_meanwhile_what_the_move_does(run: Running, browser: Browser) -> None:
    match = await run.match("redtangle")
    alice = await BoardWindow.open(browser, run, 0, match, PHONE)
    await run.play_on(match, 2)
    await expect(alice.moves).to_have_count(2)
    answered = asyncio.Event()

    async def later(route: Route) -> None:
        await answered.wait()
        await route.continue_()

    await alice.page.route("**/choices?*", later)
    await alice.ready()
    await alice.tap("f2", "e3")
    play = alice.page.get_by_role("button", name="Play it")
    box = await play.bounding_box()
    await press_down(alice, play)

    answered.set()

    await alice.ready()
    assert await play.bounding_box() == box
    await alice.page.mouse.up()
    await expect(alice.moves).to_have_count(3)
    assert alice.complaints() == []


@pytest.mark.slow
@pytest.mark.parametrize("control", ["button >> text=Rules", '[data-square="c3"]'])
async def test_a_press_counts_when_an_offer_arrives_meanwhile(run: Running, browser: Browser, control: str) -> None:
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match)
    pressed = alice.page.locator(control)
    await alice.ready()
    await pressed.scroll_into_view_if_needed()
    await press_down(alice, pressed)

    async with alice.page.expect_response("**/api/match/1?*"):
        await run.services.agreements.offer_draw(run.actor(run.people[1]), match, None)
    await alice.ready()

    await expect(pressed).to_be_focused()
    rules, offer = "Rules" in control, alice.page.locator(".offer", has_text="Your opponent offers a draw.")
    await expect(offer).to_have_count(0 if rules else 1)
    await alice.page.mouse.up()
    await expect(alice.page.get_by_role("dialog") if rules else alice.moves).to_have_count(1)
    await expect(offer).to_have_count(1 if rules else 0)  # A draw stands until the opponent moves.
    assert alice.complaints() == []
