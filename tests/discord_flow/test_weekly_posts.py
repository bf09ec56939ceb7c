"""The weekly post: on Mondays with the puzzle of the day, silent, once, and only after a week with games."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import discord
import pytest
from simcord.backend.serializers import thread_payload
from simcord.builders import ChannelHandle

from tests.support.acting import (
    FINISHED,
    answer,
    challenge,
    challenge_accepted,
    description_of,
    itself,
    labels,
    pings,
    play,
    resign,
    text_of,
    told,
)
from tests.support.simulated_discord import SimulatedDiscord, deny, give_management
from tests.support.stored import DAY, stored

pytestmark = pytest.mark.own_bot

MONDAY = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)


async def until(sim: SimulatedDiscord, then: datetime) -> None:
    """Let days go by, so that each has its puzzle."""
    while (left := (then - sim.env.now()).total_seconds()) > 0:
        await sim.env.advance_time(min(left, DAY))


def posts(sim: SimulatedDiscord, place: int | None = None) -> list[discord.Message]:
    return [message for message in sim.messages(place) if "The week in this server" in text_of(message)]


async def week_played(sim: SimulatedDiscord) -> ChannelHandle:
    """Have a match played in a server whose weekly post has a channel of its own; return that channel."""
    give_management(sim, sim.alice)
    news = sim.guild.create_text_channel("news")
    await sim.alice.slash(sim.channel, "settings", puzzle_channel=sim.channel, weekly_channel=news)
    await play(sim, await challenge_accepted(sim), *FINISHED)
    return news


async def test_a_week_is_told_once_in_six_lines_without_a_sound_or_a_mention(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "settings", puzzle_channel=sim.channel)
    await play(sim, await challenge_accepted(sim), *FINISHED)
    await challenge(sim, opponent=None, game="redo")
    await until(sim, MONDAY - timedelta(hours=1))
    assert posts(sim) == []
    before = pings(sim, sim.alice), pings(sim, sim.bob)
    await until(sim, MONDAY)
    (post,) = posts(sim)
    lines = text_of(post).strip().split("\n")
    assert len(lines) <= 6
    assert f"1 match has ended. <@{sim.alice.id}> beat <@{sim.bob.id}> (Yonmoque)" in lines
    assert any(line.startswith(f"👑 In the lead: <@{sim.alice.id}>") for line in lines)
    assert any(line.startswith("Worth a look: [Yonmoque · match 1](") for line in lines)
    assert description_of(post).startswith("Yonmoque. ")
    assert not any(name in description_of(post) for name in ("Alice", "Bob"))
    assert any("Open challenges: [Redo" in line for line in lines)
    assert post.flags.suppress_notifications
    assert (pings(sim, sim.alice), pings(sim, sim.bob)) == before
    await sim.restart()
    assert "You're in the ladder" in told(await sim.carol.click(post, label="Join the ladder"))
    ways = answer(await sim.carol.click(post, label="Play"))
    assert labels(ways.message) == ["Puzzle of the day", "Redo against Alice", "Play the bot"]
    await until(sim, MONDAY + timedelta(days=6))
    assert len(posts(sim)) == 1


async def test_a_week_without_games_between_people_is_not_told(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "settings", puzzle_channel=sim.channel)
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=itself(sim), level=1)
    await resign(sim.alice, sim.channel)
    await until(sim, MONDAY)
    assert posts(sim) == []


async def test_managers_choose_the_channel_or_none(sim: SimulatedDiscord) -> None:
    news = await week_played(sim)
    await until(sim, MONDAY)
    assert posts(sim) == []
    assert len(posts(sim, news.id)) == 1
    assert f"Channel of the weekly post: **<#{news.id}>**" in told(await sim.alice.slash(sim.channel, "settings"))
    said = told(await sim.alice.slash(sim.channel, "settings", weekly=False))
    assert "A weekly post" in said
    assert "Channel of the weekly post" not in said
    await play(sim, await challenge_accepted(sim), *FINISHED)
    await until(sim, MONDAY + timedelta(days=7))
    assert len(posts(sim, news.id)) == 1


@pytest.mark.slow
async def test_it_comes_into_an_archived_thread_and_where_that_is_gone_into_the_channel_of_the_puzzle(
    sim: SimulatedDiscord,
) -> None:
    give_management(sim, sim.alice)
    backend = sim.env.backend
    news = backend.create_thread(sim.channel.id, "news", sim.alice.id)
    await sim.alice.slash(sim.channel, "settings", puzzle_channel=sim.channel, weekly_channel=sim.place(news.id))
    await play(sim, await challenge_accepted(sim), *FINISHED)
    assert news.thread_metadata is not None
    news.thread_metadata.archived = True
    backend.emit("THREAD_UPDATE", thread_payload(backend, news))
    await until(sim, MONDAY)
    assert len(posts(sim, news.id)) == 1
    backend.delete_channel(news.id)
    await play(sim, await challenge_accepted(sim), *FINISHED)
    await until(sim, MONDAY + timedelta(days=7))
    assert len(posts(sim)) == 1


@pytest.mark.slow
async def test_what_its_channel_refuses_goes_to_the_channel_of_the_puzzle_and_the_settings_say_why(
    sim: SimulatedDiscord,
) -> None:
    news = await week_played(sim)
    refusal = f"I can't post in <#{news.id}>"
    assert refusal not in told(await sim.alice.slash(sim.channel, "settings"))
    deny(sim, news.id, send_messages=True)
    await until(sim, MONDAY)
    assert (len(posts(sim)), posts(sim, news.id)) == (1, [])
    assert refusal in told(await sim.alice.slash(sim.channel, "settings"))
    await sim.alice.slash(sim.channel, "settings", weekly=False)
    assert refusal not in told(await sim.alice.slash(sim.channel, "settings"))


async def test_what_readers_may_not_see_is_not_told(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    unseen = discord.PermissionOverwrite(view_channel=False)
    hidden = sim.guild.create_text_channel("board-members", overwrites={sim.carol: unseen})
    await sim.alice.slash(sim.channel, "settings", puzzle_channel=sim.channel)
    card = (await sim.alice.slash(hidden, "challenge", game="yonmoque", opponent=sim.bob, first="challenger")).response
    assert card is not None
    await sim.bob.click(sim.messages(hidden)[-1], label="Accept")
    await play(sim, (await stored(sim)).place_id, *FINISHED)
    await until(sim, MONDAY)
    assert posts(sim) == []
