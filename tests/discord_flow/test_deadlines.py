"""A deadline that moves is put right at once where Discord shows it: on the board and in the reminder of the turn."""

from __future__ import annotations

from datetime import timedelta

import discord
import pytest

from tests.support.acting import board_of, boards, challenge_accepted, labels, pings, text_of
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY, HOUR, stored
from tests.support.without_grace import without_grace  # noqa: F401

pytestmark = pytest.mark.own_bot


async def named(sim: SimulatedDiscord, place: int, number: int = 1) -> list[bool]:
    """Return of each message in a place that names a time whether it is the deadline of a match."""
    deadline = (await stored(sim, number)).deadline_at
    assert deadline is not None
    shown = discord.utils.format_dt(deadline, "R")
    return [shown in text_of(message) for message in sim.messages(place) if "<t:" in text_of(message)]


async def test_the_board_and_the_reminder_name_the_deadline_of_who_is_away_and_back_again(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim, pace=DAY)
    aim, pictures = "The aim", len(board_of(sim, thread).attachments)
    await sim.env.advance_time(20 * HOUR)
    assert await named(sim, thread) == [True, True]
    before = pings(sim, sim.alice)
    await sim.alice.slash(sim.channel, "preferences", away_days=3)
    assert await named(sim, thread) == [True, True]
    board = boards(sim, thread)[0]
    assert (aim in text_of(board), len(board.attachments)) == (True, pictures), "all else stays"
    await sim.env.advance_time(HOUR)
    await sim.alice.slash(sim.channel, "preferences", away_days=0)
    assert await named(sim, thread) == [True, True]
    assert [labels(message)[0] for message in sim.messages(thread)] == ["Play", "Play"]
    assert pings(sim, sim.alice) == before


async def agree_on_three_days(sim: SimulatedDiscord, thread: int) -> None:
    for person in (sim.alice, sim.bob):
        await person.slash(sim.place(thread), "match", pace="3 days")


@pytest.mark.slow
async def test_a_pace_that_both_agree_on_is_in_the_reminder_too(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, pace=DAY)
    await sim.env.advance_time(DAY - HOUR)
    await agree_on_three_days(sim, thread)
    (reminder,) = [message for message in sim.messages(thread) if "runs out" in text_of(message)]
    deadline = (await stored(sim)).deadline_at
    assert deadline is not None
    assert discord.utils.format_dt(deadline, "R") in text_of(reminder)


@pytest.mark.slow
async def test_a_pace_agreed_on_after_the_time_was_up_takes_the_news_of_that_back(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, pace=DAY)
    await sim.env.advance_time(DAY + 60)
    late = board_of(sim, thread)
    assert labels(late) == ["Claim"]
    await agree_on_three_days(sim, thread)
    reminder, late = sim.messages(thread)[1:3]
    assert "had little time left here" in text_of(reminder)
    assert (labels(late), "had no time left here" in text_of(late)) == ([], True)


def away_lines(sim: SimulatedDiscord, place: int) -> list[str]:
    """Return the lines about absences on the newest board in a place."""
    return [line for line in text_of(board_of(sim, place)).splitlines() if "is away until" in line]


async def test_boards_no_longer_say_that_a_player_is_away_once_they_are_back(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, pace=7 * DAY)
    said = []
    for person, name, days in ((sim.alice, "Alice", 2), (sim.bob, "Bob", 3), (sim.bob, "Bob", 5)):
        await sim.env.advance_time(1)
        await person.slash(sim.channel, "preferences", away_days=days)
        until = discord.utils.format_dt(sim.env.now() + timedelta(days=days), "D")
        said.append(f"-# {name} is away until {until}.")
    assert away_lines(sim, thread) == [said[0], said[2]]
    await sim.env.advance_time(1)
    await sim.bob.slash(sim.channel, "preferences", away_days=0)
    assert away_lines(sim, thread) == said[:1]
    await sim.env.advance_time(2 * DAY + 60)
    assert away_lines(sim, thread) == []
