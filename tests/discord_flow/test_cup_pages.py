"""Cups as people look at them: as a picture or as text, in pages, exported, and followed to another channel."""

from __future__ import annotations

import pytest

from tests.support.acting import answer, custom_ids, description_of, labels, text_of, told
from tests.support.cup_play import begun, cup_message, running_matches, started
from tests.support.simulated_discord import SimulatedDiscord

pytestmark = pytest.mark.own_bot

ENDED = 10
"""More cups than a page lists."""


@pytest.mark.slow
async def test_cups_that_have_ended_are_listed_in_pages(sim: SimulatedDiscord) -> None:
    for number in range(1, ENDED + 1):
        await started(sim, players=3)
        await sim.alice.click(cup_message(sim, number), label="Cancel")
        await sim.env.advance_time(900)  # A person may cancel five an hour.
    pages = answer(await sim.bob.slash(sim.channel, "cup"))
    await sim.bob.click(pages, label="Ended")
    assert [f"Cup {number} " in text_of(pages.message) for number in (10, 3, 2)] == [True, True, False]
    await sim.bob.click(pages, label="Older →")
    assert [f"Cup {number} " in text_of(pages.message) for number in (3, 2, 1)] == [False, True, True]
    await sim.bob.click(pages, label="Open and running")
    assert "None at the moment" in text_of(pages.message)


async def test_a_cup_is_shown_listed_and_exported(sim: SimulatedDiscord) -> None:
    await begun(sim)
    assert "Cup 1 · Yonmoque" in text_of(answer(await sim.bob.slash(sim.channel, "cup")).message)
    shown = answer(await sim.bob.slash(sim.channel, "cup", cup=1))
    assert "0 of 4 played" in description_of(shown.message)
    await sim.bob.click(shown, label="As text")
    listed = answer(await sim.bob.click(cup_message(sim), label="Matches"))
    running = await running_matches(sim)
    assert text_of(listed.message).count("being played") == len(running)
    assert all(f"/{match.place_id}/{match.board_message_id})" in text_of(listed.message) for match in running)
    file = answer(
        await sim.bob.click(answer(await sim.bob.slash(sim.channel, "cup", cup=1)), label="Export")
    ).message.attachments[0]
    assert file.filename == "cup-1.txt"
    rules = answer(await sim.bob.click(cup_message(sim), label="Rules"))
    assert "Sonneborn-Berger" in text_of(rules.message)
    await sim.bob.slash(sim.channel, "preferences", text_boards=True)
    shown = answer(await sim.bob.slash(sim.channel, "cup", cup=1))
    assert not shown.attachments
    assert "0 of 4 played" in text_of(shown.message)
    assert "As a picture" in labels(shown.message)


@pytest.mark.slow
async def test_a_cup_whose_channel_is_deleted_moves_to_where_it_is_looked_at(sim: SimulatedDiscord) -> None:
    card = await begun(sim)
    other = sim.guild.create_text_channel("other")
    sim.env.backend.delete_channel(sim.channel.id)
    await sim.env.settle()
    assert "is gone" in told(await sim.bob.slash(other, "cup", cup=1))
    moved = [message for message in sim.messages(other) if "cup:rules:1" in custom_ids(message)]
    assert len(moved) == 1
    assert card.channel.id != moved[0].channel.id
