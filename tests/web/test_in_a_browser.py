"""Two people play on the board page in a real browser, as they would in Discord."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.web.board_window import PHONE, BoardWindow
from tests.web.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]


async def test_a_link_leads_to_the_board_and_moves_reach_the_other_window(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match)
    bob = await BoardWindow.open(browser, run, 1, match, PHONE)
    await expect(alice.page.get_by_text("It's your turn.", exact=True)).to_be_visible()

    await alice.tap("c3")

    await bob.has_moves("1 Blue: c3")
    await expect(bob.page.get_by_text("It's your turn.", exact=True)).to_be_visible()
    await bob.tap("a1")
    await alice.has_moves("1 Blue: c3", "2 White: a1")
    assert alice.complaints() == bob.complaints() == []


async def test_a_move_of_two_choices_is_two_taps_and_another_piece_may_be_taken(run: Running, browser: Browser) -> None:
    match = await run.match("redo")
    alice = await BoardWindow.open(browser, run, 0, match)
    await alice.tap("a2")
    await expect(alice.square("a2")).to_have_accessible_name("a2, white disc, chosen")

    await alice.tap("b2", "b3")

    await alice.has_moves("1 White: b2-b3")
    assert alice.complaints() == []
