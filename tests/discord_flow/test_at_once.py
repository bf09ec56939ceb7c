"""Two people, or one impatient person, doing the same thing at the same time."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from bot.storage import matches
from bot.storage.records import Entry, Match
from tests.support.acting import challenge_accepted, told
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import number_of


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
