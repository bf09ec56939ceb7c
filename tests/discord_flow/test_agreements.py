"""Draws and take-backs: offered, accepted, declined, withdrawn, lapsed, crossing."""

from __future__ import annotations

from bot.storage.records import MatchState
from tests.conftest import Town
from tests.discord_flow.acting import at_once, board_of, boards, challenge_accepted, labels, play, text_of, told
from tests.discord_flow.test_clocks import stored


async def test_a_draw_is_offered_and_accepted(town: Town) -> None:
    thread = await challenge_accepted(town)
    await town.alice.slash(town.place(thread), "match draw")
    offer = board_of(town, thread)
    assert "offers a draw" in text_of(offer)
    await town.bob.click(offer, label="Accept")
    match = await stored(town)
    assert (match.state, match.reason, [seat.won for seat in match.seats]) == (
        MatchState.OVER,
        "agreement",
        [None, None],
    )
    assert "draw: agreement" in text_of(board_of(town, thread)).casefold()


async def test_an_accepted_offer_loses_its_buttons(town: Town) -> None:
    thread = await challenge_accepted(town)
    await town.alice.slash(town.place(thread), "match draw")
    await town.bob.click(board_of(town, thread), label="Accept")
    offers = [message for message in town.messages(thread) if "offers a draw" in text_of(message)]
    assert [labels(message) for message in offers] == [[]]
    assert "Accepted" in text_of(offers[0])


async def test_two_offers_of_a_draw_that_cross_are_an_agreement(town: Town) -> None:
    thread = await challenge_accepted(town)
    place = town.place(thread)
    await at_once(town, town.alice.slash(place, "match draw"), town.bob.slash(place, "match draw"))
    assert (await stored(town)).reason == "agreement"


async def test_an_offer_is_declined_or_withdrawn_and_the_match_goes_on(town: Town) -> None:
    thread = await challenge_accepted(town)
    await town.alice.slash(town.place(thread), "match draw")
    await town.bob.click(board_of(town, thread), label="Decline")
    await town.bob.slash(town.place(thread), "match draw")
    await town.bob.click(board_of(town, thread), label="Withdraw")
    assert (await stored(town)).state is MatchState.RUNNING
    said = [text_of(message) for message in town.messages(thread)]
    assert any("Declined" in text for text in said)
    assert any("Withdrawn" in text for text in said)


async def test_an_offer_lapses_with_the_next_move_of_the_one_who_made_it(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, "a1")
    await town.alice.slash(town.place(thread), "match draw")
    offer = board_of(town, thread)
    await play(town, thread, "a5", begin=1)
    await play(town, thread, "b1")
    assert (await stored(town)).state is MatchState.RUNNING
    assert "Lapsed" in text_of(next(message for message in town.messages(thread) if message.id == offer.id))


async def test_nobody_answers_his_own_offer_and_strangers_answer_none(town: Town) -> None:
    thread = await challenge_accepted(town)
    await town.alice.slash(town.place(thread), "match draw")
    offer = board_of(town, thread)
    own = await town.alice.click(offer, label="Accept")
    assert "own offer" in told(own)
    stranger = await town.carol.click(offer, label="Accept")
    assert "not playing" in told(stranger)
    hasty = await town.bob.click(offer, label="Withdraw")
    assert "Only the one who asked" in told(hasty)
    assert (await stored(town)).state is MatchState.RUNNING


async def test_the_last_move_is_taken_back_when_the_opponent_agrees(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, "a1")
    await town.alice.slash(town.place(thread), "match takeback")
    request = board_of(town, thread)
    assert "Last move: Alice puts a1." in text_of(request)
    await town.bob.click(request, label="Accept")
    match = await stored(town)
    assert match.movers[0].person.id == town.alice.id
    board = board_of(town, thread)
    assert "to move" in text_of(board)
    await play(town, thread, "c3")
    assert (await stored(town)).ply == 3
    assert len(boards(town, thread)) == 4


async def test_only_ones_own_last_move_can_be_taken_back(town: Town) -> None:
    thread = await challenge_accepted(town)
    early = await town.alice.slash(town.place(thread), "match takeback")
    assert "Only your own last move" in told(early)
    await play(town, thread, "a1", "a5")
    late = await town.alice.slash(town.place(thread), "match takeback")
    assert "Only your own last move" in told(late)


async def test_a_request_to_take_back_lapses_when_the_opponent_moves_at_that_moment(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, "a1")
    place = town.place(thread)
    await at_once(town, town.alice.slash(place, "match takeback"), town.bob.slash(place, "move", move="a5"))
    match = await stored(town)
    assert match.ply == 2
    assert match.movers[0].person.id == town.alice.id
