"""The private threads of matches against the bot: who is in them, who is told of them, and what happens without one."""

from __future__ import annotations

import discord
import pytest
from simcord.enums import ChannelType

from bot.storage import guilds
from bot.storage.guilds import GuildSettings
from bot.views.permissions import PERMISSIONS
from tests.support.acting import (
    answer,
    board_of,
    boards,
    cards,
    challenge,
    challenge_accepted,
    custom_ids,
    itself,
    resign,
    text_of,
    told,
)
from tests.support.faults import cut_off
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord, deny, give_management, regrant, without
from tests.support.stored import stored

PRIVATELY = discord.Permissions(create_private_threads=True)


@pytest.fixture(autouse=True)
def permitted(sim: SimulatedDiscord) -> None:
    """Let the bot open private threads, as Discord lets everyone in a new server."""
    regrant(sim, PERMISSIONS | PRIVATELY)


def threads(sim: SimulatedDiscord) -> dict[int, tuple[bool, set[int]]]:
    """Return whether each thread of the channel is private, and its members beside the bot, by its id."""
    found = [one for one in sim.env.backend.channels.values() if one.parent_id == sim.channel.id]
    bot = sim.env.backend.bot_user.id
    return {one.id: (one.type == ChannelType.PRIVATE_THREAD, set(one.thread_members) - {bot}) for one in found}


async def alone(sim: SimulatedDiscord, number: int = 1) -> int:
    """Have Alice begin a match against the bot; return the id of its thread."""
    await sim.alice.slash(sim.channel, "play", game="yonmoque")
    thread = (await stored(sim, number)).thread_id
    assert thread is not None
    return thread


@pytest.mark.own_bot
async def test_who_plays_the_bot_has_a_private_thread_and_who_plays_a_person_a_public_one(
    sim: SimulatedDiscord,
) -> None:
    begun = await sim.alice.slash(sim.channel, "play", game="yonmoque")
    assert "`/matches` leads to its board" in told(begun)
    thread = (await stored(sim)).thread_id
    assert thread is not None
    assert threads(sim) == {thread: (True, {sim.alice.id})}
    assert custom_ids(board_of(sim, thread))[0] == "play:1:0"
    await sim.restart()
    await sim.alice.slash(sim.place(thread), "move", move="c3")
    assert f"<@{sim.alice.id}>" in text_of(board_of(sim, thread)), "the bot has replied"
    assert boards(sim, sim.channel.id) == []
    public = await challenge_accepted(sim)
    assert threads(sim)[public][0] is False
    assert [(await stored(sim, number)).private for number in (1, 2)] == [True, False]


@pytest.mark.own_bot
async def test_another_match_in_the_thread_is_as_private(sim: SimulatedDiscord) -> None:
    thread = await alone(sim)
    await sim.alice.slash(sim.place(thread), "play", game="redo", level=1)
    match = await stored(sim, 2)
    assert (match.place_id, match.private) == (thread, True)
    async with sim.bot.context.services.database.write() as tx:
        await guilds.put_settings(tx, sim.guild.id, GuildSettings(watching=True))
    assert not await sim.bot.context.services.watching.may_be_watched(2)
    assert "There's no such match" in told(await sim.bob.slash(sim.channel, "board", match=2))
    sim.env.backend.add_thread_member(thread, sim.bob.id)
    assert "match 2" in told(await sim.bob.slash(sim.place(thread), "board", match=2))


async def test_a_challenge_that_the_bot_takes_up_stays_on_its_card(sim: SimulatedDiscord) -> None:
    card = await challenge(sim, opponent=None)
    menu = answer(await sim.alice.click(card, label="Play the bot"))
    await sim.alice.click(menu, label="Level 1")
    assert threads(sim)[card.id][0] is False
    assert not (await stored(sim)).private


@pytest.mark.slow
@pytest.mark.own_bot
async def test_nobody_else_is_told_of_it_or_led_there_also_once_it_is_archived(sim: SimulatedDiscord) -> None:
    thread = await alone(sim)
    link = f"/{sim.guild.id}/{thread}/"
    for _ in range(2):
        assert "No such match" in told(await sim.bob.slash(sim.channel, "matches", everyone=True))
        assert "No match has been played here" in told(await sim.bob.slash(sim.channel, "board"))
        assert await sim.bob.autocomplete(sim.channel, "board", "match", "") == []
        assert link not in told(await sim.bob.slash(sim.channel, "board", match=1))
        for command, options in (("matches", {}), ("matches", {"everyone": True}), ("board", {"match": 1})):
            assert link in told(await sim.alice.slash(sim.channel, command, **options))
        # What Discord does after a week of silence.
        metadata = sim.env.backend.channels[thread].thread_metadata
        assert metadata is not None
        metadata.archived = True
        await sim.restart()
    await resign(sim.alice, sim.channel)
    assert "No match has been played here" in told(await sim.bob.slash(sim.channel, "match", action="replay"))
    assert [
        one["value"] for one in await sim.alice.autocomplete(sim.channel, "match", "match", "", action="replay")
    ] == [1]


@pytest.mark.own_bot
async def test_a_guest_in_the_thread_sees_its_match(sim: SimulatedDiscord) -> None:
    thread = await alone(sim)
    sim.env.backend.add_thread_member(thread, sim.bob.id)
    assert "match 1" in told(await sim.bob.slash(sim.place(thread), "matches", everyone=True))
    assert "match 1" in told(await sim.bob.slash(sim.place(thread), "board"))
    assert "No such match" in told(await sim.bob.slash(sim.channel, "matches", everyone=True))


async def test_a_challenge_or_cup_from_the_thread_is_posted_where_others_see_it(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    thread = await alone(sim)
    place, channel = sim.place(thread), f"<#{sim.channel.id}>"
    sent = await sim.alice.slash(place, "challenge", game="yonmoque", opponent=sim.bob)
    assert f"Challenge sent. It's posted in {channel}." in told(sent)
    sent = await sim.alice.slash(place, "challenge", game="rectangles", opponent=itself(sim), players=3, level=2)
    assert f"Challenge sent, with me at level 2. It's posted in {channel}." in told(sent)
    opened = await sim.alice.slash(place, "cup", game="yonmoque", players=4)
    assert f"Cup 1 is open. It's posted in {channel}." in told(opened)
    yonmoque, rectangles, cup = map(text_of, cards(sim))
    assert "Yonmoque" in yonmoque
    assert "Rectangles" in rectangles
    assert "Cup 1" in cup
    assert [text_of(message) for message in sim.messages(thread)] == [text_of(board_of(sim, thread))]
    await sim.bob.click(cards(sim)[0], label="Accept")
    assert threads(sim)[cards(sim)[0].id][0] is False


async def test_a_challenge_stays_in_the_thread_if_it_cannot_be_posted_around_it(sim: SimulatedDiscord) -> None:
    thread = await alone(sim)
    deny(sim, sim.channel.id, send_messages=True)
    sent = await sim.alice.slash(sim.place(thread), "challenge", game="yonmoque", opponent=sim.bob)
    assert "It's posted below." in told(sent)
    assert cards(sim) == []


@pytest.mark.own_bot
@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    sampled(
        [
            ("POST", "/channels/*/threads", 403, 50013),
            ("POST", "/channels/*/threads", 400, 50035),
            ("POST", "/channels/*/threads", 400, 160006),
            ("PUT", "/channels/*/thread-members/*", 403, 50001),
        ],
        every=3,
    ),
)
async def test_what_discord_refuses_is_played_in_a_public_thread(
    sim: SimulatedDiscord, method: str, path: str, status: int, code: int
) -> None:
    sim.env.inject_error(method, path, status=status, code=code)
    thread = await alone(sim)
    assert threads(sim)[thread][0] is False
    assert not (await stored(sim)).private
    assert len(boards(sim, thread)) == 1
    assert "match 1" in told(await sim.bob.slash(sim.channel, "matches", everyone=True))


@pytest.mark.parametrize("manages", sampled([True, False], every=2))
async def test_where_the_person_cannot_be_added_no_thread_stays_if_the_bot_may_delete_it(
    sim: SimulatedDiscord, manages: bool
) -> None:
    # The simulation, unlike Discord, lets only those delete a thread who manage channels.
    regrant(sim, PERMISSIONS | PRIVATELY | discord.Permissions(manage_channels=manages))
    sim.env.inject_error("PUT", "/channels/*/thread-members/*", status=403, code=50001)
    thread = await alone(sim)
    private = [one for one, (is_private, _) in threads(sim).items() if is_private]
    assert len(private) == (0 if manages else 1)
    assert not (await stored(sim)).private
    assert len(boards(sim, thread)) == 1


async def test_public_threads_need_not_be_allowed(sim: SimulatedDiscord) -> None:
    regrant(sim, without("create_public_threads") | PRIVATELY)
    thread = await alone(sim)
    assert threads(sim) == {thread: (True, {sim.alice.id})}


@pytest.mark.own_bot
async def test_in_a_channel_for_announcements_none_is_tried(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discord.TextChannel, "is_news", lambda _channel: True)
    regrant(sim, without("create_public_threads") | PRIVATELY)
    await sim.alice.slash(sim.channel, "play", game="yonmoque")
    assert not [request for request in sim.env.http_requests if request.path.endswith("/threads")]
    assert len(boards(sim, sim.channel.id)) == 1


@pytest.mark.own_bot
async def test_if_the_thread_is_deleted_the_match_goes_on_in_the_channel_for_all(sim: SimulatedDiscord) -> None:
    thread = await alone(sim)
    sim.env.backend.delete_channel(thread)
    await sim.env.settle()
    await sim.alice.slash(sim.channel, "move", move="c3")
    assert len(boards(sim, sim.channel.id)) == 1
    match = await stored(sim)
    assert (match.thread_id, match.private) == (None, False)
    assert "match 1" in told(await sim.bob.slash(sim.channel, "matches", everyone=True))


@pytest.mark.own_bot
@pytest.mark.parametrize("lost", ["*/threads", "*/thread-members/*"])
@pytest.mark.parametrize("done", sampled([True, False], every=2))
async def test_an_answer_that_is_lost_opens_no_second_thread_and_adds_the_person(
    sim: SimulatedDiscord, lost: str, done: bool
) -> None:
    with cut_off(lost, done=done, times=1) as cut:
        await sim.alice.slash(sim.channel, "play", game="yonmoque")
        await sim.env.advance_time(60)
    assert len(cut) == 1
    thread = (await stored(sim)).thread_id
    assert thread is not None
    assert threads(sim) == {thread: (True, {sim.alice.id})}
    assert len(boards(sim, thread)) == 1


@pytest.mark.parametrize(("moves", "gone"), [(0, True), (2, True), (3, False)])
async def test_the_thread_of_a_match_resigned_after_hardly_a_move_is_archived_at_once(
    sim: SimulatedDiscord, moves: int, gone: bool
) -> None:
    # The simulation, unlike Discord, lets only those change a thread who manage channels.
    regrant(sim, PERMISSIONS | PRIVATELY | discord.Permissions(manage_channels=True))
    thread = await alone(sim)
    for move in ("c3", "a1", "c5")[:moves]:
        await sim.alice.slash(sim.place(thread), "move", move=move)
    await resign(sim.alice, sim.place(thread))
    shown = sim.env.backend.channels[thread].thread_metadata
    assert shown is not None
    assert shown.archived is gone
    assert "by resignation" in text_of(board_of(sim, thread))
    assert custom_ids(boards(sim, thread)[-2]) == []
