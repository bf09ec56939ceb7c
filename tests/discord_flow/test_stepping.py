"""Stepping through a match, running or over, position by position."""

from __future__ import annotations

import pytest

from tests.support.acting import FINISHED, answer, board_of, challenge_accepted, description_of, labels, play, text_of
from tests.support.simulated_discord import SimulatedDiscord


@pytest.mark.own_bot
async def test_a_finished_match_is_stepped_through_from_its_result_even_after_a_restart(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    replay = answer(await sim.carol.click(board_of(sim, thread), label="Replay"))
    steps = answer(await sim.carol.click(replay, label="Step through"))
    assert "**The beginning** of 9 moves." in text_of(steps.message)
    await sim.carol.click(steps, label="Next ▶")
    assert "**Move 1 of 9** · Alice " in text_of(steps.message)
    assert "Move 1 of 9 · Blue: a1" in description_of(steps.message)
    first = await steps.attachments[0].read()
    await sim.carol.click(steps, label="Flip the board")
    assert await steps.attachments[0].read() != first
    await sim.restart()
    await sim.carol.click(steps, label="Last")
    assert "Alice moves e2-d1." in text_of(steps.message)
    assert "Blue wins" in description_of(steps.message)
    await sim.carol.click(steps, label="As text")
    assert not steps.attachments
    assert "Move 9 of 9" in text_of(steps.message).split("```")[1]
    await sim.carol.click(steps, label="◀ Back")
    assert "**Move 8 of 9** · Bob " in text_of(steps.message)
    assert "```" in text_of(steps.message)


async def test_a_running_match_is_stepped_through_beside_its_replay_without_what_was_taken_back(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "a1", "a5", "b1")
    await sim.alice.slash(sim.place(thread), "match", action="takeback")
    await sim.bob.click(board_of(sim, thread), label="Accept")
    await sim.alice.slash(sim.channel, "preferences", text_boards=True)
    replay = answer(await sim.alice.slash(sim.place(thread), "match", action="replay"))
    steps = answer(await sim.alice.click(replay, label="Step through"))
    assert "```" in text_of(steps.message)
    await sim.alice.click(steps, label="Last")
    assert "**Move 2 of 2** · Bob " in text_of(steps.message)
    assert "Last" in labels(steps.message)
    await play(sim, thread, "c1")
    await sim.alice.click(steps, label="First")
    assert "of 3 moves." in text_of(steps.message)
