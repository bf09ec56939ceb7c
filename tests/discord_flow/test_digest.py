"""The daily digest: once a day at an hour of one's own, only for those who asked and for whom there is something."""

from __future__ import annotations

import re
from datetime import datetime

import pytest

from bot.matches.services.preferences import next_digest
from bot.storage import digests
from bot.storage.people import Preferences
from tests.discord_flow.test_news import utc
from tests.support.acting import answer, challenge_accepted, direct_messages, pings, play, preferences, text_of, told
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY, HOUR
from tests.support.without_grace import without_grace  # noqa: F401


async def ask_for_digest(sim: SimulatedDiscord, hour: int = 8, zone: str = "UTC") -> None:
    said = told(await sim.bob.slash(sim.channel, "preferences", digest=hour, zone=zone))
    assert f"Daily digest: **{hour}:00, {zone}**" in said


@pytest.mark.own_bot
async def test_a_digest_tells_once_a_day_what_waits_what_runs_out_and_what_has_ended(sim: SimulatedDiscord) -> None:
    await ask_for_digest(sim)
    threads = [await challenge_accepted(sim, pace=pace) for pace in (0, 7 * DAY, DAY)]
    for thread in threads:
        await play(sim, thread, "a1")
    ended = await challenge_accepted(sim)
    resigning = answer(await sim.alice.slash(sim.place(ended), "match", action="resign"))
    await sim.alice.click(resigning, label="Yes, resign")
    await sim.restart()
    await sim.env.advance_time(7.9 * HOUR)
    assert direct_messages(sim, sim.bob) == []
    await sim.env.advance_time(0.2 * HOUR)
    (digest,) = direct_messages(sim, sim.bob)
    soon, waiting, over = re.split(r"\*\*(?:Waiting for you|Ended)\*\*", digest)
    assert "**Your time runs out within a day**" in soon
    assert re.findall(r"match (\d) against Alice", soon) == ["3"]
    assert re.findall(r"match (\d) against Alice", waiting) == ["2", "1"]
    assert re.findall(r"match (\d) against Alice", over) == ["4"]
    assert "wins" in over
    assert direct_messages(sim, sim.alice) == [], "she has not asked for one"
    await sim.restart()
    await sim.env.advance_time(HOUR)
    assert len(direct_messages(sim, sim.bob)) == 1
    await sim.env.advance_time(DAY)
    digests_told = direct_messages(sim, sim.bob)
    assert len(digests_told) == 2
    assert "match 4" not in digests_told[1], "it has been told"


@pytest.mark.own_bot
async def test_who_has_nothing_to_do_gets_no_digest(sim: SimulatedDiscord) -> None:
    await ask_for_digest(sim)
    thread = await challenge_accepted(sim)
    await sim.env.advance_time(DAY)
    assert direct_messages(sim, sim.bob) == [], "it is Alice's turn"
    await play(sim, thread, "a1")
    await sim.env.advance_time(5 * DAY)
    assert len(direct_messages(sim, sim.bob)) >= 1
    said = told(await sim.bob.slash(sim.channel, "preferences", digest=-1))
    assert "Daily digest: **none**" in said
    before = len(direct_messages(sim, sim.bob))
    await sim.env.advance_time(2 * DAY)
    assert len(direct_messages(sim, sim.bob)) == before


@pytest.mark.slow
@pytest.mark.own_bot
async def test_a_refused_digest_is_told_once_in_the_channel_and_is_the_last(sim: SimulatedDiscord) -> None:
    await ask_for_digest(sim)
    thread = await challenge_accepted(sim, pace=0)
    await play(sim, thread, "a1")
    sim.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)
    before = pings(sim, sim.bob)
    await sim.env.advance_time(3 * DAY)
    assert pings(sim, sim.bob) == before + 1
    said = [text_of(message) for message in sim.messages(thread)]
    assert sum("this is your last digest" in text for text in said) == 1
    assert "match 1 against Alice" in said[-1]
    assert "Daily digest: **none**" in text_of((await preferences(sim.bob, sim.channel, "When I play")).message)


@pytest.mark.slow
@pytest.mark.own_bot
async def test_digests_of_two_people_in_one_thread_are_both_told_though_discord_fails(sim: SimulatedDiscord) -> None:
    for person in (sim.alice, sim.bob):
        await person.slash(sim.channel, "preferences", digest=8)
    thread = await challenge_accepted(sim)
    resigning = answer(await sim.alice.slash(sim.place(thread), "match", action="resign"))
    await sim.alice.click(resigning, label="Yes, resign")
    sim.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)
    sim.env.inject_error("POST", f"/channels/{thread}/messages", status=503, times=2)
    await sim.env.advance_time(9 * HOUR)
    said = [text_of(message) for message in sim.messages(thread)]
    told_to = [
        person.id for person in (sim.alice, sim.bob) if any(f"<@{person.id}>\n**Ended**" in text for text in said)
    ]
    assert told_to == [sim.alice.id, sim.bob.id]


async def test_a_digest_is_chosen_by_touch(sim: SimulatedDiscord) -> None:
    shown = await preferences(sim.bob, sim.channel, "When I play")
    hours = answer(await sim.bob.click(shown, label="Quiet hours and digest"))
    await sim.bob.select(hours, ["21"], custom_id="prefer:digest")
    assert "Daily digest: **21:00, UTC**" in text_of(hours.message)
    await sim.bob.select(hours, ["Asia/Tokyo"], custom_id="prefer:zone")
    digest = await sim.bot.context.services.read(digests.of_person, sim.bob.id)
    assert digest is not None
    assert digest.due_at == utc(2026, 1, 1, 12)


@pytest.mark.parametrize(
    ("hour", "zone", "now", "told_today", "due"),
    [
        (8, "UTC", utc(2026, 5, 1, 7, 59), False, utc(2026, 5, 1, 8)),
        (8, "UTC", utc(2026, 5, 1, 8), False, utc(2026, 5, 2, 8)),
        # Another hour on the same day brings no second digest.
        (9, "UTC", utc(2026, 5, 1, 8, 30), True, utc(2026, 5, 2, 9)),
        # The night in which two o'clock is skipped, and the one in which it comes twice.
        (2, "Europe/Rome", utc(2026, 3, 28, 23), False, utc(2026, 3, 29, 1)),
        (2, "Europe/Rome", utc(2026, 10, 24, 23), False, utc(2026, 10, 25, 0)),
        (2, "Europe/Rome", utc(2026, 10, 25, 0, 30), True, utc(2026, 10, 26, 1)),
        (8, "Nowhere/Known", utc(2026, 5, 1, 7), False, utc(2026, 5, 1, 8)),
    ],
)
def test_a_digest_is_due_by_the_clocks_of_a_zone(
    hour: int, zone: str, now: datetime, told_today: bool, due: datetime
) -> None:
    wanted = Preferences(digest_hour=hour, zone=zone)
    assert next_digest(wanted, now, now if told_today else None) == due
