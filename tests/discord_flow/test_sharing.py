"""Sharing in Discord: a message for all, posted once, with a button that leads to the same thing."""

from __future__ import annotations

import re

import discord
import pytest
from simcord.results import ResponseMessage

from bot.storage import shares
from bot.storage.shares import Share
from tests.support.acting import (
    FINISHED,
    answer,
    board_of,
    challenge_accepted,
    description_of,
    direct_messages,
    forget,
    labels,
    pings,
    play,
    share,
    text_of,
)
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord

pytestmark = pytest.mark.own_bot

MESSAGES = "/channels/*/messages"


def shared(sim: SimulatedDiscord, place: int | None = None) -> list[discord.Message]:
    return [message for message in sim.messages(place) if "shares" in text_of(message)]


async def stored(sim: SimulatedDiscord) -> list[Share]:
    return await sim.bot.context.services.read(shares.of_person, sim.alice.id)


async def finished(sim: SimulatedDiscord) -> int:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    return thread


async def replay_of_finished(sim: SimulatedDiscord) -> ResponseMessage:
    """Have Alice and Bob finish a match, and return Alice's replay of it."""
    await finished(sim)
    return answer(await sim.alice.slash(sim.channel, "match", action="replay", match=1))


async def test_a_replay_says_who_beat_whom_without_notifying_them_and_leads_to_the_game(sim: SimulatedDiscord) -> None:
    replay = await replay_of_finished(sim)
    before = pings(sim, sim.bob)
    assert labels(replay.message) == ["Step through", "Share"]
    preview = answer(await sim.alice.click(replay, label="Share"))
    assert preview.ephemeral
    assert labels(preview.message) == ["Share this here"]
    assert "## Alice wins: four in a row. 9 moves." in text_of(preview.message)
    assert f"Everybody in <#{sim.channel.id}> will see it." in text_of(preview.message)
    assert shared(sim) == []
    assert await share(sim.alice, replay) == "Shared in this channel."
    (message,) = shared(sim)
    said = text_of(message)
    assert "### Alice shares a match of Yonmoque" in said
    assert "## Alice wins: four in a row. 9 moves.\nAlice (Blue) – Bob (White)" in said
    assert "bob" not in description_of(message).lower(), "a picture is not drawn again when its names go"
    assert [file.filename for file in message.attachments] == ["replay.gif"]
    assert "<@" not in said
    assert pings(sim, sim.bob) == before
    assert await share(sim.alice, replay) == "You've shared that already."
    await sim.restart()
    levels = answer(await sim.carol.click(shared(sim)[0], label="Play this game"))
    assert levels.ephemeral
    assert "### Yonmoque against me" in text_of(levels.message)
    assert len(shared(sim)) == 1


@pytest.mark.slow
async def test_a_review_is_shared_by_two_boards_in_the_language_of_the_server(sim: SimulatedDiscord) -> None:
    thread = await finished(sim)
    review = answer(await sim.alice.click(board_of(sim, thread), label="Review"))
    await sim.alice.slash(sim.channel, "preferences", language="de")
    assert await share(sim.alice, review) == f"Geteilt in <#{sim.channel.id}>."
    (message,) = shared(sim)
    said = text_of(message)
    assert "### Alice shares the moment that turned a match of Yonmoque" in said
    assert said.index("Blue wins: four in a row. 9 moves.") < said.index("**Move ")
    assert "bob" not in (said + description_of(message)).lower()
    moves = r"(Blue|White) (places|moves) .+\."
    assert re.search(rf"^\*\*Move \d\*\* · {moves} That lowered the chance to win from ", said, re.MULTILINE)
    assert re.search(rf"^Better: {moves}$", said, re.MULTILINE)
    assert len(message.attachments) == 2
    assert labels(message) == ["Play this game"]


@pytest.mark.slow
async def test_what_is_shared_in_a_thread_of_people_stays_there(sim: SimulatedDiscord) -> None:
    await finished(sim)
    place = sim.place(sim.env.backend.create_thread(sim.channel.id, "friends", sim.alice.id).id)
    replay = answer(await sim.alice.slash(place, "match", action="replay", match=1))
    assert await share(sim.alice, replay) == "Shared in this channel."
    assert len(shared(sim, place.id)) == 1
    assert shared(sim) == []


async def test_people_who_may_not_post_cannot_share(sim: SimulatedDiscord) -> None:
    replay = await replay_of_finished(sim)
    sim.env.backend.guilds[sim.guild.id].members[sim.alice.id].role_ids.clear()
    assert "You aren't allowed to post in this channel" in await share(sim.alice, replay)
    assert shared(sim) == []
    assert await stored(sim) == []


async def test_the_name_goes_with_the_data_and_the_message_stays(sim: SimulatedDiscord) -> None:
    replay = await replay_of_finished(sim)
    await share(sim.alice, replay)
    (message,) = shared(sim)
    await forget(sim.alice, sim.channel)
    (after,) = [one for one in sim.messages() if one.id == message.id]
    assert "### A match of Yonmoque" in text_of(after)
    assert "alice" not in text_of(after).lower()
    assert [file.filename for file in after.attachments] == ["replay.gif"]
    await sim.carol.click(after, label="Play this game")


@pytest.mark.slow
async def test_the_name_of_an_opponent_goes_with_their_data_from_what_others_have_shared(sim: SimulatedDiscord) -> None:
    replay = await replay_of_finished(sim)
    await share(sim.alice, replay)
    await forget(sim.bob, sim.channel)
    said = text_of(shared(sim)[0])
    assert "### Alice shares a match of Yonmoque" in said
    assert "\nAlice (Blue) – somebody who left (White)" in said


@pytest.mark.parametrize(("status", "code"), sampled([(403, 50013), (404, 10003)], every=2))
async def test_what_a_channel_refuses_is_told_and_can_be_shared_elsewhere(
    sim: SimulatedDiscord, status: int, code: int
) -> None:
    replay = await replay_of_finished(sim)
    sim.env.inject_error("POST", MESSAGES, status=status, code=code, times=1)
    await share(sim.alice, replay)
    assert shared(sim) == []
    assert any("I couldn't post the Yonmoque you shared" in text for text in direct_messages(sim, sim.alice))
    await share(sim.alice, replay)
    assert len(shared(sim)) == 1
