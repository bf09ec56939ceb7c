"""Watching a match in a real browser: it goes on by itself, and nothing of it stays once it may be watched no more."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.async_api import Browser, expect

from tests.demo.browser_window import SOON
from tests.web.board_window import PHONE, BoardWindow
from tests.web.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]


async def allow(run: Running, *, watching: bool = True) -> None:
    server = run.place.server.guild.id
    await run.services.server_settings.change(server, lambda before: replace(before, watching=watching))


@pytest.mark.slow
async def test_a_match_goes_on_while_it_is_watched_and_leaves_nothing_when_they_may_not(
    public_run: Running, browser: Browser
) -> None:
    await allow(public_run)
    match = await public_run.match("yonmoque")
    link = (await public_run.services.watching.link(match))[0]
    context = await browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = await context.new_page()
    page.set_default_timeout(SOON)
    window = BoardWindow(page)
    await page.goto(f"{public_run.url}/watch/{link}")
    await window.ready()
    await expect(page.locator(".people .name")).to_have_text(["Blue", "White"])
    await expect(page.get_by_role("button", name=re.compile("Sound|Sign out|Resign"))).to_have_count(0)
    await window.assert_accessible()

    await public_run.play_on(match, 2)
    await expect(page.locator(".status")).to_contain_text("Last move: White places a piece on")
    await expect(page.locator(".stage [aria-live]")).to_contain_text("Last move: White places a piece on")
    await window.ready()
    await page.get_by_role("button", name="Previous move").click()
    await expect(page.locator(".said")).to_contain_text("Move 1 of 2 · Blue:")
    await page.get_by_role("button", name="To the newest position").click()

    mover, loser = public_run.people[0], public_run.people[1]
    await public_run.services.forfeits.resign(public_run.actor(loser), match, None)
    await expect(page.locator(".status.over")).to_contain_text("Blue wins by resignation.")
    await expect(page.get_by_role("link", name="Play it with friends")).to_be_visible()
    await page.get_by_role("button", name="Previous move").click()
    await expect(page.locator(".said")).to_contain_text("Move 2 of 3")
    await expect(page.get_by_role("button", name="Best move")).to_have_count(0)
    await window.assert_accessible()
    assert mover.name not in await page.content()
    assert window.complaints() == []

    await allow(public_run, watching=False)
    await expect(page.locator(".door")).to_contain_text("This match can't be watched.")
    await expect(page.locator(".board")).to_have_count(0)
