"""Preferences, blocks, settings of a server, and the right to be forgotten."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import discord
import pytest
from simcord.actors import MemberActor

from bot.matches.audit import audit
from bot.storage.records import MatchState
from tests.conftest import Town
from tests.discord_flow.acting import (
    FINISHED,
    answer,
    board_of,
    build,
    cards,
    challenge,
    challenge_accepted,
    play,
    text_of,
    told,
)
from tests.discord_flow.test_clocks import stored


async def test_without_confirmation_a_complete_move_is_played_at_once(town: Town) -> None:
    thread = await challenge_accepted(town)
    await town.alice.slash(town.channel, "preferences", confirm=False)
    builder = answer(await town.alice.click(board_of(town, thread), label="Play"))
    await build(town.alice, builder, "c3", confirm=False)
    assert (await stored(town)).ply == 1


async def test_text_boards_come_without_pictures(town: Town) -> None:
    thread = await challenge_accepted(town)
    await town.alice.slash(town.channel, "preferences", text_boards=True)
    builder = answer(await town.alice.click(board_of(town, thread), label="Play"))
    assert not builder.attachments
    assert "```" in text_of(builder.message)
    look = answer(await town.alice.slash(town.place(thread), "board"))
    assert not look.attachments


@pytest.mark.parametrize("command", ["board", "match replay", "rules", "games", "leaderboard", "profile"])
async def test_a_theme_changes_the_pictures_one_gets(town: Town, command: str) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    options = {"game": "redo"} if command == "rules" else {"match": 1} if command[0] in "bm" else {}

    async def pictures(person: MemberActor) -> list[bytes]:
        shown = answer(await person.slash(town.place(thread), command, **options))
        return [await file.read() for file in shown.attachments]

    await town.alice.slash(town.channel, "preferences", theme="light")
    light = await pictures(town.alice)
    await town.alice.slash(town.channel, "preferences", theme="dark")
    dark = await pictures(town.alice)
    assert len(light) == len(dark) > 0
    assert not set(light) & set(dark)


async def test_a_replay_is_seen_from_the_side_of_whoever_asks(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    replays = [
        await answer(await person.slash(town.place(thread), "match replay", match=1)).attachments[0].read()
        for person in (town.alice, town.bob, town.carol)
    ]
    assert replays[0] == replays[2] != replays[1]


async def test_somebody_blocked_can_neither_challenge_nor_join(town: Town) -> None:
    await town.bob.slash(town.channel, "block", person=town.alice)
    refused = await town.alice.slash(town.channel, "challenge", game="yonmoque", opponent=town.bob)
    assert "cannot challenge each other" in told(refused)
    await town.bob.slash(town.channel, "challenge", game="yonmoque")
    joining = await town.alice.click(cards(town)[-1], label="Accept")
    assert "cannot join" in told(joining)
    await town.bob.slash(town.channel, "block", person=town.alice, blocked=False)
    await town.alice.click(cards(town)[-1], label="Accept")
    assert (await stored(town)).state is MatchState.RUNNING


async def test_play_can_be_limited_to_some_channels(town: Town) -> None:
    manager = town.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    dora = town.guild.add_member(town.env.create_user("dora"), roles=[manager])
    arena = town.guild.create_text_channel("arena")
    await dora.slash(town.channel, "settings", allow_channel=arena)
    refused = await town.alice.slash(town.channel, "challenge", game="yonmoque")
    assert f"<#{arena.id}>" in told(refused)
    allowed = await town.alice.slash(arena, "challenge", game="yonmoque")
    assert "on its way" in told(allowed)


async def test_a_server_can_do_without_threads(town: Town) -> None:
    manager = town.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    dora = town.guild.add_member(town.env.create_user("dora"), roles=[manager])
    await dora.slash(town.channel, "settings", threads=False)
    await challenge_accepted(town)
    assert "to move" in text_of(board_of(town, town.channel.id))


async def test_everything_kept_of_a_person_can_be_had(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    file = answer(await town.alice.slash(town.channel, "privacy export")).attachments[0]
    kept = json.loads(await file.read())
    assert kept["discord_id"] == town.alice.id
    assert [move["text"] for move in kept["matches"][0]["moves"]] == list(FINISHED)
    assert {rating["game"] for rating in kept["ratings"]} == {"", "yonmoque"}


async def test_what_is_kept_of_a_person_is_zipped_when_it_is_too_much_for_an_attachment(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    await challenge_accepted(town)
    plain = answer(await town.alice.slash(town.channel, "privacy export")).attachments[0]
    received = discord.Interaction._from_data

    def from_a_server_with_little_room(interaction: discord.Interaction[Any], data: Any) -> None:
        received(interaction, {**data, "attachment_size_limit": plain.size - 1})

    monkeypatch.setattr(discord.Interaction, "_from_data", from_a_server_with_little_room)
    zipped = answer(await town.alice.slash(town.channel, "privacy export")).attachments[0]
    assert zipped.size < plain.size
    with ZipFile(BytesIO(await zipped.read())) as archive:
        assert archive.read("tavoliere.json") == await plain.read()


async def test_whoever_is_deleted_leaves_games_without_a_name(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    await challenge_accepted(town)
    question = answer(await town.alice.slash(town.channel, "privacy delete"))
    await town.alice.click(question, label="Delete everything")
    over, resigned = await stored(town, 1), await stored(town, 2)
    assert (over.seats[0].person.name, over.seats[1].person.name) == ("somebody who left", "Bob")
    assert resigned.state is MatchState.OVER
    assert over.seats[0].person.id == resigned.seats[0].person.id < 0
    board = answer(await town.bob.slash(town.channel, "leaderboard"))
    assert str(town.alice.id) not in text_of(board.message)
    assert town.bot.database is not None
    assert await audit(town.bot.database) == []


async def test_nothing_is_deleted_of_somebody_who_thinks_again(town: Town) -> None:
    await challenge(town)
    question = answer(await town.alice.slash(town.channel, "privacy delete"))
    kept = await town.alice.click(question, label="Keep it")
    assert "Nothing was deleted" in text_of(question.message) + told(kept)
    await town.bob.click(cards(town)[-1], label="Accept")
    assert (await stored(town)).seats[0].person.name == "Alice"
