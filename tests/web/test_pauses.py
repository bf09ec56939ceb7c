"""A pause by agreement on the page: offered, accepted and ended there, and refused there in Discord's words."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.web.board_window import BoardWindow
from tests.web.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]


async def test_a_pause_is_offered_accepted_and_ended(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque")
    alice, bob = [await BoardWindow.open(browser, run, person, match) for person in (0, 1)]
    good, asked = alice.page.locator(".problem.good"), alice.page.get_by_role("dialog")

    await alice.press("Pause")
    await expect(asked).to_contain_text(f"In a pause the clock of Yonmoque · match {match} stands")
    await alice.assert_accessible()
    await asked.get_by_role("button", name="Cancel").click()
    await expect(asked).to_have_count(0)
    await expect(bob.page.locator(".offer")).to_have_count(0)
    await alice.press("Pause")
    await asked.get_by_role("button", name="7 days").click()
    await expect(good).to_have_text("You have offered a pause.")
    await expect(bob.page.locator(".offer")).to_contain_text("Your opponent offers a pause")
    await bob.press("Accept")
    await expect(alice.page.locator(".status")).to_contain_text("Paused until")
    await alice.press("End the pause")
    await expect(good).to_have_text("The pause is over. The clock goes on.")

    await expect(bob.page.locator(".status")).not_to_contain_text("Paused until")
    await expect(bob.page.get_by_role("button", name="Pause", exact=True)).to_be_enabled()
    assert alice.complaints() == bob.complaints() == []
