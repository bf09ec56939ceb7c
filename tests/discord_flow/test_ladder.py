"""The ladder in Discord: joined by command and by button, paired on Monday, posted once and without mentions."""

from __future__ import annotations

from typing import Any

import discord

from bot.storage.records import MatchState
from tests.support.acting import labels, pings, text_of, told
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY, stored


def posts(sim: SimulatedDiscord) -> list[discord.Message]:
    """Return the weekly posts of the ladder."""
    found: Any = sim.messages(sim.channel)
    return [message for message in found if "The ladder this week" in text_of(message)]


async def until_monday(sim: SimulatedDiscord) -> None:
    """Let time pass to the day of the next pairing, before a reminder of its matches is due."""
    for _day in range(7):
        if not posts(sim):
            await sim.env.advance_time(DAY)


async def test_two_in_the_ladder_get_a_match_on_monday(sim: SimulatedDiscord) -> None:
    said = told(await sim.alice.slash(sim.channel, "ladder join", game="yonmoque", pace=3 * DAY))
    assert "You play Yonmoque, at 3 days a move or slower." in said
    await sim.bob.slash(sim.channel, "ladder join")
    shown = told(await sim.carol.slash(sim.channel, "ladder show"))
    assert "Get a match each week against somebody near in rating." in shown
    assert "Alice" in shown
    before = pings(sim, sim.alice) + pings(sim, sim.bob)
    await until_monday(sim)
    (post,) = posts(sim)
    assert "Yonmoque · 3 days a move · #1" in text_of(post)
    assert labels(post) == ["Join the ladder", "Leave"]
    match = await stored(sim)
    assert match.state is MatchState.RUNNING
    assert not post.mentions
    assert pings(sim, sim.alice) + pings(sim, sim.bob) == before + 1  # the first turn
    assert "You're in the ladder" in told(await sim.carol.click(post, label="Join the ladder"))
    assert "You've left the ladder" in told(await sim.carol.click(post, label="Leave"))
    assert told(await sim.carol.click(post, label="Leave")) == "You are not in the ladder."


async def test_a_restart_at_the_hour_pairs_a_week_once(sim: SimulatedDiscord) -> None:
    for person in (sim.alice, sim.bob):
        await person.slash(sim.channel, "ladder join")
    await sim.env.advance_time(7 * DAY)
    await sim.restart()
    assert len(posts(sim)) == 1


async def test_who_left_the_server_is_not_paired(sim: SimulatedDiscord) -> None:
    for person in (sim.alice, sim.bob):
        await person.slash(sim.channel, "ladder join")
    del sim.env.backend.guilds[sim.guild.id].members[sim.bob.id]
    await sim.env.advance_time(7 * DAY)
    assert posts(sim) == []
    assert "Bob" not in told(await sim.alice.slash(sim.channel, "ladder show"))
