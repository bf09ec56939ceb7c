"""Preferences, blocks, settings of a server, and the right to be forgotten."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from zipfile import ZipFile

import discord
import pytest
from simcord.actors import MemberActor

from bot.storage.records import MatchState
from tests.support.acting import (
    FINISHED,
    answer,
    board_of,
    cards,
    challenge,
    challenge_accepted,
    itself,
    play,
    slash,
    text_of,
    told,
)
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord, give_management
from tests.support.stored import stored


async def test_a_move_that_loses_at_once_is_asked_about(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "a1", "a5", "b1", "b5", "c1", "c5", "d1", "e5")
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    await sim.alice.click(builder, label="e1")
    assert (await stored(sim)).state is MatchState.RUNNING
    await sim.alice.click(builder, label="Play it")
    assert (await stored(sim)).state is MatchState.OVER


async def test_text_boards_come_without_pictures(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await sim.alice.slash(sim.channel, "preferences", text_boards=True)
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    assert not builder.attachments
    assert "```" in text_of(builder.message)
    look = answer(await sim.alice.slash(sim.place(thread), "board"))
    assert not look.attachments


@pytest.mark.own_bot
@pytest.mark.parametrize("command", sampled(["board", "match replay", "games", "leaderboard", "profile"], every=5))
async def test_a_theme_changes_the_pictures_one_gets(sim: SimulatedDiscord, command: str) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    options = {"match": 1} if command[0] in "bm" else {}

    async def pictures(person: MemberActor) -> list[bytes]:
        shown = answer(await slash(person, sim.place(thread), command, **options))
        return [await file.read() for file in shown.attachments]

    await sim.alice.slash(sim.channel, "preferences", theme="light")
    light = await pictures(sim.alice)
    await sim.alice.slash(sim.channel, "preferences", theme="dark")
    dark = await pictures(sim.alice)
    assert len(light) == len(dark) > 0
    assert not set(light) & set(dark)


@pytest.mark.slow
@pytest.mark.own_bot
async def test_a_replay_is_seen_from_the_side_of_whoever_asks(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    replays = [
        await answer(await person.slash(sim.place(thread), "match", action="replay", match=1)).attachments[0].read()
        for person in (sim.alice, sim.bob, sim.carol)
    ]
    assert replays[0] == replays[2] != replays[1]


async def test_nobody_learns_who_has_blocked_him(sim: SimulatedDiscord) -> None:
    await sim.bob.slash(sim.channel, "block", person=sim.alice)
    said = told(await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob))
    assert "block" not in said
    assert "haven't blocked anybody" in told(await sim.alice.slash(sim.channel, "block"))
    assert f"<@{sim.alice.id}>" in told(await sim.bob.slash(sim.channel, "block"))
    assert "can't block yourself" in told(await sim.bob.slash(sim.channel, "block", person=sim.bob))


async def test_a_server_can_do_without_threads(sim: SimulatedDiscord) -> None:
    give_management(sim, sim.alice)
    await sim.alice.slash(sim.channel, "settings", threads=False)
    await challenge_accepted(sim)
    assert "to move" in text_of(board_of(sim, sim.channel.id))


async def test_what_is_kept_of_a_person_is_zipped_when_it_is_too_much_for_an_attachment(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    await challenge_accepted(sim)
    plain = answer(await sim.alice.slash(sim.channel, "privacy", action="export")).attachments[0]
    received = discord.Interaction._from_data

    def from_a_server_with_little_room(interaction: discord.Interaction[Any], data: Any) -> None:
        received(interaction, data | {"attachment_size_limit": plain.size - 1})

    monkeypatch.setattr(discord.Interaction, "_from_data", from_a_server_with_little_room)
    zipped = answer(await sim.alice.slash(sim.channel, "privacy", action="export")).attachments[0]
    assert zipped.size < plain.size
    with ZipFile(BytesIO(await zipped.read())) as archive:
        assert archive.read("tavoliere.json") == await plain.read()


async def test_nothing_is_deleted_of_somebody_who_thinks_again(sim: SimulatedDiscord) -> None:
    await challenge(sim)
    question = answer(await sim.alice.slash(sim.channel, "privacy", action="delete"))
    kept = await sim.alice.click(question, label="Keep it")
    assert "Nothing was deleted" in text_of(question.message) + told(kept)
    await sim.bob.click(cards(sim)[-1], label="Accept")
    assert (await stored(sim)).seats[0].person.name == "Alice"


async def test_play_pressed_again_replaces_the_older_builder_of_the_same_turn(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    older = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    newer = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    assert newer.id in _seen(sim, thread)
    assert older.id not in _seen(sim, thread)
    await sim.alice.click(newer, label="c3")
    await sim.bob.click(answer(await sim.bob.click(board_of(sim, thread), label="Play")), label="a1")
    await sim.alice.click(board_of(sim, thread), label="Play")
    assert newer.id in _seen(sim, thread)


@pytest.mark.own_bot
async def test_the_only_persons_side_is_at_the_bottom_of_the_public_board(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="redo", opponent=itself(sim), level=1, first="opponent")
    match = await stored(sim, 1)
    assert match.front == 1
    shown = await sim.bot.context.services.queries.match_view(sim.guild.id, 1)
    sides = [await sim.bot.context.renderer.board(match, shown.game_state, seat) for seat in (0, 1)]
    posted = board_of(sim, match.place_id).attachments[0]
    assert posted.size == len(sides[1].data) != len(sides[0].data)


def _seen(sim: SimulatedDiscord, thread: int) -> list[int]:
    """Return the ids of all messages that Alice sees in a thread."""
    stored = sim.env.backend.messages[thread].values()
    return [message.id for message in stored if message.visible_to(sim.alice.id)]
