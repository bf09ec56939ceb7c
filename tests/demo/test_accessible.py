"""Screens of the demo page pass axe-core: the first page, a match with its board, a builder, a review and a puzzle."""

from __future__ import annotations

import pytest
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import Page, expect

from tests.demo.browser_window import ANALYSED, DESKTOP, PHONE, Window, open_page
from tests.demo.conftest import Table

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(300),
    pytest.mark.slow,
]


async def check(page: Page) -> None:
    """Look for violations on the screen as it is now, frames included."""
    found = await Axe().run(page)
    assert not found.violations_count, found.generate_report()


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
async def test_no_screen_has_a_violation(table: Table, size: tuple[int, int], dark: bool) -> None:
    page = await open_page(table.browser, f"{table.url}#left=alice", size, dark=dark)
    alice = Window(page, "Alice")
    await alice.ready()
    await check(page)
    await alice.press("See a finished match")
    await alice.press("Review", await alice.sees("Step through"))
    await expect(alice.last).to_contain_text("Where it turned", timeout=ANALYSED)
    await check(page)
    await alice.command("puzzle", game="Yonmoque")
    await expect(page.frame_locator("iframe").locator(".match:not([aria-busy])")).to_be_attached()
    await check(page)
    if size == PHONE:
        await alice.press("Chat", alice.pane)
        await check(page)
    await alice.command("play", game="Redo")
    await alice.comes_to("Redo")
    await alice.press("Play", await alice.sees("@Alice (White) to move"))
    await check(page)
