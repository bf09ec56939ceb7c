"""People who left the server: they are not invited, and nothing begins against them."""

from __future__ import annotations

import pytest

from tests.support.acting import (
    answer,
    board_of,
    cards,
    challenge,
    pings,
    text_of,
    three_playing,
)
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY


def leave_server(sim: SimulatedDiscord, user_id: int) -> None:
    """Let a person leave the server. Without the privileged intent Discord tells the bot nothing."""
    del sim.env.backend.guilds[sim.guild.id].members[user_id]


async def test_a_rematch_of_several_mentions_those_who_played_and_are_here_once(sim: SimulatedDiscord) -> None:
    thread = await three_playing(sim)
    for person in (sim.alice, sim.bob):
        await person.click(answer(await person.slash(sim.place(thread), "match", action="resign")), label="Yes, resign")
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
