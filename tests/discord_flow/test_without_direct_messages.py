"""Who takes no direct messages is told of every match, each where all who read of it may see it."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from bot.storage.records import News
from bot.views.permissions import PERMISSIONS
from tests.discord_flow.test_news import be_quiet, prefer
from tests.support.acting import (
    as_typed,
    challenge_accepted,
    itself,
    play,
    preferences,
    text_of,
)
from tests.support.elsewhere import another_server
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord, regrant
from tests.support.stored import DAY, HOUR, stored

pytestmark = pytest.mark.own_bot


def refuse(sim: SimulatedDiscord) -> None:
    """Let nobody take direct messages from now on."""
    sim.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)


def said(sim: SimulatedDiscord, thread: int) -> str:
    return "\n".join(text_of(message) for message in sim.messages(thread))


async def begun_elsewhere(sim: SimulatedDiscord, *people: MemberActor) -> tuple[ChannelHandle, list[MemberActor]]:
    """Have the first of two people challenge the other in another server; return the thread, and them in it."""
    other = another_server(sim)
    alice, bob = (other.guild.add_member(person.user) for person in people)
    await alice.slash(other.channel, "challenge", game="yonmoque", opponent=bob, first="challenger")
    card = sim.messages(other.channel)[-1]
    await bob.click(card, label="Accept")
    return ChannelHandle(sim.env, other.channel.guild, sim.env.backend.get_channel(card.id)), [alice, bob]


async def alone(sim: SimulatedDiscord, number: int, **options: object) -> int:
    """Have Alice begin a match against the bot; return the id of its private thread."""
    chosen = {"opponent": itself(sim), "level": 1, "first": "challenger"} | options
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", **as_typed(chosen))
    match = await stored(sim, number)
    assert match.private
    assert match.thread_id is not None
    return match.thread_id


async def test_after_quiet_hours_they_are_told_in_each_server(sim: SimulatedDiscord) -> None:
    await be_quiet(sim, sim.bob)
    here = await challenge_accepted(sim)
    there, (alice, _bob) = await begun_elsewhere(sim, sim.alice, sim.bob)
    refuse(sim)
    await play(sim, here, "a1")
    await alice.slash(there, "move", move="a1")
    await sim.env.advance_time(7.1 * HOUR)
    assert [said(sim, thread).count("it's your turn in") for thread in (here, there.id)] == [1, 1]


@pytest.mark.parametrize("news", sampled([News.DIRECT, News.BOTH], every=2))
async def test_a_reminder_of_several_matches_comes_in_the_place_of_each(sim: SimulatedDiscord, news: News) -> None:
    threads = [await challenge_accepted(sim, pace=DAY) for _ in range(2)]
    await prefer(sim, sim.alice, news)
    refuse(sim)
    await sim.env.advance_time(19 * HOUR)
    assert [said(sim, thread).count("your time in") for thread in threads] == [1, 1]


async def test_a_grace_that_serves_several_matches_is_told_of_all(sim: SimulatedDiscord) -> None:
    threads = [await challenge_accepted(sim, pace=DAY) for _ in range(2)]
    refuse(sim)
    await sim.env.advance_time(DAY + HOUR)
    every = "\n".join(said(sim, thread) for thread in threads)
    assert every.count("your time runs out in 2 matches:") == 1


async def test_one_reminder_of_many_names_no_match_of_a_private_thread(sim: SimulatedDiscord) -> None:
    regrant(sim, PERMISSIONS | discord.Permissions(create_private_threads=True))
    threads = [await challenge_accepted(sim, pace=DAY) for _ in range(4)]
    private = await alone(sim, 5, pace=DAY)
    await sim.env.advance_time(19 * HOUR)
    public = "\n".join(said(sim, thread) for thread in threads)
    assert public.count("your time runs out in 4 matches:") == 1
    assert "match 5" not in public
    assert "your time in **Yonmoque · match 5** runs out" in said(sim, private)


async def test_the_last_digest_names_none_either(sim: SimulatedDiscord) -> None:
    regrant(sim, PERMISSIONS | discord.Permissions(create_private_threads=True))
    await sim.alice.slash(sim.channel, "preferences", digest=8)
    thread, _private = await challenge_accepted(sim), await alone(sim, 2)
    refuse(sim)
    await sim.env.advance_time(8.1 * HOUR)
    assert "this is your last digest" in said(sim, thread)
    assert "match 1" in said(sim, thread)
    assert "match 2" not in said(sim, thread)


async def test_a_digest_that_can_be_told_nowhere_is_the_last_all_the_same(sim: SimulatedDiscord) -> None:
    await sim.alice.user.slash("play", game="yonmoque", level=1)
    await sim.alice.slash(sim.channel, "preferences", digest=8)
    place = sim.alice.user.dm_channel.id
    sim.env.inject_error("POST", f"/channels/{place}/messages", status=403, code=50007, times=None)
    await sim.env.advance_time(8.1 * HOUR)
    assert "Daily digest: **none**" in text_of((await preferences(sim.alice, sim.channel, "When I play")).message)
