"""Draws and take-backs: offered, accepted, declined, withdrawn, lapsed."""

from __future__ import annotations

from bot.storage.records import MatchState
from tests.support.acting import board_of, boards, challenge_accepted, play, text_of
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored


async def test_a_draw_is_declined_withdrawn_overtaken_and_agreed(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await sim.alice.slash(sim.place(thread), "match", action="draw")
    await sim.bob.click(board_of(sim, thread), label="Decline")
    await sim.bob.slash(sim.place(thread), "match", action="draw")
    await sim.bob.click(board_of(sim, thread), label="Withdraw")
    said = [text_of(message) for message in sim.messages(thread)]
    assert any("declined." in text for text in said)
    assert any("then withdrew" in text for text in said)
    await play(sim, thread, "a1")
    await sim.bob.slash(sim.place(thread), "match", action="draw")
    await play(sim, thread, "a5", "b1", begin=1)
    assert any("but the match went on" in text_of(message) for message in sim.messages(thread))
    await sim.bob.slash(sim.place(thread), "match", action="draw")
    offer = board_of(sim, thread)
    assert "offers a draw" in text_of(offer)
    await sim.alice.click(offer, label="Accept")
    match = await stored(sim)
    assert (match.state, match.reason, [seat.won for seat in match.seats]) == (
        MatchState.OVER,
        "agreement",
        [None, None],
    )
    assert "draw by agreement" in text_of(board_of(sim, thread)).casefold()


async def test_the_last_move_is_taken_back_when_the_opponent_agrees(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "a1")
    await sim.alice.slash(sim.place(thread), "match", action="takeback")
    request = board_of(sim, thread)
    assert "Last move: Alice places a piece on a1." in text_of(request)
    await sim.bob.click(request, label="Accept")
    match = await stored(sim)
    assert match.mover.person.id == sim.alice.id
    board = board_of(sim, thread)
    assert "to move" in text_of(board)
    (taken,) = [text_of(message) for message in sim.messages(thread) if message.id == request.id]
    assert f"<@{sim.alice.id}> took back **a1**; <@{sim.bob.id}> agreed." in taken
    await play(sim, thread, "c3")
    assert (await stored(sim)).ply == 3
    assert len(boards(sim, thread)) == 4
