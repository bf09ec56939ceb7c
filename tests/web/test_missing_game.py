"""The board page of a match whose game is not installed: it says so, and goes on by itself once the game is back."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.demo.browser_window import SOON
from tests.support.accessible import assert_accessible
from tests.support.toy_package import KEY, not_installed
from tests.support.waiting import until
from tests.web.board_window import BoardWindow
from tests.web.running import Running

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(240),
]

GONE = "tic-tac-toe isn't available here at the moment."


async def test_an_open_page_and_a_new_one_say_that_the_game_is_missing_until_it_is_back(
    run: Running, browser: Browser
) -> None:
    match = await run.match(KEY)
    alice = await BoardWindow.open(browser, run, 0, match)
    with not_installed():
        await run.restart()
        await alice.tap("b2")
        await expect(alice.page.locator(".problem")).to_contain_text(GONE)
        bob = BoardWindow(await (await browser.new_context()).new_page())
        bob.page.set_default_timeout(SOON)
        await bob.page.goto(await run.link(1, match))
        await bob.page.get_by_role("button").click()
        await expect(bob.page.locator("main:not([aria-busy]) [role=alert]")).to_contain_text(GONE)
        await expect(bob.board).to_be_hidden()
        await assert_accessible(bob.page)
        await until(lambda: len(run.bot._page.news) == 2, "the sockets of both pages")
    await run.restart()
    await bob.ready()
    await expect(bob.page.locator("h1")).to_have_text("Tic-tac-toe · match 1")
    await expect(bob.board).to_be_visible()
    await expect(bob.page.locator(".problem")).to_have_text("")
    await alice.ready()
    await alice.tap("b2")
    await bob.has_moves("1 Crosses: b2")
