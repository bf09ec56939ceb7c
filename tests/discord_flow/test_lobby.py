"""A game for more than two: the lobby, dropping out, the question before saying stuck, ratings of several."""

from __future__ import annotations

import discord

from bot.matches.audit import audit
from bot.storage.records import MatchState
from tests.conftest import Town
from tests.discord_flow.acting import answer, board_of, cards, custom_ids, labels, text_of, told
from tests.discord_flow.test_clocks import stored


async def lobby(town: Town) -> discord.Message:
    await town.alice.slash(town.channel, "challenge", game="rectangles", first="challenger")
    return cards(town)[-1]


async def three_playing(town: Town) -> int:
    card = await lobby(town)
    await town.bob.click(card, label="Join")
    await town.carol.click(card, label="Join")
    await town.alice.click(card, label="Start")
    return card.id


async def test_a_lobby_shows_who_is_seated_and_starts_when_its_challenger_says_so(town: Town) -> None:
    card = await lobby(town)
    assert labels(card) == ["Join", "Leave", "Start", "Rules", "Cancel"]
    alone = await town.alice.click(card, label="Start")
    assert "At least 2 players" in told(alone)
    await town.bob.click(card, label="Join")
    refused = await town.bob.click(cards(town)[-1], label="Start")
    assert "Only the challenger" in told(refused)
    assert f"<@{town.bob.id}>" in text_of(cards(town)[-1])
    await town.bob.click(card, label="Leave")
    await town.carol.click(card, label="Join")
    await town.alice.click(card, label="Start")
    match = await stored(town)
    assert [seat.person.id for seat in match.seats] == [town.alice.id, town.carol.id]


async def test_a_full_lobby_starts_by_itself(town: Town) -> None:
    await town.alice.slash(town.channel, "challenge", game="rectangles", players=3)
    card = cards(town)[-1]
    await town.bob.click(card, label="Join")
    await town.carol.click(card, label="Join")
    assert len((await stored(town)).seats) == 3


async def test_whoever_resigns_drops_out_and_the_others_play_on(town: Town) -> None:
    thread = await three_playing(town)
    place = town.place(thread)
    await town.alice.slash(place, "move", move="a1-b2")
    question = answer(await town.bob.slash(place, "match resign"))
    await town.bob.click(question, label="Yes, resign")
    match = await stored(town)
    assert match.state is MatchState.RUNNING
    assert [seat.person.id for seat in match.movers] == [town.carol.id]
    last = answer(await town.carol.slash(place, "match resign"))
    await town.carol.click(last, label="Yes, resign")
    match = await stored(town)
    assert (match.state, [seat.won for seat in match.seats]) == (MatchState.OVER, [True, False, False])
    assert town.bot.database is not None
    assert await audit(town.bot.database) == []


async def test_saying_stuck_is_asked_about_before_it_ends_the_game(town: Town) -> None:
    thread = await three_playing(town)
    place = town.place(thread)
    await town.alice.slash(place, "move", move="a1-b2")
    asked = answer(await town.bob.slash(place, "move", move="stuck"))
    assert "Do you mean it?" in text_of(asked.message)
    assert (await stored(town)).ply == 1
    await town.bob.click(asked, label="Play stuck")
    match = await stored(town)
    assert (match.state, [seat.won for seat in match.seats]) == (MatchState.OVER, [True, False, False])


async def test_saying_stuck_is_asked_about_whatever_the_preferences(town: Town) -> None:
    thread = await three_playing(town)
    await town.alice.slash(town.channel, "preferences", confirm=False)
    builder = answer(await town.alice.click(board_of(town, thread), label="Play"))
    pages = next(custom_id for custom_id in custom_ids(builder.message) if custom_id.startswith("b-page"))
    await town.alice.select(builder, ["1"], custom_id=pages)
    choices = next(custom_id for custom_id in custom_ids(builder.message) if custom_id.startswith("b-choose"))
    await town.alice.select(builder, ["stuck"], custom_id=choices)
    assert "Do you mean it?" in text_of(builder.message)
    assert (await stored(town)).ply == 0


async def test_several_players_are_rated_by_how_long_they_stayed(town: Town) -> None:
    thread = await three_playing(town)
    place = town.place(thread)
    await town.alice.slash(place, "move", move="a1-b2")
    for person in (town.carol, town.bob):
        question = answer(await person.slash(place, "match resign"))
        await person.click(question, label="Yes, resign")
    board = text_of(answer(await town.alice.slash(town.channel, "leaderboard")).message)
    order = [board.index(str(person.id)) for person in (town.alice, town.bob, town.carol)]
    assert order == sorted(order)
