"""Controls pressed and numbers given by people they are not for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest_asyncio
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, GuildHandle

from bot.invitation import PERMISSIONS
from tests.conftest import Town, grant
from tests.discord_flow.acting import (
    FINISHED,
    answer,
    board_of,
    boards,
    cards,
    challenge,
    challenge_accepted,
    custom_ids,
    opened_builder,
    play,
    pressed,
    text_of,
    told,
)


async def test_a_stranger_cannot_use_the_buttons_of_a_direct_challenge(town: Town) -> None:
    card = await challenge(town)
    before = text_of(card)
    for label, reason in [
        ("Accept", "This challenge is for somebody else"),
        ("Decline", "Only the person who was challenged can decline"),
        ("Cancel", "Only the challenger can call this challenge off"),
    ]:
        assert reason in told(await town.carol.click(card, label=label))
        assert text_of(cards(town)[0]) == before
    await town.bob.click(card, label="Accept")
    assert "Accepted" in text_of(cards(town)[0])


async def test_a_challenger_cannot_answer_himself(town: Town) -> None:
    card = await challenge(town)
    for label in ("Accept", "Decline"):
        assert "your own challenge" in told(await town.alice.click(card, label=label))
    assert "Open until" in text_of(cards(town)[0])


async def test_the_one_who_was_challenged_cannot_cancel_but_decline(town: Town) -> None:
    card = await challenge(town)
    assert "Only the challenger" in told(await town.bob.click(card, label="Cancel"))
    await town.bob.click(card, label="Decline")
    assert "Declined" in text_of(cards(town)[0])


async def test_a_stranger_who_presses_play_is_told_that_he_may_watch(town: Town) -> None:
    thread = await challenge_accepted(town)
    result = await town.carol.click(board_of(town, thread), label="Play")
    assert "You are not playing in this match, but you may watch" in told(result)
    assert len(boards(town, thread)) == 1


async def test_the_one_who_is_not_to_move_is_told_whose_turn_it_is(town: Town) -> None:
    thread = await challenge_accepted(town)
    assert "It is not your turn" in told(await town.bob.click(board_of(town, thread), label="Play"))


async def test_a_stranger_sees_no_resign_button_and_cannot_resign_for_another(town: Town) -> None:
    thread = await challenge_accepted(town)
    more = answer(await town.carol.click(board_of(town, thread), label="More"))
    assert not [custom_id for custom_id in custom_ids(more.message) if custom_id.startswith("resign")]
    for verb in ("ask", "yes"):
        result = await pressed(town, town.carol, board_of(town, thread), f"resign:{verb}:1:0")
        assert "You are not playing in this match" in told(result)
    assert "not playing" in told(await town.carol.slash(town.place(thread), "match resign"))
    assert "to move" in text_of(board_of(town, thread))


async def test_a_stranger_cannot_use_anothers_builder(town: Town) -> None:
    thread = await challenge_accepted(town)
    builder = await opened_builder(town, town.alice, thread, "c3")
    (play_id,) = [custom_id for custom_id in custom_ids(builder.message) if custom_id.startswith("b-play")]
    result = await pressed(town, town.carol, board_of(town, thread), play_id)
    assert "You are not playing in this match" in told(result)
    assert len(boards(town, thread)) == 1


async def test_a_stranger_cannot_ask_for_a_rematch(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    result = await town.carol.click(board_of(town, thread), label="Rematch")
    assert "Only those who played this match" in told(result)
    assert len(cards(town)) == 1


async def test_anyone_may_watch_flip_read_the_rules_and_the_text_board(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, "c3")
    board = board_of(town, thread)
    more = answer(await town.carol.click(board, label="More"))
    await town.carol.click(more, label="Flip the board")
    assert "to move" in text_of(more.message)
    await town.carol.click(more, label="As text")
    assert "```" in text_of(more.message)
    assert "Yonmoque" in told(await town.carol.click(board, label="Rules"))
    assert "to move" in told(await town.carol.slash(town.place(thread), "board"))


async def test_a_board_of_an_earlier_turn_says_so_and_changes_nothing(town: Town) -> None:
    thread = await challenge_accepted(town)
    old = board_of(town, thread)
    await play(town, thread, "c3", "c2")
    result = await pressed(town, town.alice, old, "play:1:0")
    assert "That board is from an earlier turn" in told(result)
    assert len(boards(town, thread)) == 3


async def test_a_builder_of_an_earlier_turn_says_so_and_changes_nothing(town: Town) -> None:
    thread = await challenge_accepted(town)
    builder = await opened_builder(town, town.alice, thread, "c3")
    await play(town, thread, "a1", "c2")
    await town.alice.click(builder, label="Play c3")
    assert "from an earlier turn" in text_of(builder.message)
    assert len(boards(town, thread)) == 3


async def test_a_question_about_resigning_from_an_earlier_turn_is_asked_again(town: Town) -> None:
    thread = await challenge_accepted(town)
    question = answer(await town.alice.slash(town.place(thread), "match resign"))
    await play(town, thread, "a1")
    result = await town.alice.click(question, label="Yes, resign")
    assert "moved on since" in told(result)
    assert "to move" in text_of(board_of(town, thread))


@dataclass
class Elsewhere:
    """Another server with the bot, in which only Dora is."""

    guild: GuildHandle
    channel: ChannelHandle
    dora: MemberActor


@pytest_asyncio.fixture
async def elsewhere(town: Town) -> AsyncIterator[Elsewhere]:
    guild = town.env.create_guild("Another server")
    grant(guild, PERMISSIONS)
    channel = guild.create_text_channel("games")
    yield Elsewhere(guild, channel, guild.add_member(town.env.create_user("dora")))


async def test_a_button_that_names_what_never_was_says_so(town: Town) -> None:
    card = await challenge(town)
    for custom_id in ("play:999999999999999999:0", "challenge:accept:999999999999999999"):
        assert "There is no such" in told(await pressed(town, town.bob, card, custom_id))


async def test_leaderboards_and_profiles_of_two_servers_are_apart(town: Town, elsewhere: Elsewhere) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    assert "Nobody has finished" in told(await elsewhere.dora.slash(elsewhere.channel, "leaderboard"))
    profile = await elsewhere.dora.slash(elsewhere.channel, "profile", person=town.alice.user)
    assert "No match finished here yet" in told(profile)
