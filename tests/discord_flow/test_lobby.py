"""A game for more than two: the lobby, the question before saying stuck, and people who left the server."""

from __future__ import annotations

import pytest

from bot.storage.records import MatchState
from tests.support.acting import (
    answer,
    at_once,
    board_of,
    boards,
    cards,
    challenge,
    labels,
    lobby,
    pings,
    resign,
    text_of,
    three_playing,
    told,
)
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY, stored


async def test_a_lobby_shows_who_is_seated_and_starts_when_its_challenger_says_so_or_it_is_full(
    sim: SimulatedDiscord,
) -> None:
    card = await lobby(sim)
    assert labels(card) == ["Join", "Leave", "Start", "Rules", "Cancel", "Add the bot"]
    assert "at least 2 players" in told(await sim.alice.click(card, label="Start"))
    await sim.bob.click(card, label="Join")
    assert "You already have a seat" in told(await sim.bob.click(card, label="Join"))
    assert "Only the challenger" in told(await sim.bob.click(cards(sim)[-1], label="Start"))
    assert f"<@{sim.bob.id}>" in text_of(cards(sim)[-1])
    await sim.bob.click(card, label="Leave")
    assert f"<@{sim.bob.id}>" not in text_of(cards(sim)[-1])
    assert "You have no seat" in told(await sim.bob.click(card, label="Leave"))
    await sim.carol.click(card, label="Join")
    await sim.alice.click(card, label="Start")
    assert [seat.person.id for seat in (await stored(sim)).seats] == [sim.alice.id, sim.carol.id]
    full = await challenge(sim, game="rectangles", opponent=None, first=None, players=3)
    await at_once(sim, sim.bob.click(full, label="Join"), sim.carol.click(full, label="Join"))
    assert "Accepted" in text_of(cards(sim)[-1])
    assert len(boards(sim, full.id)) == 1


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


def leave_server(sim: SimulatedDiscord, user_id: int) -> None:
    """Let a person leave the server. Without the privileged intent Discord tells the bot nothing."""
    del sim.env.backend.guilds[sim.guild.id].members[user_id]


async def test_a_rematch_of_several_mentions_those_who_played_and_are_here_once(sim: SimulatedDiscord) -> None:
    thread = await three_playing(sim)
    for person in (sim.alice, sim.bob):
        await resign(person, sim.place(thread))
    leave_server(sim, sim.carol.id)
    people = (sim.alice, sim.bob, sim.carol)
    before = [pings(sim, person) for person in people]
    await sim.alice.click(board_of(sim, thread), label="Rematch")
    card = cards(sim)[-1]
    assert f"asks for a rematch with <@{sim.bob.id}>." in text_of(card)
    await sim.bob.click(card, label="Join")
    assert [pings(sim, person) - count for person, count in zip(people, before, strict=True)] == [0, 1, 0]


@pytest.mark.own_bot
async def test_the_challenge_to_who_left_closes_by_itself(sim: SimulatedDiscord) -> None:
    await challenge(sim, opponent=sim.carol)
    leave_server(sim, sim.carol.id)
    await sim.env.advance_time(2 * DAY)
    scheduler = sim.bot._scheduler
    assert scheduler is not None
    scheduler._rest_due = 0  # what can wait is due by the clock that no test moves
    scheduler.wake()
    await sim.env.settle()
    assert "Cancelled" in text_of(cards(sim)[0])
