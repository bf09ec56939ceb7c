"""Clocks of a live match on the page: one ticks, one stands; a person with the page open is at the board."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from playwright.async_api import Browser, expect

from bot.matches.model.pace import Pace
from bot.matches.model.typed import HOUR, MINUTE
from tests.support.waiting import until
from tests.web.board_window import DESKTOP, BoardWindow
from tests.web.listening import shifts, spoken
from tests.web.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]

LIVE, EVENING = Pace(10 * MINUTE, 30), Pace(6 * HOUR, HOUR)


async def test_the_clock_that_runs_ticks_turns_amber_and_red_says_so_once_and_keeps_its_colour(
    run: Running, browser: Browser
) -> None:
    match = await run.match("yonmoque", pace=LIVE)
    await run.play_on(match, 2)
    alice = await BoardWindow.open(browser, run, 0, match)
    deadline = (await run.services.queries.match_view(run.place.server.guild.id, match)).match.deadline_at
    assert deadline is not None
    clock, stands = (alice.page.locator(f".people {row} .clock") for row in (".to-move", "li:not(.to-move)"))
    await expect(stands).to_have_text("10:00")
    await expect(clock).to_have_text(re.compile(r"^\d:\d\d$"))
    await expect(clock).not_to_have_text(await clock.inner_text())
    await expect(clock).to_have_attribute("data-level", "")
    for seconds, level in ((59.5, "amber"), (58, "amber"), (19.5, "red"), (18, "red")):
        await alice.at(deadline - timedelta(seconds=seconds))
        await expect(clock).to_have_attribute("data-level", level)
    await expect(alice.page).to_have_title(re.compile(r"^0:\d\d Yonmoque"))
    said = [text for text in await spoken(alice.page) if "left" in text]
    assert said == ["You have a minute left.", "You have 20 seconds left."]
    assert await shifts(alice.page) == []
    # Also where the panel is drawn anew.
    pressed = "one => { one.click(); return document.querySelector('.people .to-move .clock').dataset.level; }"
    assert await alice.page.get_by_role("button", name="Sound").evaluate(pressed) == "red"
    assert alice.complaints() == []


SILENT = """
window.tones = 0;
window.AudioContext = class {
  state = "suspended";
  currentTime = 0;
  destination = {};
  resume() {
    document.documentElement.dataset.held = "";
    return new Promise((done) => { window.allow = () => { this.state = "running"; done(); }; });
  }
  close() {}
  createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (to) => to }; }
  createOscillator() { window.tones += 1; return { frequency: {}, connect: (to) => to, start() {}, stop() {} }; }
};
"""
"""A browser's sound before the person has used the page: it is held back until ``allow`` is called."""


async def test_a_sound_that_the_browser_holds_back_is_never_heard_late(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque", pace=LIVE)
    context = await browser.new_context(viewport=DESKTOP)
    await context.add_init_script(SILENT)
    page = await context.new_page()
    await page.goto(await run.link(1, match))
    await page.get_by_role("button").click()
    await expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    await run.play_on(match, 1)
    await expect(page.get_by_text("It's your turn.", exact=True)).to_be_visible()
    await expect(page.locator("html")).to_have_attribute("data-held", "")
    await page.wait_for_timeout(600)
    await page.evaluate("window.allow()")
    await page.wait_for_timeout(100)
    assert await page.evaluate("window.tones") == 0
    await page.get_by_role("button", name="Sound").dblclick()
    await expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    assert await page.evaluate("window.tones") == 2


async def test_the_sound_can_be_switched_on_where_the_browser_keeps_nothing(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque")
    context = await browser.new_context(viewport=DESKTOP)
    await context.add_init_script("Storage.prototype.setItem = () => { throw new Error(); };")
    page = await context.new_page()
    await page.goto(await run.link(0, match))
    await page.get_by_role("button").click()
    sound = page.get_by_role("button", name="Sound")
    await expect(sound).to_have_attribute("aria-pressed", "false")
    await sound.click()
    await expect(sound).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("wrong", [-240_000, 240_000])
async def test_a_clock_is_right_on_a_device_whose_clock_is_wrong(run: Running, browser: Browser, wrong: int) -> None:
    match = await run.match("yonmoque", pace=LIVE)
    context = await browser.new_context(viewport=DESKTOP)
    await context.add_init_script(f"const right = Date.now; Date.now = () => right() + {wrong};")
    page = await context.new_page()
    await page.goto(await run.link(0, match))
    await page.get_by_role("button").click()
    await expect(page.locator(".people .to-move .clock")).to_have_text(re.compile(r"^(10:00|9:[345]\d)$"))


@pytest.mark.slow
async def test_a_person_is_at_the_board_for_as_long_as_their_page_is_open(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque", pace=LIVE)
    presence, bob_id = run.services.presence, run.people[1].id
    assert not presence.is_here(match, bob_id, run.services.clock())
    bob = await BoardWindow.open(browser, run, 1, match)
    await until(lambda: presence.is_here(match, bob_id, run.services.clock()), "Bob at his board")
    await bob.page.context.close()
    await until(lambda: not presence.is_here(match, bob_id, run.services.clock()), "Bob gone")


@pytest.mark.slow
async def test_an_offer_of_another_pace_is_answered_on_the_page(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque", pace=LIVE)
    bob = await BoardWindow.open(browser, run, 1, match)
    await run.services.agreements.offer_pace(run.actor(run.people[0]), match, None, EVENING)
    offer = bob.page.locator(".offer")
    await expect(offer).to_contain_text("Your opponent offers another pace: 6 hours + 1 hour a move.")

    await bob.press("Accept")

    await expect(offer).to_have_count(0)
    stored = (await run.services.queries.match_view(run.place.server.guild.id, match)).match
    assert Pace.of(stored.pace, stored.increment) == EVENING
    assert bob.complaints() == []
