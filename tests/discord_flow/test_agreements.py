"""Draws and take-backs: offered, accepted, declined, withdrawn, lapsed, crossing."""

from __future__ import annotations

from bot.storage.records import MatchState
from tests.support.acting import board_of, boards, challenge_accepted, play, text_of, told
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored


async def test_a_draw_is_offered_and_accepted(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await sim.alice.slash(sim.place(thread), "match", action="draw")
    offer = board_of(sim, thread)
    assert "offers a draw" in text_of(offer)
    await sim.bob.click(offer, label="Accept")
    match = await stored(sim)
    assert (match.state, match.reason, [seat.won for seat in match.seats]) == (
        MatchState.OVER,
        "agreement",
        [None, None],
    )
    assert "draw by agreement" in text_of(board_of(sim, thread)).casefold()


async def test_an_offer_is_declined_or_withdrawn_and_the_match_goes_on(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await sim.alice.slash(sim.place(thread), "match", action="draw")
    await sim.bob.click(board_of(sim, thread), label="Decline")
    await sim.bob.slash(sim.place(thread), "match", action="draw")
    await sim.bob.click(board_of(sim, thread), label="Withdraw")
    assert (await stored(sim)).state is MatchState.RUNNING
    said = [text_of(message) for message in sim.messages(thread)]
    assert any("declined." in text for text in said)
    assert any("then withdrew" in text for text in said)


async def test_an_offer_stands_after_a_move_of_its_own_side_and_lapses_with_the_opponents(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim)
    await sim.alice.slash(sim.place(thread), "match", action="draw")
    offer = board_of(sim, thread)
    await play(sim, thread, "a1")
    (stands,) = [text_of(message) for message in sim.messages(thread) if message.id == offer.id]
    assert "offers a draw" in stands
    await play(sim, thread, "a5", begin=1)
    late = await sim.bob.slash(sim.place(thread), "match", action="draw")
    assert "accepted" not in told(late)
    assert (await stored(sim)).state is MatchState.RUNNING
    (lapsed,) = [text_of(message) for message in sim.messages(thread) if message.id == offer.id]
    assert "but the match went on" in lapsed


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
