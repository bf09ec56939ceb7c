"""Replies planned by touch, on a page of the width of a phone: the opponent's move, and the reply, on the boards."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.web.board_window import PHONE, BoardWindow
from tests.web.running import Running

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(240),
]


async def test_a_reply_is_planned_by_touch_on_the_boards_that_would_stand_and_played(
    run: Running, browser: Browser
) -> None:
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match, PHONE)
    shown = alice.page.locator("p:not(.unseen)")
    await alice.square("c3").tap()
    await alice.has_moves("1 Blue: c3")
    await alice.page.get_by_role("button", name="Plan", exact=True).tap()
    await expect(shown.filter(has_text="which move do you expect?")).to_be_visible()
    await alice.ready()
    await alice.square("d4").tap()
    await expect(shown.filter(has_text="your reply after")).to_be_visible()
    await alice.ready()
    await expect(alice.square("d4")).to_have_accessible_name("d4, blue square, white disc, last move")
    await alice.square("e5").tap()
    await expect(alice.page.get_by_role("listitem").filter(has_text="If d4, then e5")).to_be_visible()
    await alice.assert_accessible()
    bob = await BoardWindow.open(browser, run, 1, match, PHONE)
    await expect(bob.square("e5")).not_to_have_accessible_name("e5, blue square, blue disc")
    await bob.square("d4").tap()
    await bob.has_moves("2 White: d4", "3 Blue: e5")
    assert alice.complaints() == []
    assert bob.complaints() == []
