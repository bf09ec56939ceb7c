"""Messages, threads and channels that vanish, and permissions that are missing or taken away: the match goes on."""

from __future__ import annotations

import discord
import pytest
from simcord.backend.models import Overwrite

from bot.invitation import PERMISSIONS
from tests.conftest import Town, grant
from tests.discord_flow.acting import (
    FINISHED,
    at_once,
    board_of,
    boards,
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


def without(*names: str) -> discord.Permissions:
    """Return the invited permissions less some."""
    return discord.Permissions(PERMISSIONS.value & ~discord.Permissions(**dict.fromkeys(names, True)).value)


def regrant(town: Town, permissions: discord.Permissions) -> None:
    """Give the bot these permissions in the whole server from now on, and no others."""
    grant(town.guild, permissions)
    town.env.backend.announce_role_updates(town.guild.id, town.env.backend.guilds[town.guild.id].roles.values())


def deny(town: Town, place_id: int, **permissions: bool) -> None:
    """Take permissions away from the bot in one channel."""
    denied = discord.Permissions(**permissions).value
    bot_id = town.env.backend.bot_user.id
    town.env.backend.set_overwrite(place_id, Overwrite(target_id=bot_id, type=1, allow=0, deny=denied))


def delete(town: Town, message: discord.Message) -> None:
    """Delete a message, as anybody who manages messages can."""
    town.env.backend.delete_message(message.channel.id, message.id)


async def test_a_deleted_board_is_posted_again_by_board_and_notifies_nobody_anew(town: Town) -> None:
    thread = await challenge_accepted(town)
    delete(town, board_of(town, thread))
    said = told(await town.alice.slash(town.place(thread), "board"))
    assert "is missing; I am posting it again" in said
    assert custom_ids(board_of(town, thread))[0] == "play:1:0"
    assert pings(town, town.alice) == 1


async def test_a_deleted_board_asked_for_by_both_at_once_is_posted_once(town: Town) -> None:
    thread = await challenge_accepted(town)
    delete(town, board_of(town, thread))
    place = town.place(thread)
    await at_once(town, town.alice.slash(place, "board"), town.bob.slash(place, "board"))
    assert len(boards(town, thread)) == 1


async def test_a_deleted_board_is_posted_again_though_something_else_about_the_match_is_on_its_way(town: Town) -> None:
    thread = await challenge_accepted(town)
    town.env.inject_error("POST", f"/channels/{thread}/messages", status=503, times=None)
    await town.alice.slash(town.place(thread), "match draw")
    delete(town, board_of(town, thread))
    assert "posting it again" in told(await town.alice.slash(town.place(thread), "board"))
    town.env.backend.faults.clear()
    await town.env.advance_time(60)
    assert len(boards(town, thread)) == 1


async def test_a_board_that_is_there_is_not_posted_again_but_shown(town: Town) -> None:
    thread = await challenge_accepted(town)
    assert "to move" in told(await town.alice.slash(town.place(thread), "board"))
    assert len(boards(town, thread)) == 1


async def test_a_spectator_does_not_have_a_deleted_board_posted_again(town: Town) -> None:
    thread = await challenge_accepted(town)
    delete(town, board_of(town, thread))
    assert "to move" in told(await town.carol.slash(town.place(thread), "board"))
    assert boards(town, thread) == []


async def test_after_a_deleted_board_the_next_turn_is_posted_as_ever(town: Town) -> None:
    thread = await challenge_accepted(town)
    delete(town, board_of(town, thread))
    await play(town, thread, "c3")
    assert custom_ids(board_of(town, thread))[0] == "play:1:1"


async def test_a_deleted_result_is_posted_again(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    delete(town, board_of(town, thread))
    notified = pings(town, town.bob)
    await town.alice.slash(town.place(thread), "board", match=1)
    assert labels(board_of(town, thread))[0] == "Rematch"
    assert pings(town, town.bob) == notified


async def test_a_deleted_card_loses_neither_the_challenge_nor_the_match(town: Town) -> None:
    thread = await challenge_accepted(town)
    delete(town, cards(town)[0])
    await play(town, thread, "c3")
    assert custom_ids(board_of(town, thread))[0] == "play:1:1"


async def test_a_deleted_card_of_an_open_challenge_expires_quietly(town: Town) -> None:
    delete(town, await challenge(town))
    await town.env.advance_time(8 * 86400)
    assert cards(town) == []
    assert "on its way" in told(await town.alice.slash(town.channel, "challenge", game="yonmoque"))


async def test_a_deleted_thread_moves_the_match_to_the_channel_at_the_next_move(town: Town) -> None:
    thread = await challenge_accepted(town)
    town.env.backend.delete_channel(thread)
    await town.alice.slash(town.channel, "move", move="c3")
    assert custom_ids(boards(town, town.channel.id)[-1])[0] == "play:1:1"
    await town.bob.slash(town.channel, "move", move="a1")
    assert custom_ids(boards(town, town.channel.id)[-1])[0] == "play:1:2"
    assert custom_ids(boards(town, town.channel.id)[-2]) == []


async def test_a_deleted_thread_moves_the_match_to_the_channel_at_board(town: Town) -> None:
    thread = await challenge_accepted(town)
    town.env.backend.delete_channel(thread)
    await town.bob.slash(town.channel, "board")
    assert custom_ids(boards(town, town.channel.id)[-1])[0] == "play:1:0"


async def test_a_deleted_channel_is_told_to_the_next_player_once_and_left_for_where_board_is_used(town: Town) -> None:
    await challenge_accepted(town)
    other = town.guild.create_text_channel("elsewhere")
    town.env.backend.delete_channel(town.channel.id)
    await town.alice.slash(other, "move", move="c3")
    (note,) = direct_messages(town, town.bob)
    assert "I can no longer post where it was played" in note
    assert boards(town, other.id) == []
    assert "posting it again" in told(await town.bob.slash(other, "board"))
    assert custom_ids(boards(town, other.id)[-1])[0] == "play:1:1"
    await town.bob.slash(other, "move", move="a1")
    assert custom_ids(boards(town, other.id)[-1])[0] == "play:1:2"
    assert len(direct_messages(town, town.bob)) == 1
    assert direct_messages(town, town.alice) == []


async def test_a_player_who_takes_no_direct_messages_does_not_hold_the_match_up(town: Town) -> None:
    await challenge_accepted(town)
    other = town.guild.create_text_channel("elsewhere")
    town.env.backend.delete_channel(town.channel.id)
    town.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)
    await town.alice.slash(other, "move", move="c3")
    await town.alice.slash(other, "board")
    assert custom_ids(boards(town, other.id)[-1])[0] == "play:1:1"
    assert pings(town, town.bob) == 2


async def test_with_the_invited_permissions_and_no_others_a_match_is_played_in_a_thread(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    assert "four in a row" in text_of(board_of(town, thread))
    assert not [request for request in town.env.http_requests if request.path.endswith("/pins")]


@pytest.mark.parametrize("permission", ["create_public_threads", "send_messages_in_threads"])
async def test_without_threads_the_match_is_played_in_the_channel_without_a_failed_attempt(
    town: Town, permission: str
) -> None:
    regrant(town, without(permission))
    await challenge(town)
    await town.bob.click(cards(town)[0], label="Accept")
    assert town.channel.threads == []
    assert not [request for request in town.env.http_requests if request.path.endswith("/threads")]
    await town.alice.slash(town.channel, "move", move="c3")
    assert custom_ids(boards(town, town.channel.id)[-1])[0] == "play:1:1"


@pytest.mark.parametrize(
    ("permission", "name"),
    [
        ("send_messages", "Send Messages"),
        ("attach_files", "Attach Files"),
        ("read_message_history", "Read Message History"),
    ],
)
async def test_a_challenge_where_the_bot_may_not_play_names_the_missing_permission(
    town: Town, permission: str, name: str
) -> None:
    regrant(town, without(permission))
    result = await town.alice.slash(town.channel, "challenge", game="yonmoque", opponent=town.bob)
    assert f"I am missing the permission {name}." in told(result)
    assert cards(town) == []


async def test_all_missing_permissions_are_named_at_once(town: Town) -> None:
    regrant(town, without("send_messages", "attach_files"))
    said = told(await town.alice.slash(town.channel, "challenge", game="yonmoque"))
    assert "Attach Files, Send Messages" in said


async def test_a_challenge_made_in_a_thread_is_played_there(town: Town) -> None:
    thread = await challenge_accepted(town)
    place = town.place(thread)
    await town.alice.slash(place, "challenge", game="yonmoque", opponent=town.carol, first="challenger")
    await town.carol.click(board_of(town, thread), label="Accept")
    assert custom_ids(board_of(town, thread))[0] == "play:2:0"


async def test_a_thread_the_bot_may_no_longer_write_in_is_left_for_the_channel(town: Town) -> None:
    thread = await challenge_accepted(town)
    regrant(town, without("send_messages_in_threads"))
    await town.alice.slash(town.place(thread), "move", move="c3")
    assert custom_ids(boards(town, town.channel.id)[-1])[0] == "play:1:1"


async def test_a_channel_the_bot_may_no_longer_write_in_is_left_for_where_board_is_used(town: Town) -> None:
    regrant(town, without("create_public_threads"))
    await challenge(town)
    await town.bob.click(cards(town)[0], label="Accept")
    other = town.guild.create_text_channel("elsewhere")
    deny(town, town.channel.id, send_messages=True)
    await town.alice.slash(town.channel, "move", move="c3")
    assert "It is your turn" in direct_messages(town, town.bob)[0]
    await town.bob.slash(other, "board")
    assert custom_ids(boards(town, other.id)[-1])[0] == "play:1:1"
    await town.bob.slash(other, "move", move="a1")
    assert custom_ids(boards(town, other.id)[-1])[0] == "play:1:2"


async def test_where_the_bot_may_write_nowhere_board_still_shows_the_match_privately(town: Town) -> None:
    thread = await challenge_accepted(town)
    regrant(town, without("send_messages", "send_messages_in_threads"))
    assert "to move" in told(await town.alice.slash(town.place(thread), "board"))
    await town.alice.slash(town.place(thread), "move", move="c3")
    regrant(town, PERMISSIONS)
    await town.bob.slash(town.place(thread), "board")
    assert any("play:1:1" in custom_ids(board) for board in boards(town, thread) + boards(town, town.channel.id))


async def test_an_archived_thread_is_opened_again_by_the_next_board(town: Town) -> None:
    thread = await challenge_accepted(town)
    town.env.backend.get_channel(thread).thread_metadata.archived = True
    await play(town, thread, "c3")
    assert custom_ids(board_of(town, thread))[0] == "play:1:1"


async def test_a_locked_thread_is_left_for_the_channel(town: Town) -> None:
    thread = await challenge_accepted(town)
    town.env.inject_error("POST", f"/channels/{thread}/messages", status=400, code=160005, times=None)
    await town.alice.slash(town.place(thread), "move", move="c3")
    assert custom_ids(boards(town, town.channel.id)[-1])[0] == "play:1:1"
