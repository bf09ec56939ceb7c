"""People press controls and name matches that are not theirs."""

from __future__ import annotations

import pytest

from tests.support.acting import (
    answer,
    board_of,
    challenge,
    challenge_accepted,
    custom_ids,
    play,
    pressed,
    text_of,
    told,
)
from tests.support.simulated_discord import SimulatedDiscord


@pytest.mark.own_bot
async def test_a_stranger_sees_no_resign_button_and_cannot_resign_for_another(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    watching = told(await sim.carol.click(board_of(sim, thread), label="Play"))
    assert "You're not playing in this match, but you can watch" in watching
    assert "It's not your turn" in told(await sim.bob.click(board_of(sim, thread), label="Play"))
    more = answer(await sim.carol.click(board_of(sim, thread), label="More"))
    assert not [custom_id for custom_id in custom_ids(more.message) if custom_id.startswith("resign")]
    for verb in ("ask", "yes"):
        result = await pressed(sim, sim.carol, board_of(sim, thread), f"resign:{verb}:1:0")
        assert "You're not playing in this match" in told(result)
    assert "not playing" in told(await sim.carol.slash(sim.place(thread), "match", action="resign"))
    assert "to move" in text_of(board_of(sim, thread))


async def test_anyone_may_watch_flip_read_the_rules_and_the_text_board(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "c3")
    board = board_of(sim, thread)
    more = answer(await sim.carol.click(board, label="More"))
    await sim.carol.click(more, label="Flip the board")
    assert "to move" in text_of(more.message)
    await sim.carol.click(more, label="As text")
    assert "```" in text_of(more.message)
    assert "Yonmoque" in told(await sim.carol.click(board, label="Rules"))
    assert "to move" in told(await sim.carol.slash(sim.place(thread), "board"))


async def test_a_button_that_names_what_never_was_says_so(sim: SimulatedDiscord) -> None:
    card = await challenge(sim)
    for custom_id in ("play:999999999999999999:0", "challenge:accept:999999999999999999"):
        assert "There's no such" in told(await pressed(sim, sim.bob, card, custom_id))
