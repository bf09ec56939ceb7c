"""Screens of the demo page pass axe-core: the first page, a match with its board, a builder, a review and a puzzle."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.demo.browser_window import ANALYSED, DESKTOP, PHONE, Window, open_page
from tests.demo.conftest import Table
from tests.support.accessible import assert_accessible

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(300),
    pytest.mark.slow,
]


@pytest.mark.parametrize(("size", "dark"), [(DESKTOP, False), (PHONE, True)])
async def test_no_screen_has_a_violation(table: Table, size: tuple[int, int], dark: bool) -> None:
    page = await open_page(table.browser, f"{table.url}#left=alice", size, dark=dark)
    alice = Window(page, "Alice")
    await alice.ready()
    await assert_accessible(page)
    await alice.press("See a finished match")
    await alice.press("Review", await alice.sees("Step through"))
    await expect(alice.last).to_contain_text("Where it turned", timeout=ANALYSED)
    await assert_accessible(page)
    await alice.command("puzzle", game="Yonmoque")
    await expect(page.frame_locator("iframe").locator(".match:not([aria-busy])")).to_be_attached()
    await assert_accessible(page)
    if size == PHONE:
        await alice.press("Chat", alice.pane)
        await assert_accessible(page)
    await alice.command("play", game="Redo")
    await alice.comes_to("Redo")
    await alice.press("Play", await alice.sees("@Alice (White) to move"))
    await assert_accessible(page)
