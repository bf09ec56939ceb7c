"""Servers that put threads away, take permissions back or send the bot away, and all the kinds of places in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import discord
import pytest
from simcord.backend import serializers
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import ChannelType
from simcord.intents import EVENT_INTENTS

from bot.invitation import PERMISSIONS
from bot.storage.records import GuildSettings, MatchState
from tests.conftest import Town
from tests.discord_flow.acting import (
    FINISHED,
    answer,
    board_of,
    boards,
    build,
    cards,
    challenge,
    challenge_accepted,
    custom_ids,
    direct_messages,
    labels,
    pings,
    play,
    text_of,
    told,
)
from tests.discord_flow.archives import archives, is_away, put_away
from tests.discord_flow.test_clocks import DAY, HOUR, stored
from tests.discord_flow.test_places import regrant, without

__all__ = ["archives"]

SILENT = ("send_messages", "send_messages_in_threads")


# Threads put away


@pytest.mark.usefixtures("archives")
async def test_a_thread_put_away_comes_back_with_the_next_turn_and_the_board_before_loses_its_buttons(
    town: Town,
) -> None:
    thread = await challenge_accepted(town, pace=14 * DAY)
    put_away(town, thread)
    await play(town, thread, "c3")
    assert not is_away(town, thread)
    assert [custom_ids(board)[:1] for board in boards(town, thread)] == [[], ["play:1:1"]]


@pytest.mark.usefixtures("archives")
@pytest.mark.parametrize(("label", "becomes"), [("Decline", "Declined"), ("Accept", "Accepted")])
async def test_an_offer_in_a_thread_put_away_is_answered_for_all_to_see(town: Town, label: str, becomes: str) -> None:
    thread = await challenge_accepted(town)
    await town.alice.slash(town.place(thread), "match draw")
    offer = board_of(town, thread)
    put_away(town, thread)
    await town.bob.click(offer, label=label)
    now = next(message for message in town.messages(thread) if message.id == offer.id)
    assert becomes in text_of(now)
    assert labels(now) == []


@pytest.mark.usefixtures("archives")
async def test_buttons_in_a_thread_put_away_go_on_working(town: Town) -> None:
    thread = await challenge_accepted(town)
    put_away(town, thread)
    builder = answer(await town.alice.click(board_of(town, thread), label="Play"))
    await build(town.alice, builder, "c3")
    assert custom_ids(board_of(town, thread))[0] == "play:1:1"


@pytest.mark.usefixtures("archives")
async def test_a_locked_thread_is_left_for_the_channel_for_good(town: Town) -> None:
    thread = await challenge_accepted(town)
    put_away(town, thread, locked=True)
    await town.alice.slash(town.channel, "move", move="c3")
    assert custom_ids(boards(town, town.channel.id)[-1])[0] == "play:1:1"
    await town.bob.slash(town.channel, "move", move="a1")
    assert [custom_ids(board)[:1] for board in boards(town, town.channel.id)] == [[], ["play:1:2"]]
    assert len(boards(town, thread)) == 1


@pytest.mark.usefixtures("archives")
async def test_a_rematch_after_a_match_whose_thread_is_locked_has_a_thread_of_its_own(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    put_away(town, thread, locked=True)
    await town.alice.click(board_of(town, thread), label="Rematch")
    await town.bob.click(cards(town)[-1], label="Accept")
    assert custom_ids(board_of(town, cards(town)[-1].id))[0] == "play:2:0"


async def test_a_builder_is_played_to_its_end_though_the_board_it_was_opened_from_is_gone(town: Town) -> None:
    thread = await challenge_accepted(town)
    builder = answer(await town.alice.click(board_of(town, thread), label="Play"))
    town.env.backend.delete_message(thread, board_of(town, thread).id)
    await build(town.alice, builder, "c3")
    assert custom_ids(board_of(town, thread))[0] == "play:1:1"


async def test_a_result_whose_channel_is_gone_can_still_be_looked_at_and_replayed(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    other = town.guild.create_text_channel("elsewhere")
    town.env.backend.delete_channel(town.channel.id)
    shown = answer(await town.alice.slash(other, "board", match=1))
    assert "four in a row" in text_of(shown.message)
    assert answer(await town.bob.slash(other, "match replay", match=1)).attachments


# Permissions


def take_by_role(town: Town) -> None:
    regrant(town, without(*SILENT))


def give_by_role(town: Town) -> None:
    regrant(town, PERMISSIONS)


def give_another_role(town: Town) -> None:
    role = town.guild.create_role("Trusted", permissions=PERMISSIONS)
    town.env.backend.add_member_role(town.guild.id, town.env.backend.bot_user.id, role.id)


def take_in_channel(town: Town) -> None:
    _overwrite(town, discord.Permissions(**dict.fromkeys(SILENT, True)))


def give_in_channel(town: Town) -> None:
    _overwrite(town, discord.Permissions.none())


def _overwrite(town: Town, denied: discord.Permissions) -> None:
    bot_id = town.env.backend.bot_user.id
    town.env.backend.set_overwrite(town.channel.id, Overwrite(target_id=bot_id, type=1, allow=0, deny=denied.value))


Change = Callable[[Town], None]


@pytest.mark.parametrize(
    ("take", "give"),
    [(take_by_role, give_by_role), (take_by_role, give_another_role), (take_in_channel, give_in_channel)],
    ids=["by the role", "by another role", "in the channel"],
)
async def test_what_could_not_be_said_without_permissions_is_said_as_soon_as_they_are_back(
    town: Town, monkeypatch: pytest.MonkeyPatch, take: Change, give: Change
) -> None:
    # Discord tells a bot of its own roles whatever its intents are; the simulation does not.
    monkeypatch.delitem(EVENT_INTENTS, "GUILD_MEMBER_UPDATE")
    thread = await challenge_accepted(town)
    take(town)
    await town.alice.slash(town.place(thread), "move", move="c3")
    assert (await stored(town)).ply == 1
    assert len(boards(town, thread)) == 1
    notified = pings(town, town.bob)
    await town.env.advance_time(10 * DAY)
    give(town)
    await town.env.settle()
    posted = [*boards(town, thread), *boards(town, town.channel.id)]
    assert [custom_ids(board)[:1] for board in posted] == [[], ["play:1:1"]]
    assert pings(town, town.bob) == notified + 1
    assert len(direct_messages(town, town.bob)) == 1


async def test_a_change_of_permissions_that_helps_nothing_repeats_nothing(town: Town) -> None:
    thread = await challenge_accepted(town)
    take_by_role(town)
    await town.alice.slash(town.place(thread), "move", move="c3")
    asked = len(town.env.http_requests)
    regrant(town, without(*SILENT, "read_message_history"))
    await town.env.settle()
    assert town.env.http_requests[asked:] == []
    assert len(direct_messages(town, town.bob)) == 1


async def test_an_answer_and_an_old_board_lose_their_buttons_as_soon_as_the_bot_may_change_them(town: Town) -> None:
    thread = await challenge_accepted(town)
    await town.alice.slash(town.place(thread), "match draw")
    board, offer = town.messages(thread)[-2:]
    regrant(town, without(*SILENT, "view_channel"))
    town.env.inject_error("PATCH", f"/channels/{thread}/messages/*", status=403, code=50001, times=None)
    await town.bob.click(offer, label="Accept")
    assert (await stored(town)).reason == "agreement"
    town.env.backend.faults.clear()
    give_by_role(town)
    await town.env.settle()
    now = {message.id: message for message in town.messages(thread)}
    assert (labels(now[board.id]), labels(now[offer.id])) == ([], [])
    assert "Accepted" in text_of(now[offer.id])


async def test_several_turns_without_permissions_are_told_by_one_board_afterwards(town: Town) -> None:
    thread = await challenge_accepted(town)
    take_by_role(town)
    place = town.place(thread)
    for ply, move in enumerate(("c3", "a1", "e5")):
        await (town.alice, town.bob)[ply % 2].slash(place, "move", move=move, match=1)
    give_by_role(town)
    await town.env.settle()
    posted = [*boards(town, thread), *boards(town, town.channel.id)]
    assert [custom_ids(board)[:1] for board in posted] == [[], ["play:1:3"]]


# The bot itself


@contextmanager
def sent_away(town: Town) -> Iterator[None]:
    """Take the bot out of the server for a while; what it has posted stays there."""
    backend, guild_id = town.env.backend, town.guild.id
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


async def test_while_the_bot_is_not_in_a_server_all_clocks_stand_still_there(town: Town) -> None:
    await town.bot.host.services.personal.settle(town.guild.id, GuildSettings(automatic=True))
    thread = await challenge_accepted(town, pace=DAY)
    before = await stored(town)
    notified = pings(town, town.alice)
    await town.env.advance_time(HOUR)
    with sent_away(town):
        await town.env.advance_time(30 * DAY)
        away = await stored(town)
        assert (away.state, away.remind_at) == (MatchState.RUNNING, before.remind_at)
    await town.env.settle()
    after = await stored(town)
    assert before.deadline_at is not None
    assert after.deadline_at == before.deadline_at + timedelta(days=30)
    assert pings(town, town.alice) == notified
    await town.env.advance_time(16 * HOUR)
    assert pings(town, town.alice) == notified
    await town.env.advance_time(2 * HOUR)
    assert pings(town, town.alice) == notified + 1
    builder = answer(await town.alice.click(boards(town, thread)[-1], label="Play"))
    await build(town.alice, builder, "c3")
    assert custom_ids(board_of(town, thread))[0] == "play:1:1"


async def test_old_cards_boards_and_commands_work_when_the_bot_is_back(town: Town) -> None:
    thread = await challenge_accepted(town)
    card = await challenge(town)
    with sent_away(town):
        await town.env.advance_time(DAY)
    await town.env.settle()
    assert "your turn" in told(await town.alice.slash(town.channel, "matches"))
    await play(town, thread, "c3")
    assert custom_ids(board_of(town, thread))[0] == "play:1:1"
    await town.bob.click(card, label="Accept")
    assert custom_ids(board_of(town, card.id))[0] == "play:2:0"


async def test_a_turn_made_at_the_last_moment_is_shown_when_the_bot_is_back(town: Town) -> None:
    thread = await challenge_accepted(town)
    town.env.inject_error("POST", f"/channels/{thread}/messages", status=503, times=None)
    await play(town, thread, "c3")
    with sent_away(town):
        town.env.backend.faults.clear()
        await town.env.advance_time(HOUR)
    await town.env.settle()
    posted = [*boards(town, thread), *boards(town, town.channel.id)]
    assert [custom_ids(board)[:1] for board in posted] == [[], ["play:1:1"]]


async def test_a_bot_sent_away_while_it_slept_finds_out_and_one_that_returned_as_well(town: Town) -> None:
    await challenge_accepted(town, pace=DAY)
    before = (await stored(town)).deadline_at
    with sent_away(town):
        await town.restart()
        await town.env.advance_time(20 * DAY)
        assert not (await stored(town)).flagged
        await town.bot.close()
        town.env.backend.clock.advance(5 * DAY)
    await town.restart()
    assert before is not None
    assert (await stored(town)).deadline_at == before + timedelta(days=25)


async def test_another_server_notices_nothing_of_it(town: Town) -> None:
    await challenge_accepted(town, pace=DAY)
    elsewhere = town.env.create_guild("Another server")
    before = (await stored(town)).deadline_at
    town.env.backend.remove_guild(elsewhere.id)
    await town.env.advance_time(DAY + 60)
    assert (await stored(town)).deadline_at == before
    assert (await stored(town)).flagged


# Places of all kinds


def forum_post(town: Town) -> ChannelHandle:
    """Have somebody write a post in a forum."""
    forum = town.guild.create_forum_channel("forum")
    post = town.env.backend.create_thread(forum.id, "Who plays?", town.alice.id, broadcast=False)
    town.env.backend.announce_thread_create(post)
    return town.place(post.id)


def voice_chat(town: Town) -> ChannelHandle:
    return town.guild.create_voice_channel("voice")


def stage_chat(town: Town) -> ChannelHandle:
    return town.guild.create_stage_channel("stage")


def private_thread(town: Town) -> ChannelHandle:
    backend = town.env.backend
    thread = backend.create_thread(
        town.channel.id, "Quietly", town.alice.id, type=ChannelType.PRIVATE_THREAD, broadcast=False
    )
    for member in (town.bob.id, backend.bot_user.id):
        backend.add_thread_member(thread.id, member)
    backend.announce_thread_create(thread)
    return town.place(thread.id)


@pytest.mark.parametrize("kind", [forum_post, voice_chat, stage_chat, private_thread])
async def test_a_whole_match_is_played_in_a_place_that_has_no_threads(
    town: Town, kind: Callable[[Town], ChannelHandle]
) -> None:
    place = kind(town)
    await town.alice.slash(place, "challenge", game="yonmoque", opponent=town.bob, first="challenger")
    await town.bob.click(town.messages(place)[-1], label="Accept")
    for ply, move in enumerate(FINISHED):
        await (town.alice, town.bob)[ply % 2].slash(place, "move", move=move)
    assert len(boards(town, place.id)) == len(FINISHED) + 1
    result = board_of(town, place.id)
    assert "four in a row" in text_of(result)
    await town.alice.click(result, label="Rematch")
    await town.bob.click(town.messages(place)[-1], label="Accept")
    assert custom_ids(board_of(town, place.id))[0] == "play:2:0"
    assert (await stored(town, 2)).place_id == place.id


async def test_in_an_announcement_channel_a_match_is_played_in_a_thread_or_in_the_channel(town: Town) -> None:
    place = town.guild.create_news_channel("news")
    await town.alice.slash(place, "challenge", game="yonmoque", opponent=town.bob, first="challenger")
    await town.bob.click(town.messages(place)[-1], label="Accept")
    assert custom_ids(board_of(town, (await stored(town)).place_id))[0] == "play:1:0"


async def test_play_allowed_in_a_forum_is_allowed_in_its_posts(town: Town) -> None:
    post = forum_post(town)
    forum = town.env.backend.get_channel(post.id).parent_id
    assert forum is not None
    await town.bot.host.services.personal.settle(town.guild.id, GuildSettings(channels=(forum,)))
    assert "on its way" in told(await town.alice.slash(post, "challenge", game="yonmoque"))
    assert "games are played in" in told(await town.alice.slash(town.channel, "challenge", game="yonmoque"))
