"""Which match a command is about: the bot asks only if several are possible."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor

from tests.support.acting import answer, challenge_accepted, play, slash, told
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.without_grace import without_grace  # noqa: F401

pytestmark = pytest.mark.own_bot

PLAYING = ("move", "match resign", "match draw", "match takeback", "match claim")
LOOKING = ("board", "match replay", "match export")


async def test_finished_matches_are_meant_only_by_what_can_be_done_with_them(sim: SimulatedDiscord) -> None:
    for _ in range(2):
        thread = await challenge_accepted(sim)
        await sim.alice.click(
            answer(await sim.alice.slash(sim.place(thread), "match", action="resign")), label="Yes, resign"
        )
    for command in PLAYING:
        assert "You have no match here" in await _typed(sim, sim.alice, command)
        assert await _suggested(sim, command) == []
    for command in LOOKING:
        assert "match 2" in await _typed(sim, sim.alice, command)
        assert await _suggested(sim, command) == [2, 1]
    assert "match 2" in await _typed(sim, sim.carol, "board")
    assert "You have no match here" in await _typed(sim, sim.carol, "match resign")

    waiting = await challenge_accepted(sim)
    await play(sim, waiting, "a1")
    await challenge_accepted(sim)
    for command in PLAYING:
        assert await _suggested(sim, command) == [4, 3]
    assert "match 4" in await _typed(sim, sim.alice, "match resign")
    for command in LOOKING:
        assert await _suggested(sim, command) == [4, 3, 2, 1]
        assert "match 4" in await _typed(sim, sim.alice, command)
    assert "Several matches are played here (4, 3)" in await _typed(sim, sim.carol, "board")


async def _typed(sim: SimulatedDiscord, person: MemberActor, command: str) -> str:
    options = {"move": "c3"} if command == "move" else {}
    return told(await slash(person, sim.channel, command, **options))


async def _suggested(sim: SimulatedDiscord, command: str) -> list[int]:
    name, _, action = command.partition(" ")
    chosen = {"action": action} if action else {}
    return [choice["value"] for choice in await sim.alice.autocomplete(sim.channel, name, "match", "", **chosen)]
