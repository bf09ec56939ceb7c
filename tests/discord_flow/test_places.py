"""Messages, threads and channels that vanish or are closed, and permissions that are missing: the match goes on."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.backend.serializers import thread_payload
from simcord.http import router

from bot.views.permissions import PERMISSIONS
from tests.support.acting import (
    board_of,
    boards,
    cards,
    challenge,
    challenge_accepted,
    custom_ids,
    direct_messages,
    itself,
    labels,
    pings,
    play,
    resign,
    text_of,
    told,
)
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord, deny, regrant, without


def delete(sim: SimulatedDiscord, message: discord.Message) -> None:
    """Delete a message, as anybody who manages messages can."""
    sim.env.backend.delete_message(message.channel.id, message.id)


@pytest.mark.own_bot
async def test_a_deleted_board_is_posted_again_to_a_player_and_notifies_nobody_anew(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    place = sim.place(thread)
    assert "to move" in told(await sim.alice.slash(place, "board"))
    assert len(boards(sim, thread)) == 1
    delete(sim, board_of(sim, thread))
    assert "to move" in told(await sim.carol.slash(place, "board"))
    assert boards(sim, thread) == [], "a spectator has none posted"
    assert "was gone; I've posted it again" in told(await sim.alice.slash(place, "board"))
    assert custom_ids(board_of(sim, thread))[0] == "play:1:0"
    assert pings(sim, sim.alice) == 1


@pytest.mark.slow
@pytest.mark.own_bot
async def test_a_deleted_board_is_posted_again_though_something_else_about_the_match_is_on_its_way(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim)
    sim.env.inject_error("POST", f"/channels/{thread}/messages", status=503, times=None)
    await sim.alice.slash(sim.place(thread), "match", action="draw")
    delete(sim, board_of(sim, thread))
    assert "posted it again" in told(await sim.alice.slash(sim.place(thread), "board"))
    sim.env.backend.faults.clear()
    await sim.env.advance_time(60)
    assert len(boards(sim, thread)) == 1


@pytest.mark.own_bot
async def test_a_deleted_card_loses_neither_the_challenge_nor_the_match(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    delete(sim, cards(sim)[0])
    await play(sim, thread, "c3")
    assert custom_ids(board_of(sim, thread))[0] == "play:1:1"


@pytest.mark.own_bot
async def test_a_deleted_thread_moves_the_match_to_the_channel_at_the_next_move(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    sim.env.backend.delete_channel(thread)
    await sim.alice.slash(sim.channel, "move", move="c3")
    assert custom_ids(boards(sim, sim.channel.id)[-1])[0] == "play:1:1"
    await sim.bob.slash(sim.channel, "move", move="a1")
    assert custom_ids(boards(sim, sim.channel.id)[-1])[0] == "play:1:2"
    assert custom_ids(boards(sim, sim.channel.id)[-2]) == []


@pytest.mark.slow
@pytest.mark.own_bot
async def test_a_thread_that_refuses_for_a_while_keeps_its_match(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    sim.env.inject_error("POST", f"/channels/{thread}/messages", status=403, code=50013, times=1)
    await play(sim, thread, "c3")
    assert custom_ids(boards(sim, sim.channel.id)[-1])[0] == "play:1:1"
    await play(sim, thread, "a1", begin=1)
    assert custom_ids(board_of(sim, thread))[0] == "play:1:2"
    assert custom_ids(boards(sim, sim.channel.id)[-1]) == []


async def test_an_announcement_channel_gets_a_thread_of_its_own_kind(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel, dispatch = sim.guild.create_text_channel("news"), router.dispatch
    sim.env.backend.channels[channel.id].type = discord.ChannelType.news.value
    sim.env.backend.announce_channel_update(channel.id)
    kinds = []

    def dispatch_and_note(backend: Any, method: str, path: str, **options: Any) -> Any:
        if path == f"/channels/{channel.id}/threads":
            # The simulation has only one kind of public thread.
            kinds.append(options["json"]["type"])
            options["json"]["type"] = discord.ChannelType.public_thread.value
        return dispatch(backend, method, path, **options)

    monkeypatch.setattr(router, "dispatch", dispatch_and_note)
    await sim.alice.slash(channel, "play", game="yonmoque")
    assert kinds == [discord.ChannelType.news_thread.value]


@pytest.mark.own_bot
async def test_a_deleted_channel_is_told_to_the_next_player_once_and_left_for_where_board_is_used(
    sim: SimulatedDiscord,
) -> None:
    await challenge_accepted(sim)
    other = sim.guild.create_text_channel("elsewhere")
    sim.env.backend.delete_channel(sim.channel.id)
    await sim.alice.slash(other, "move", move="c3")
    (note,) = direct_messages(sim, sim.bob)
    assert "I can no longer post in its channel" in note
    assert boards(sim, other.id) == []
    assert "posted it again" in told(await sim.bob.slash(other, "board"))
    assert custom_ids(boards(sim, other.id)[-1])[0] == "play:1:1"
    await sim.bob.slash(other, "move", move="a1")
    assert custom_ids(boards(sim, other.id)[-1])[0] == "play:1:2"
    assert len(direct_messages(sim, sim.bob)) == 1
    assert direct_messages(sim, sim.alice) == []


@pytest.mark.own_bot
@pytest.mark.parametrize("permission", sampled(["create_public_threads", "send_messages_in_threads"], every=2))
async def test_without_threads_the_match_is_played_in_the_channel_without_a_failed_attempt(
    sim: SimulatedDiscord, permission: str
) -> None:
    regrant(sim, without(permission))
    await challenge(sim)
    await sim.bob.click(cards(sim)[0], label="Accept")
    assert sim.channel.threads == []
    assert not [request for request in sim.env.http_requests if request.path.endswith("/threads")]
    await sim.alice.slash(sim.channel, "move", move="c3")
    assert custom_ids(boards(sim, sim.channel.id)[-1])[0] == "play:1:1"


async def test_all_missing_permissions_are_named_at_once(sim: SimulatedDiscord) -> None:
    regrant(sim, without("send_messages", "attach_files"))
    said = told(await sim.alice.slash(sim.channel, "challenge", game="yonmoque"))
    assert "without the permissions Attach Files and Send Messages." in said


@pytest.mark.own_bot
async def test_a_challenge_made_in_a_thread_is_played_there(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    place = sim.place(thread)
    await sim.alice.slash(place, "challenge", game="yonmoque", opponent=sim.carol, first="challenger")
    await sim.carol.click(board_of(sim, thread), label="Accept")
    assert custom_ids(board_of(sim, thread))[0] == "play:2:0"


@pytest.mark.own_bot
async def test_a_thread_the_bot_may_no_longer_write_in_is_left_for_the_channel(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    regrant(sim, without("send_messages_in_threads"))
    await sim.alice.slash(sim.place(thread), "move", move="c3")
    assert custom_ids(boards(sim, sim.channel.id)[-1])[0] == "play:1:1"


@pytest.mark.own_bot
async def test_a_channel_the_bot_may_no_longer_write_in_is_left_for_where_board_is_used(sim: SimulatedDiscord) -> None:
    regrant(sim, without("create_public_threads"))
    await challenge(sim)
    await sim.bob.click(cards(sim)[0], label="Accept")
    other = sim.guild.create_text_channel("elsewhere")
    deny(sim, sim.channel.id, send_messages=True)
    await sim.alice.slash(sim.channel, "move", move="c3")
    assert "It's your turn" in direct_messages(sim, sim.bob)[0]
    await sim.bob.slash(other, "board")
    assert custom_ids(boards(sim, other.id)[-1])[0] == "play:1:1"
    await sim.bob.slash(other, "move", move="a1")
    assert custom_ids(boards(sim, other.id)[-1])[0] == "play:1:2"


@pytest.mark.own_bot
async def test_where_the_bot_may_write_nowhere_board_still_shows_the_match_privately(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    regrant(sim, without("send_messages", "send_messages_in_threads"))
    assert "to move" in told(await sim.alice.slash(sim.place(thread), "board"))
    await sim.alice.slash(sim.place(thread), "move", move="c3")
    regrant(sim, PERMISSIONS)
    await sim.bob.slash(sim.place(thread), "board")
    assert any("play:1:1" in custom_ids(board) for board in boards(sim, thread) + boards(sim, sim.channel.id))


async def test_a_card_that_might_not_be_changed_loses_its_buttons_once_that_is_permitted(sim: SimulatedDiscord) -> None:
    card = await challenge(sim)
    path = f"/channels/{sim.channel.id}/messages/{card.id}"
    sim.env.inject_error("PATCH", path, status=403, code=50013)
    await sim.alice.click(card, label="Cancel")
    assert "Cancel" in labels(cards(sim)[-1])
    regrant(sim, PERMISSIONS)
    await sim.env.settle()
    assert labels(cards(sim)[-1]) == []
    assert "Cancelled" in text_of(cards(sim)[-1])


def private_thread(sim: SimulatedDiscord, *members: int) -> int:
    """Open a private thread of Alice's, of which Discord tells only its members; return its id."""
    backend = sim.env.backend
    kind = discord.ChannelType.private_thread.value
    thread = backend.create_thread(sim.channel.id, "secret", sim.alice.id, type=kind, broadcast=False)
    thread.thread_members |= dict.fromkeys(members, backend.now_iso())
    return thread.id


def mention_bot(sim: SimulatedDiscord, thread: int) -> None:
    """Bring the bot into a private thread, as a mention does."""
    stored = sim.env.backend.channels[thread]
    sim.env.backend.emit("THREAD_CREATE", thread_payload(sim.env.backend, stored))
    sim.env.backend.add_thread_member(thread, sim.env.backend.bot_user.id)


async def test_in_a_private_thread_the_bot_asks_for_a_mention_before_it_plays(sim: SimulatedDiscord) -> None:
    place = sim.place(private_thread(sim, sim.alice.id, sim.bob.id))
    for command, options in (
        ("challenge", {"game": "yonmoque", "opponent": sim.bob}),
        ("challenge", {"game": "yonmoque", "opponent": itself(sim)}),
        ("play", {"game": "yonmoque"}),
        ("cup", {"game": "yonmoque"}),
    ):
        said = told(await sim.alice.slash(place, command, **options))
        assert "Mention me in this thread first" in said, command
    assert sim.messages(place) == []
    mention_bot(sim, place.id)
    await sim.alice.slash(place, "play", game="yonmoque")
    assert len(boards(sim, place.id)) == 1
    sim.env.backend.remove_thread_member(place.id, sim.env.backend.bot_user.id)
    await sim.env.settle()
    assert "Mention me" in told(await sim.alice.slash(place, "play", game="redo"))


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
