"""The ladder in Discord: joined by command and by button, paired on Monday, posted once and without mentions.

Where the server has a weekly post, that shows the pairs.
"""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from bot.storage import ladders
from bot.storage.records import MatchState
from tests.support.acting import answer, labels, pings, text_of, told
from tests.support.simulated_discord import SimulatedDiscord, deny, give_management
from tests.support.stored import DAY, stored

pytestmark = pytest.mark.own_bot


def posts(sim: SimulatedDiscord) -> list[discord.Message]:
    """Return the ladder's own posts."""
    return having(sim, "The ladder this week")


def having(sim: SimulatedDiscord, words: str, place: Any = None) -> list[discord.Message]:
    """Return the posts with some words in a place, by default the channel."""
    return [message for message in sim.messages(place or sim.channel) if words in text_of(message)]


async def until_paired(sim: SimulatedDiscord, place: Any = None) -> None:
    """Let time pass to the day of the next pairing, before a reminder of its matches is due."""
    for _day in range(7):
        if not having(sim, "The ladder this week", place):
            await sim.env.advance_time(DAY)


async def join(*people: MemberActor, place: ChannelHandle) -> None:
    """Have people join the ladder by the button of its command."""
    for person in people:
        await person.click(answer(await person.slash(place, "ladder")), label="Join the ladder")


async def test_two_in_the_ladder_get_a_match_on_monday(sim: SimulatedDiscord) -> None:
    led = told(await sim.alice.slash(sim.channel, "play", game="ladder:"))
    assert "Nobody is in it yet." in led
    said = told(await sim.alice.slash(sim.channel, "ladder", game="yonmoque", pace=3 * DAY))
    assert "You play Yonmoque, at 3 days a move or slower." in said
    await join(sim.bob, place=sim.channel)
    shown = told(await sim.carol.slash(sim.channel, "ladder"))
    assert "Get a match each week against somebody near in rating." in shown
    assert "Alice" in shown
    before = pings(sim, sim.alice) + pings(sim, sim.bob)
    await until_paired(sim)
    (post,) = posts(sim)
    assert "Yonmoque · 3 days a move · #1" in text_of(post)
    assert labels(post) == ["Join the ladder", "Leave the ladder"]
    match = await stored(sim)
    assert match.state is MatchState.RUNNING
    assert not post.mentions
    assert pings(sim, sim.alice) + pings(sim, sim.bob) == before + 1  # the first turn
    assert "You're in the ladder" in told(await sim.carol.click(post, label="Join the ladder"))
    assert "You've left the ladder" in told(await sim.carol.click(post, label="Leave the ladder"))
    assert told(await sim.carol.click(post, label="Leave the ladder")) == "You're not in the ladder."


async def test_the_weekly_post_shows_the_pairs_also_in_a_week_without_games(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "settings", puzzle_channel=sim.channel)
    for person in (sim.alice, sim.bob, sim.carol):
        await person.slash(sim.channel, "ladder", game="yonmoque", pace=3 * DAY)
    for _day in range(5):
        await sim.env.advance_time(DAY)
    (post,) = having(sim, "The week in this server")
    match = await stored(sim)
    first, second = (f"<@{seat.person.id}>" for seat in match.seats)
    assert f"Ladder: {first} – {second}" in text_of(post).split("\n")
    assert post.flags.suppress_notifications
    assert posts(sim) == []
    assert labels(post) == ["Play", "Join the ladder", "The ladder"]
    again = told(await sim.carol.click(post, label="Join the ladder"))
    assert "You play Yonmoque, at 3 days a move or slower." in again, "the button leaves what they chose"
    shown = told(await sim.carol.click(post, label="The ladder"))
    assert "Yonmoque · 3 days a move · #1" in shown
    assert "No match this week, and first choice for the next:" in shown
    await sim.restart()
    for _day in range(2):
        await sim.env.advance_time(DAY)
    assert len(having(sim, "The week in this server")) == 1


@pytest.mark.slow
async def test_the_ladder_posts_itself_where_not_all_readers_of_the_weekly_post_may_see_its_channel(
    sim: SimulatedDiscord,
) -> None:
    give_management(sim, sim.alice)
    unseen = discord.PermissionOverwrite(view_channel=False)
    hidden = sim.guild.create_text_channel("board-members", overwrites={sim.carol: unseen})
    await sim.alice.slash(sim.channel, "settings", puzzle_channel=sim.channel)
    await join(sim.alice, sim.bob, place=hidden)
    for _day in range(5):
        await sim.env.advance_time(DAY)
    assert having(sim, "The week in this server") == []
    assert len(having(sim, "The ladder this week", hidden)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("permission", ["send_messages", "attach_files"])
async def test_the_ladder_posts_itself_where_the_weekly_post_is_refused(sim: SimulatedDiscord, permission: str) -> None:
    give_management(sim, sim.alice)
    news = sim.guild.create_text_channel("news")
    await sim.alice.slash(sim.channel, "settings", puzzle_channel=news)
    await join(sim.alice, sim.bob, place=sim.channel)
    deny(sim, news.id, **{permission: True})
    for _day in range(5):
        await sim.env.advance_time(DAY)
    assert having(sim, "The week in this server", news) == []
    assert len(having(sim, "The ladder this week")) == 1
    assert pings(sim, sim.alice) + pings(sim, sim.bob) == 1, "whose turn it is"
    assert f"I can't post in <#{news.id}>" in told(await sim.alice.slash(sim.channel, "settings"))


async def test_the_manager_chooses_the_channel_and_who_cannot_see_it_has_no_match(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    unseen = discord.PermissionOverwrite(view_channel=False)
    club = sim.guild.create_text_channel("club", overwrites={sim.carol: unseen})
    for person in (sim.alice, sim.bob):
        await person.slash(sim.channel, "ladder", game="yonmoque", pace=7 * DAY)
    assert f"Channel of the ladder: **<#{sim.channel.id}>**" in told(await sim.alice.slash(sim.channel, "settings"))
    shown = told(await sim.alice.slash(sim.channel, "settings", ladder_channel=club))
    assert f"Channel of the ladder: **<#{club.id}>**" in shown
    assert "can't see the channel of the ladder" in told(await sim.carol.slash(sim.channel, "ladder"))
    assert f", in <#{club.id}>" in told(await sim.bob.slash(sim.channel, "ladder"))
    await until_paired(sim, club)
    match = await stored(sim)
    assert match.channel_id == club.id
    assert f"#{match.id}" in told(await sim.bob.slash(sim.channel, "ladder"))
    assert f"#{match.id}" not in told(await sim.carol.slash(sim.channel, "ladder")), "who cannot see it"


async def test_who_no_longer_sees_the_channel_is_not_paired_and_is_told(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    unseen = discord.PermissionOverwrite(view_channel=False)
    club = sim.guild.create_text_channel("club", overwrites={sim.bob: unseen})
    await join(sim.alice, sim.bob, place=sim.channel)
    await sim.alice.slash(sim.channel, "settings", ladder_channel=club)
    await sim.env.advance_time(7 * DAY)
    assert posts(sim) == having(sim, "The ladder this week", club) == []
    shown = told(await sim.bob.slash(sim.channel, "ladder"))
    assert "can't see the channel of the ladder" in shown
    assert str(club.id) not in shown
    assert "because there is nobody to pair them with: Alice" in shown


async def test_without_its_channel_no_match_begins_and_all_are_told(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    club = sim.guild.create_text_channel("club")
    await join(sim.alice, sim.bob, place=club)
    sim.env.backend.delete_channel(club.id)
    await sim.env.advance_time(7 * DAY)
    assert "No matches begin" in told(await sim.bob.slash(sim.channel, "ladder"))
    assert "until you choose another one" in told(await sim.alice.slash(sim.channel, "settings"))
    assert await sim.bot.context.services.read(ladders.unfinished, sim.guild.id) == []
    await sim.alice.slash(sim.channel, "settings", ladder_channel=sim.channel)
    await sim.env.advance_time(7 * DAY)
    assert len(posts(sim)) == 1
