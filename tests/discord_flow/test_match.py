"""A match between two people in Discord, from the challenge to the result."""

from __future__ import annotations

import pytest

from tests.support.acting import (
    answer,
    board_of,
    build,
    challenge_accepted,
    custom_ids,
    description_of,
    labels,
    text_of,
)
from tests.support.simulated_discord import SimulatedDiscord


@pytest.mark.own_bot
async def test_an_accepted_challenge_opens_a_thread_with_the_first_board(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    board = board_of(sim, thread)
    assert "to move" in text_of(board)
    assert custom_ids(board)[0] == "play:1:0"


async def test_two_people_play_to_the_end_by_builder_and_by_command(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    place = sim.place(thread)
    players = [sim.alice, sim.bob]
    moves = ["a1", "a5", "b1", "b5", "c1", "e5", "e2", "d4", "e2-d1"]
    for ply, move in enumerate(moves):
        mover = players[ply % 2]
        if ply % 2:
            await mover.slash(place, "move", move=move)
            continue
        builder = answer(await mover.click(board_of(sim, thread), label="Play"))
        await build(mover, builder, move)
    result = board_of(sim, thread)
    assert "four in a row" in text_of(result)
    assert labels(result) == ["Rematch", "Review", "Replay", "More"]
    board = answer(await sim.bob.slash(sim.channel, "leaderboard"))
    assert description_of(board.message).startswith("All games: 1. Alice ")
