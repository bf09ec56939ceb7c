"""A match between two people in Discord, from the challenge to the result, also where both act at the same time."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from bot.storage import matches
from bot.storage.records import Entry, Match
from tests.support.acting import (
    answer,
    board_of,
    build,
    challenge_accepted,
    custom_ids,
    description_of,
    labels,
    text_of,
    told,
)
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import number_of


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


async def stored(sim: SimulatedDiscord, match: int) -> tuple[Match | None, list[Entry]]:
    match_id = await number_of(sim, match)
    async with sim.bot.context.services.database.read() as tx:
        return await matches.get(tx, match_id), await matches.moves_of(tx, match_id)


@pytest.mark.own_bot
async def test_an_interaction_delivered_twice_is_carried_out_and_answered_once(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    payloads: list[tuple[str, Any]] = []
    sim.env.backend.subscribers.append(lambda event, payload: payloads.append((event, deepcopy(dict(payload)))))
    result = await sim.alice.slash(sim.place(thread), "move", move="c3")
    (delivered,) = [payload for event, payload in payloads if event == "INTERACTION_CREATE"]
    requests = len(sim.env.http_requests)
    sim.env.backend.emit("INTERACTION_CREATE", delivered)
    await sim.env.settle()
    assert [move.text for move in (await stored(sim, 1))[1]] == ["c3"]
    assert "You played **c3**" in told(result)
    repeated = sim.env.http_requests[requests:]
    assert [request.path.rsplit("/", 1)[-1] for request in repeated] == ["callback"]
