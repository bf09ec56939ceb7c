"""Every screen of the board page passes axe-core; whole matches by keyboard, by roles and names, finger and mouse."""

from __future__ import annotations

from random import Random

import pytest
from playwright.async_api import Browser, ViewportSize, expect

from bot.matches.model.page_links import Purpose
from tests.support.accessible import assert_accessible
from tests.web.board_window import DESKTOP, PHONE, BoardWindow
from tests.web.hands import Finger, Hand, Keyboard, Mouse, ScreenReader, play_match
from tests.web.running import Running
from tests.web.test_beside_the_board import resign

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(600),
    pytest.mark.slow,
]

WHOLE = (Keyboard, "redo"), (ScreenReader, "redtangle"), (Finger, "gyges"), (Mouse, "rectangles")
"""A game for each hand: hands know no game, and games no hand."""


@pytest.mark.parametrize("game", ["rectangles", "redtangle", "yonmoque"])
async def test_no_screen_has_a_violation(run: Running, browser: Browser, game: str) -> None:
    alice = await BoardWindow.open(browser, run, 0, await run.match(game))
    await alice.assert_accessible()
    hand = Keyboard(alice, Random(3))
    await hand.take()
    await alice.assert_accessible()
    for name in ("Rules", "Resign"):
        await alice.page.get_by_role("button", name=name, exact=True).click()
        await expect(alice.page.get_by_role("dialog")).to_be_visible()
        await alice.assert_accessible()
        await alice.page.keyboard.press("Escape")
    await play_match(hand, run, 1, plies=5)
    await alice.assert_accessible()
    await alice.page.get_by_role("button", name="To the beginning").click()
    await expect(alice.page.locator(".said")).to_have_text("Start")
    await alice.assert_accessible()
    await alice.page.emulate_media(forced_colors="active")
    await alice.assert_accessible()


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
async def test_a_puzzle_has_no_violation(run: Running, browser: Browser, size: ViewportSize) -> None:
    view = await run.services.puzzles.begin(run.people[0].id, "yonmoque")
    alice = await BoardWindow.open(browser, run, 0, view.attempt.id, size, Purpose.PUZZLE)
    await alice.assert_accessible()
    await alice.press("Give up")
    await expect(alice.page.locator(".status.over")).to_be_visible()
    await alice.assert_accessible()


async def test_a_review_on_a_phone_has_no_violation(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque")
    await run.play_on(match, 4)
    await resign(run, match, 0)
    alice = await BoardWindow.open(browser, run, 0, match, PHONE)
    await alice.press("Review")
    await expect(alice.page.locator(".review").get_by_role("img")).to_have_js_property("complete", value=True)
    await alice.assert_accessible()
    await alice.page.get_by_role("button", name="To the beginning").click()
    await expect(alice.page.locator(".said")).to_contain_text("Start")
    await alice.assert_accessible()


async def test_the_page_of_a_link_has_no_violation(run: Running, browser: Browser) -> None:
    page = await browser.new_page()
    await page.goto(await run.link(0, await run.match("yonmoque")))
    await assert_accessible(page)


@pytest.mark.parametrize(("hand", "game"), WHOLE)
async def test_a_whole_match_is_played(run: Running, browser: Browser, game: str, hand: type[Hand]) -> None:
    match = await run.match(game)
    window = await BoardWindow.open(browser, run, 0, match, PHONE if hand is Finger else DESKTOP)
    await play_match(hand(window, Random(7)), run, match)
