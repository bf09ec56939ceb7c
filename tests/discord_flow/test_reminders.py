"""Many reminders at once are one message, which says of each match whether it still waits."""

from __future__ import annotations

import discord
import pytest

from tests.support.acting import board_of, challenge_accepted, labels, pings, play, text_of
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY, HOUR

pytestmark = pytest.mark.own_bot


def reminders(sim: SimulatedDiscord, threads: list[int]) -> list[discord.Message]:
    return [one for place in threads for one in sim.messages(place) if "your time" in text_of(one)]


async def reminded(sim: SimulatedDiscord, number: int) -> tuple[list[int], int]:
    """Have the reminders of some matches fall due at once; return their threads, and how often Alice was mentioned."""
    threads = [await challenge_accepted(sim, pace=DAY) for _ in range(number)]
    before = pings(sim, sim.alice)
    await sim.env.advance_time(19 * HOUR)
    return threads, pings(sim, sim.alice) - before


async def test_four_reminders_at_once_are_one_message_that_keeps_up_with_its_matches(sim: SimulatedDiscord) -> None:
    threads, mentions = await reminded(sim, 4)
    (message,) = reminders(sim, threads)
    assert (text_of(message).count("[board]("), mentions) == (4, 1)
    assert "your time runs out in 4 matches:" in text_of(message)
    assert labels(message) == ["Play"]

    await play(sim, threads[0], "a1")
    (message,) = reminders(sim, threads)
    assert "your time runs out in 3 matches:" in text_of(message)
    assert "match 1" not in text_of(message)

    await sim.restart()
    await sim.alice.slash(sim.channel, "preferences", away_days=3)
    for match_id in (2, 3, 4):
        await sim.bot.context.services.forfeits.give_up(match_id, 0)
    await sim.env.settle()
    assert not reminders(sim, threads)
    (message,) = [one for place in threads for one in sim.messages(place) if "moved in all of these" in text_of(one)]
    assert labels(message) == []


async def test_who_wants_no_reminders_gets_no_common_one(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "preferences", reminders=False)
    threads, mentions = await reminded(sim, 4)
    assert (reminders(sim, threads), mentions) == ([], 0)


async def test_the_reminder_of_a_match_that_ended_tells_how(sim: SimulatedDiscord) -> None:
    (thread,), _ = await reminded(sim, 1)
    await sim.bot.context.services.forfeits.give_up(1, 0)
    await sim.env.settle()
    reminder = sim.messages(thread)[-2]
    assert "had little time left here" in text_of(reminder)
    assert "wins" in text_of(reminder)
    assert "wins" in text_of(board_of(sim, thread))
