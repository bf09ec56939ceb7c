"""Servers that archive threads, take permissions back or remove the bot, and all kinds of places in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import discord
import pytest
from simcord.backend import serializers
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import ChannelType, OverwriteType
from simcord.intents import EVENT_INTENTS

from bot.matches.audit import audit
from bot.storage import match_lists
from bot.storage.guilds import GuildSettings
from bot.storage.records import MatchState
from bot.views.permissions import PERMISSIONS
from tests.support.acting import (
    FINISHED,
    answer,
    board_of,
    boards,
    build,
    cards,
    challenge_accepted,
    custom_ids,
    direct_messages,
    labels,
    pings,
    play,
    text_of,
    told,
)
from tests.support.archives import archive, archives, is_archived
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord, give_management, regrant, without
from tests.support.stored import DAY, HOUR, stored

pytestmark = pytest.mark.own_bot

__all__ = ["archives"]

SILENT = ("send_messages", "send_messages_in_threads")


# Archived threads


@pytest.mark.usefixtures("archives")
async def test_an_archived_thread_comes_back_with_the_next_turn_and_the_board_before_loses_its_buttons(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim, pace=14 * DAY)
    archive(sim, thread)
    await play(sim, thread, "c3")
    assert not is_archived(sim, thread)
    assert [custom_ids(board)[:1] for board in boards(sim, thread)] == [[], ["play:1:1"]]


@pytest.mark.slow
@pytest.mark.usefixtures("archives")
@pytest.mark.parametrize(("label", "becomes"), [("Decline", "declined"), ("Accept", "accepted")])
async def test_an_offer_in_an_archived_thread_is_answered_for_all_to_see(
    sim: SimulatedDiscord, label: str, becomes: str
) -> None:
    thread = await challenge_accepted(sim)
    await sim.alice.slash(sim.place(thread), "match", action="draw")
    offer = board_of(sim, thread)
    archive(sim, thread)
    await sim.bob.click(offer, label=label)
    now = next(message for message in sim.messages(thread) if message.id == offer.id)
    assert becomes in text_of(now)
    assert labels(now) == []


@pytest.mark.usefixtures("archives")
async def test_a_locked_thread_is_left_for_the_channel_for_good(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    archive(sim, thread, locked=True)
    await sim.alice.slash(sim.channel, "move", move="c3")
    assert custom_ids(boards(sim, sim.channel.id)[-1])[0] == "play:1:1"
    await sim.bob.slash(sim.channel, "move", move="a1")
    assert [custom_ids(board)[:1] for board in boards(sim, sim.channel.id)] == [[], ["play:1:2"]]
    assert len(boards(sim, thread)) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("archives")
async def test_a_rematch_after_a_match_whose_thread_is_locked_has_a_thread_of_its_own(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    archive(sim, thread, locked=True)
    await sim.alice.click(board_of(sim, thread), label="Rematch")
    await sim.bob.click(cards(sim)[-1], label="Accept")
    assert custom_ids(board_of(sim, cards(sim)[-1].id))[0] == "play:2:0"


async def test_a_builder_is_played_to_its_end_though_the_board_it_was_opened_from_is_gone(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim)
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    sim.env.backend.delete_message(thread, board_of(sim, thread).id)
    await build(sim.alice, builder, "c3")
    assert custom_ids(board_of(sim, thread))[0] == "play:1:1"


@pytest.mark.slow
async def test_a_result_whose_channel_is_gone_can_still_be_looked_at_and_replayed(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    other = sim.guild.create_text_channel("elsewhere")
    sim.env.backend.delete_channel(sim.channel.id)
    shown = answer(await sim.alice.slash(other, "board", match=1))
    assert "four in a row" in text_of(shown.message)
    assert answer(await sim.bob.slash(other, "match", action="replay", match=1)).attachments


# Permissions


def take_by_role(sim: SimulatedDiscord) -> None:
    regrant(sim, without(*SILENT))


def give_by_role(sim: SimulatedDiscord) -> None:
    regrant(sim, PERMISSIONS)


def give_another_role(sim: SimulatedDiscord) -> None:
    role = sim.guild.create_role("Trusted", permissions=PERMISSIONS)
    sim.env.backend.add_member_role(sim.guild.id, sim.env.backend.bot_user.id, role.id)


def take_in_channel(sim: SimulatedDiscord) -> None:
    _overwrite(sim, discord.Permissions(**dict.fromkeys(SILENT, True)))


def give_in_channel(sim: SimulatedDiscord) -> None:
    _overwrite(sim, discord.Permissions.none())


def _overwrite(sim: SimulatedDiscord, denied: discord.Permissions) -> None:
    bot_id = sim.env.backend.bot_user.id
    sim.env.backend.set_overwrite(
        sim.channel.id, Overwrite(target_id=bot_id, type=OverwriteType.MEMBER, allow=0, deny=denied.value)
    )


Change = Callable[[SimulatedDiscord], None]


@pytest.mark.parametrize(
    ("take", "give"),
    [(take_by_role, give_by_role), (take_by_role, give_another_role), (take_in_channel, give_in_channel)],
    ids=["by the role", "by another role", "in the channel"],
)
async def test_what_could_not_be_said_without_permissions_is_said_as_soon_as_they_are_back(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch, take: Change, give: Change
) -> None:
    # Discord tells a bot of its own roles whatever its intents are; the simulation does not.
    monkeypatch.delitem(EVENT_INTENTS, "GUILD_MEMBER_UPDATE")
    thread = await challenge_accepted(sim)
    take(sim)
    await sim.alice.slash(sim.place(thread), "move", move="c3")
    assert (await stored(sim)).ply == 1
    assert len(boards(sim, thread)) == 1
    notified = pings(sim, sim.bob)
    await sim.env.advance_time(10 * DAY)
    give(sim)
    await sim.env.settle()
    posted = [*boards(sim, thread), *boards(sim, sim.channel.id)]
    assert [custom_ids(board)[:1] for board in posted] == [[], ["play:1:1"]]
    assert pings(sim, sim.bob) == notified + 1
    assert len(direct_messages(sim, sim.bob)) == 1


async def test_a_change_of_permissions_that_helps_nothing_repeats_nothing(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    take_by_role(sim)
    await sim.alice.slash(sim.place(thread), "move", move="c3")
    asked = len(sim.env.http_requests)
    regrant(sim, without(*SILENT, "read_message_history"))
    await sim.env.settle()
    assert sim.env.http_requests[asked:] == []
    assert len(direct_messages(sim, sim.bob)) == 1


async def test_an_answer_and_an_old_board_lose_their_buttons_as_soon_as_the_bot_may_change_them(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim)
    await sim.alice.slash(sim.place(thread), "match", action="draw")
    board, offer = sim.messages(thread)[-2:]
    regrant(sim, without(*SILENT, "view_channel"))
    sim.env.inject_error("PATCH", f"/channels/{thread}/messages/*", status=403, code=50001, times=None)
    await sim.bob.click(offer, label="Accept")
    assert (await stored(sim)).reason == "agreement"
    sim.env.backend.faults.clear()
    give_by_role(sim)
    await sim.env.settle()
    now = {message.id: message for message in sim.messages(thread)}
    assert (labels(now[board.id]), labels(now[offer.id])) == ([], [])
    assert "accepted" in text_of(now[offer.id])


# The bot itself


@contextmanager
def bot_left(sim: SimulatedDiscord) -> Iterator[None]:
    """Remove the bot from the server for a while; its posts stay there."""
    backend, guild_id = sim.env.backend, sim.guild.id
    guild = backend.guilds[guild_id]
    places = [*guild.channel_ids, *guild.thread_ids]
    channels = {place: backend.channels[place] for place in places}
    messages = {place: backend.messages[place] for place in places}
    backend.remove_guild(guild_id)
    yield
    backend.guilds[guild_id] = guild
    backend.channels |= channels
    backend.messages |= messages
    backend.emit("GUILD_CREATE", serializers.guild_create_payload(backend, guild))


async def test_while_the_bot_is_not_in_a_server_all_clocks_stand_still_there(sim: SimulatedDiscord) -> None:
    await sim.bot.context.services.server_settings.change(
        sim.guild.id, lambda _: GuildSettings(automatic=True, grace=False)
    )
    thread = await challenge_accepted(sim, pace=DAY)
    before = await stored(sim)
    notified = pings(sim, sim.alice)
    await sim.env.advance_time(HOUR)
    with bot_left(sim):
        await sim.env.advance_time(30 * DAY)
        away = await stored(sim)
        assert (away.state, away.remind_at) == (MatchState.RUNNING, before.remind_at)
    await sim.env.settle()
    after = await stored(sim)
    assert before.deadline_at is not None
    assert after.deadline_at == before.deadline_at + timedelta(days=30)
    assert pings(sim, sim.alice) == notified
    await sim.env.advance_time(16 * HOUR)
    assert pings(sim, sim.alice) == notified
    await sim.env.advance_time(2 * HOUR)
    assert pings(sim, sim.alice) == notified + 1
    builder = answer(await sim.alice.click(boards(sim, thread)[-1], label="Play"))
    await build(sim.alice, builder, "c3")
    assert custom_ids(board_of(sim, thread))[0] == "play:1:1"


@pytest.mark.slow
async def test_a_turn_made_at_the_last_moment_is_shown_when_the_bot_is_back(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    sim.env.inject_error("POST", f"/channels/{thread}/messages", status=503, times=None)
    await play(sim, thread, "c3")
    with bot_left(sim):
        sim.env.backend.faults.clear()
        await sim.env.advance_time(HOUR)
    await sim.env.settle()
    posted = [*boards(sim, thread), *boards(sim, sim.channel.id)]
    assert [custom_ids(board)[:1] for board in posted] == [[], ["play:1:1"]]


async def kept(sim: SimulatedDiscord) -> list[int]:
    """Return the numbers of the matches that are stored; what is stored is in order."""
    database = sim.bot.context.services.database
    assert await audit(database) == []
    async with database.read() as tx:
        return await match_lists.every_id(tx)


async def pass_days(sim: SimulatedDiscord, days: int) -> None:
    """Let days pass, ten at a time: the simulation takes anything longer than some seconds for a hang."""
    for _ in range(0, days, 10):
        await sim.env.advance_time(10 * DAY)


@pytest.mark.slow
async def test_a_server_is_deleted_when_its_time_is_up_and_people_begin_anew(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    await challenge_accepted(sim)
    with bot_left(sim):
        await pass_days(sim, 80)
        assert await kept(sim) == [1, 2]
        await pass_days(sim, 40)
        assert await kept(sim) == []
    await sim.env.settle()
    assert "your turn" not in told(await sim.alice.slash(sim.channel, "matches"))
    await challenge_accepted(sim)
    assert await kept(sim) == [3]


async def test_a_server_the_bot_came_back_to_while_it_slept_is_kept(sim: SimulatedDiscord) -> None:
    await challenge_accepted(sim)
    with bot_left(sim):
        await sim.env.settle()
        await sim.bot.close()
        sim.env.backend.clock.advance(200 * DAY)
    await sim.restart()
    await pass_days(sim, 20)
    assert await kept(sim) == [1]


# Places of all kinds


def forum_post(sim: SimulatedDiscord) -> ChannelHandle:
    """Have a person write a post in a forum."""
    forum = sim.guild.create_forum_channel("forum")
    post = sim.env.backend.create_thread(forum.id, "Who plays?", sim.alice.id, broadcast=False)
    sim.env.backend.announce_thread_create(post)
    return sim.place(post.id)


def voice_chat(sim: SimulatedDiscord) -> ChannelHandle:
    return sim.guild.create_voice_channel("voice")


def stage_chat(sim: SimulatedDiscord) -> ChannelHandle:
    return sim.guild.create_stage_channel("builder_state")


def private_thread(sim: SimulatedDiscord) -> ChannelHandle:
    backend = sim.env.backend
    thread = backend.create_thread(
        sim.channel.id, "Quietly", sim.alice.id, type=ChannelType.PRIVATE_THREAD, broadcast=False
    )
    for member in (sim.bob.id, backend.bot_user.id):
        backend.add_thread_member(thread.id, member)
    backend.announce_thread_create(thread)
    return sim.place(thread.id)


@pytest.mark.slow
@pytest.mark.parametrize("kind", sampled([forum_post, voice_chat, stage_chat, private_thread], every=4))
async def test_a_whole_match_is_played_in_a_place_that_has_no_threads(
    sim: SimulatedDiscord, kind: Callable[[SimulatedDiscord], ChannelHandle]
) -> None:
    place = kind(sim)
    await sim.alice.slash(place, "challenge", game="yonmoque", opponent=sim.bob, first="challenger")
    await sim.bob.click(sim.messages(place)[-1], label="Accept")
    for ply, move in enumerate(FINISHED):
        await (sim.alice, sim.bob)[ply % 2].slash(place, "move", move=move)
    assert len(boards(sim, place.id)) == len(FINISHED) + 1
    result = board_of(sim, place.id)
    assert "four in a row" in text_of(result)
    await sim.alice.click(result, label="Rematch")
    await sim.bob.click(sim.messages(place)[-1], label="Accept")
    assert custom_ids(board_of(sim, place.id))[0] == "play:2:0"
    assert (await stored(sim, 2)).place_id == place.id


async def test_play_allowed_in_a_forum_is_allowed_in_its_posts(sim: SimulatedDiscord) -> None:
    post = forum_post(sim)
    forum = sim.env.backend.get_channel(post.id).parent_id
    assert forum is not None
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "settings", allow_channel=sim.place(forum))
    assert "posted below" in told(await sim.alice.slash(post, "challenge", game="yonmoque"))
    assert "games are played in" in told(await sim.alice.slash(sim.channel, "challenge", game="yonmoque"))
