"""The threads of matches: announced once, by the card, and archived soon after the end."""

from __future__ import annotations

import discord
import pytest

from bot.views.permissions import PERMISSIONS
from tests.support.acting import board_of, challenge, challenge_accepted, resign, text_of
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord, regrant


def announcements(sim: SimulatedDiscord) -> list[discord.Message]:
    """Return the lines of the channel that say that a thread was started."""
    return [message for message in sim.messages() if message.type is discord.MessageType.thread_created]


def archived_after(sim: SimulatedDiscord, thread: int) -> int:
    """Return the minutes of silence after which a thread is archived."""
    metadata = sim.env.backend.channels[thread].thread_metadata
    assert metadata is not None
    return metadata.auto_archive_duration


MANAGING = discord.Permissions(PERMISSIONS.value | discord.Permissions(manage_channels=True).value)
"""The simulation, unlike Discord, lets only those change a thread who manage channels, and not those who started it."""


async def test_the_card_announces_its_thread_and_no_line_does(sim: SimulatedDiscord) -> None:
    await challenge_accepted(sim)
    assert announcements(sim) == []
    await sim.alice.slash(sim.channel, "play", game="yonmoque")
    assert len(announcements(sim)) == 1, "without a card the line is the way into the thread"


@pytest.mark.parametrize(("written", "minutes"), sampled([(False, 60), (True, 1440)], every=2))
async def test_the_thread_of_a_match_that_is_over_is_archived_after_an_hour_or_a_day(
    sim: SimulatedDiscord, written: bool, minutes: int
) -> None:
    regrant(sim, MANAGING)
    thread = await challenge_accepted(sim)
    assert archived_after(sim, thread) == 10080
    if written:
        await sim.bob.send(sim.place(thread), "good luck")
    await resign(sim.alice, sim.place(thread))
    assert archived_after(sim, thread) == minutes


async def test_without_the_history_of_the_place_the_line_stays_and_the_thread_is_archived_all_the_same(
    sim: SimulatedDiscord,
) -> None:
    card = await challenge(sim)
    sim.env.inject_error("GET", f"/channels/{sim.channel.id}/messages", status=403, code=50001)
    await sim.bob.click(card, label="Accept")
    assert len(announcements(sim)) == 1
    regrant(sim, MANAGING)
    sim.env.inject_error("GET", f"/channels/{card.id}/messages", status=403, code=50001)
    await resign(sim.alice, sim.place(card.id))
    assert archived_after(sim, card.id) == 60


async def test_a_thread_that_the_bot_may_not_change_stays_open(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await resign(sim.alice, sim.place(thread))
    assert archived_after(sim, thread) == 10080
    assert "resign" in text_of(board_of(sim, thread))
