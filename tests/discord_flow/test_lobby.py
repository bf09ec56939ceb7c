"""A game for more than two: the lobby, dropping out, the question before saying stuck, ratings of several."""

from __future__ import annotations

import pytest

from bot.matches.audit import audit
from bot.storage.records import MatchState
from tests.support.acting import answer, board_of, build, cards, labels, lobby, text_of, three_playing, told
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored


async def test_a_lobby_shows_who_is_seated_and_starts_when_its_challenger_says_so(sim: SimulatedDiscord) -> None:
    card = await lobby(sim)
    assert labels(card) == ["Join", "Leave", "Start", "Rules", "Cancel", "Add the bot"]
    alone = await sim.alice.click(card, label="Start")
    assert "at least 2 players" in told(alone)
    await sim.bob.click(card, label="Join")
    refused = await sim.bob.click(cards(sim)[-1], label="Start")
    assert "Only the challenger" in told(refused)
    assert f"<@{sim.bob.id}>" in text_of(cards(sim)[-1])
    await sim.bob.click(card, label="Leave")
    await sim.carol.click(card, label="Join")
    await sim.alice.click(card, label="Start")
    match = await stored(sim)
    assert [seat.person.id for seat in match.seats] == [sim.alice.id, sim.carol.id]


async def test_whoever_resigns_drops_out_and_the_others_play_on(sim: SimulatedDiscord) -> None:
    thread = await three_playing(sim)
    place = sim.place(thread)
    await sim.alice.slash(place, "move", move="a1-b2")
    question = answer(await sim.bob.slash(place, "match", action="resign"))
    await sim.bob.click(question, label="Yes, resign")
    match = await stored(sim)
    assert match.state is MatchState.RUNNING
    assert match.mover.person.id == sim.carol.id
    last = answer(await sim.carol.slash(place, "match", action="resign"))
    await sim.carol.click(last, label="Yes, resign")
    match = await stored(sim)
    assert (match.state, [seat.won for seat in match.seats]) == (MatchState.OVER, [True, False, False])
    assert sim.bot.database is not None
    assert await audit(sim.bot.database) == []


async def test_saying_stuck_is_asked_about_before_it_ends_the_game(sim: SimulatedDiscord) -> None:
    thread = await three_playing(sim)
    place = sim.place(thread)
    await sim.alice.slash(place, "move", move="a1-b2")
    asked = answer(await sim.bob.slash(place, "move", move="stuck"))
    assert "Do you mean it?" in text_of(asked.message)
    assert (await stored(sim)).ply == 1
    await sim.bob.click(asked, label="End the game")
    match = await stored(sim)
    assert (match.state, [seat.won for seat in match.seats]) == (MatchState.OVER, [True, False, False])


@pytest.mark.slow
async def test_saying_stuck_is_asked_about_whatever_the_preferences(sim: SimulatedDiscord) -> None:
    thread = await three_playing(sim)
    await sim.alice.slash(sim.channel, "preferences", confirm=False)
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    await build(sim.alice, builder, "stuck", confirm=False)
    assert "Do you mean it?" in text_of(builder.message)
    assert (await stored(sim)).ply == 0
