"""Clocks on the page that stand for some time of a turn: in a weekly rest, and while their player is away."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import expect

from bot.matches.model.rest import Rest
from bot.matches.model.typed import HOUR
from bot.storage.people import Preferences
from tests.support.acting import challenge_accepted
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored
from tests.web.board_window import BoardWindow
from tests.web.browser import Browser
from tests.web.running import Running

DAY = 24 * HOUR


def in_force(rest: Rest, since: datetime) -> Callable[[Preferences], Preferences]:
    """Return the change to preferences with a weekly rest."""
    return lambda before: replace(before, rest=rest.key, rest_from=since)


async def stands(sim: SimulatedDiscord, browsers: Callable[[], Browser]) -> list[list[list[str]]]:
    """Return for each player when their clock stands, as the page has it."""
    alice = await browsers().sign_in(sim.alice)
    return [player["stands"] for player in (await alice.state())["players"]]


@pytest.mark.own_bot
async def test_the_page_is_told_when_the_clock_of_who_is_to_move_stands(
    sim: SimulatedDiscord, browsers: Callable[[], Browser]
) -> None:
    services, now = sim.bot.context.services, sim.env.now()
    assert (now.weekday(), now.hour) == (3, 0)
    await services.personal_settings.prefer(sim.alice.id, in_force(Rest(UTC, days=frozenset({4, 5})), now))
    await challenge_accepted(sim, pace=2 * DAY)
    friday, sunday = (now.replace(minute=0, second=0, microsecond=0) + timedelta(days=days) for days in (1, 3))
    assert await stands(sim, browsers) == [[[friday.isoformat(), sunday.isoformat()]], []]
    await sim.alice.slash(sim.channel, "preferences", away_days=1)
    turn_at = (await stored(sim)).turn_at
    # The absence goes over into the rest.
    assert await stands(sim, browsers) == [[[turn_at.isoformat(), sunday.isoformat()]], []]


@pytest.mark.own_bot
async def test_without_rest_no_clock_stands(sim: SimulatedDiscord, browsers: Callable[[], Browser]) -> None:
    await challenge_accepted(sim, pace=DAY)
    assert await stands(sim, browsers) == [[], []]


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.timeout(240)
async def test_a_clock_shows_what_is_left_and_stands_until_the_rest_is_over(run: Running, browser: Chromium) -> None:
    now = run.services.clock()
    rest = Rest(UTC, hours=((now.hour - 1) % 24, (now.hour + 3) % 24))
    await run.services.personal_settings.prefer(run.people[0].id, in_force(rest, now - timedelta(days=1)))
    match = await run.match("yonmoque")
    deadline = (await run.services.queries.match_view(run.place.server.guild.id, match)).match.deadline_at
    assert deadline is not None
    alice = await BoardWindow.open(browser, run, 0, match, timezone_id="UTC")
    clock = alice.page.locator(".people .to-move .clock")
    (_, until), *_ = rest.spans(now, deadline)
    stood = f"3 days · the clock stands until {until:%A} {until:%H}:00"
    await expect(clock).to_have_text(stood)
    await alice.at(until - timedelta(seconds=5))
    await alice.page.evaluate("new Promise((ticked) => setTimeout(ticked, 1000))")
    await expect(clock).to_have_text(stood)
    for time, shown in (
        (until + timedelta(seconds=5), "2 days"),
        (deadline - timedelta(seconds=90), re.compile(r"^1:(29|30)$")),
        (deadline, "out of time"),
    ):
        await alice.at(time)
        await expect(clock).to_have_text(shown)
    assert alice.complaints() == []
