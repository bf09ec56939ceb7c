"""Many requests for the same thing at the same time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import select

from bot.matches.model.refusals import AlreadyProcessed, Refusal, Stale
from bot.matches.model.turn import PlayedTurn
from bot.matches.services.agreements import Answer
from bot.matches.services.turn import Turn
from bot.storage import tables
from bot.storage.records import OfferState
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd


async def test_of_twenty_moves_at_one_ply_one_is_played(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    squares = [file + rank for file in "abcde" for rank in "1234"]
    results = await asyncio.gather(
        *(crowd.services.turns.play(*crowd.request(match_id, ALICE, 0), square) for square in squares),
        return_exceptions=True,
    )
    assert sum(not isinstance(result, BaseException) for result in results) == 1
    assert {type(result) for result in results if isinstance(result, BaseException)} == {Stale}
    assert len(await crowd.moves(match_id)) == (await crowd.match(match_id)).ply == 1


async def test_the_same_move_pressed_ten_times_is_played_once_and_confirmed_ten_times(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    turns = await asyncio.gather(
        *(crowd.services.turns.play(*crowd.request(match_id, ALICE, 0), "c3") for _ in range(10))
    )
    assert [turn.text for turn in turns] == ["c3"] * 10
    assert [move.text for move in await crowd.moves(match_id)] == ["c3"]


async def test_a_move_of_the_same_text_by_the_opponent_is_not_taken_for_ones_own(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, "c3")
    results = await asyncio.gather(
        crowd.services.turns.play(*crowd.request(match_id, BOB, 0), "c3"), return_exceptions=True
    )
    assert [type(result) for result in results] == [Stale]


async def test_of_ten_deliveries_of_one_interaction_one_is_carried_out(crowd: Crowd) -> None:
    challenge_id = await crowd.offer()
    interaction = crowd.interaction()
    results = await asyncio.gather(
        *(
            crowd.services.challenges.accept(crowd.actor(BOB, interaction_id=interaction), challenge_id)
            for _ in range(10)
        ),
        return_exceptions=True,
    )
    assert [result for result in results if not isinstance(result, BaseException)] == [1]
    assert {type(result) for result in results if isinstance(result, BaseException)} == {AlreadyProcessed}


async def test_a_move_that_is_delivered_again_after_the_reply_to_it_is_not_played_again(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    request = crowd.request(match_id, ALICE)
    await crowd.services.turns.play(*request, "c3")
    await crowd.play(match_id, "a1", players=(BOB,))
    with pytest.raises(AlreadyProcessed):
        await crowd.services.turns.play(*request, "d4")
    assert [move.text for move in await crowd.moves(match_id)] == ["c3", "a1"]


async def test_a_typed_move_that_others_have_overtaken_is_not_played_in_their_position(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    request = crowd.request(match_id, ALICE)
    crowd.later(seconds=10)
    await crowd.play(match_id, "c3", "a1")
    with pytest.raises(Stale):
        await crowd.services.turns.play(*request, "d4")
    await crowd.play(match_id, "d4")
    assert [move.text for move in await crowd.moves(match_id)] == ["c3", "a1", "d4"]


async def test_of_many_people_accepting_at_once_one_gets_the_seat(crowd: Crowd) -> None:
    challenge_id = await crowd.offer()
    results = await asyncio.gather(
        *(crowd.services.challenges.accept(crowd.actor(person), challenge_id) for person in (BOB, CAROL, ALICE)),
        return_exceptions=True,
    )
    assert [result for result in results if not isinstance(result, BaseException)] == [1]
    assert all(isinstance(result, Refusal) for result in results if isinstance(result, BaseException))


async def test_both_resigning_at_once_one_has_lost(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    results = await asyncio.gather(
        *(crowd.resign(match_id, person) for person in (ALICE, BOB)),
        return_exceptions=True,
    )
    assert sum(isinstance(result, Stale) for result in results) == 1
    assert sorted(str(seat.won) for seat in (await crowd.match(match_id)).seats) == ["False", "True"]


async def test_matches_that_end_at_once_all_count_for_the_ratings(crowd: Crowd) -> None:
    begun = [await crowd.begin() for _ in range(6)]
    for match_id in begun:
        await crowd.move_twice(match_id)
    await asyncio.gather(*(crowd.resign(match_id, BOB) for match_id in begun))
    board = await crowd.leaderboard("yonmoque")
    assert [(rating.user_id, rating.wins, rating.losses) for rating in board] == [(ALICE.id, 6, 0), (BOB.id, 0, 6)]


async def test_both_offering_a_draw_at_once_have_drawn_once(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    agreed = await asyncio.gather(
        *(crowd.services.agreements.offer_draw(*crowd.request(match_id, person)) for person in (ALICE, BOB))
    )
    assert sorted(agreed) == [OfferState.ACCEPTED, OfferState.OPEN]
    match = await crowd.match(match_id)
    assert (match.reason, match.ply) == ("agreement", 1)
    assert [seat.won for seat in match.seats] == [None, None]


async def test_accepting_and_declining_an_offer_at_once_does_one_of_both(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.services.agreements.offer_draw(*crowd.request(match_id, ALICE))
    results = await asyncio.gather(
        *(
            crowd.services.agreements.answer(crowd.actor(BOB), 1, given)
            for given in (Answer.DECLINE, Answer.ACCEPT, Answer.ACCEPT)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(result, Stale) for result in results) == 2
    assert (await crowd.match(match_id)).ply == (1 if "accepted" in results else 0)


async def test_a_draw_accepted_in_the_instant_of_the_next_move_of_who_offers_it_is_agreed(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, "c3", "a1")
    await crowd.services.agreements.offer_draw(*crowd.request(match_id, ALICE))
    entry, turns = Turn.entry, [crowd.request(match_id, ALICE)]

    async def entry_before_a_move(*args: Any) -> PlayedTurn:
        computed = await entry(*args)
        while turns:
            await crowd.services.turns.play(*turns.pop(), "d4")
        return computed

    monkeypatch.setattr(Turn, "entry", entry_before_a_move)
    assert await crowd.services.agreements.answer(crowd.actor(BOB), 1, Answer.ACCEPT) is OfferState.ACCEPTED
    match = await crowd.match(match_id)
    assert (match.reason, match.ply) == ("agreement", 4)


async def test_a_take_back_granted_while_the_next_move_is_made_leaves_a_list_that_replays(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, "c3")
    await crowd.services.agreements.ask_takeback(*crowd.request(match_id, ALICE))
    await asyncio.gather(
        crowd.services.agreements.answer(crowd.actor(BOB), 1, Answer.ACCEPT),
        crowd.services.turns.play(*crowd.request(match_id, BOB, 1), "a1"),
        return_exceptions=True,
    )
    played = await crowd.moves(match_id)
    assert [entry.ply for entry in played] == [1, 2]
    seen = (await crowd.services.queries.match_view(GUILD, match_id)).game_state
    crowd.open()
    replayed = (await crowd.services.queries.match_view(GUILD, match_id)).game_state
    assert seen.position == replayed.position
    assert (await crowd.match(match_id)).to_move == replayed.position.to_move


async def test_accepting_and_cancelling_a_challenge_at_once_does_one_of_both(crowd: Crowd) -> None:
    challenge_id = await crowd.offer(to=BOB)
    accepted, cancelled = await asyncio.gather(
        crowd.services.challenges.accept(crowd.actor(BOB), challenge_id),
        crowd.services.challenges.cancel(crowd.actor(ALICE), challenge_id),
        return_exceptions=True,
    )
    assert isinstance(accepted, int) is isinstance(cancelled, Refusal)
    assert len(await crowd.running(ALICE)) == isinstance(accepted, int)


async def test_moving_and_resigning_at_once_leaves_a_list_that_replays(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await asyncio.gather(
        crowd.services.forfeits.resign(*crowd.request(match_id, ALICE, 0)),
        crowd.services.turns.play(*crowd.request(match_id, ALICE, 0), "c3"),
        return_exceptions=True,
    )
    match = await crowd.match(match_id)
    assert [entry.ply for entry in await crowd.moves(match_id)] == list(range(1, match.ply + 1))
    crowd.services.game_states.forget()
    assert (await crowd.services.game_states.of(match)).ply == match.ply


async def test_both_asking_for_a_rematch_at_once_begin_one(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.resign(match_id, BOB)
    begun = await asyncio.gather(*(crowd.services.rematches.ask(crowd.actor(one), match_id) for one in (ALICE, BOB)))
    (rematch,) = [number for number in begun if number is not None]
    assert await crowd.running(ALICE) == await crowd.running(BOB) == [rematch]
    assert [seat.person.id for seat in (await crowd.match(rematch)).seats] == [BOB.id, ALICE.id]


async def test_one_person_asking_for_a_rematch_twice_at_once_asks_once(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.resign(match_id, BOB)
    await asyncio.gather(
        *(crowd.services.rematches.ask(crowd.actor(ALICE), match_id) for _ in range(2)), return_exceptions=True
    )
    assert await crowd.running(ALICE) == []
    async with crowd.database.read() as tx:
        offered = select(tables.challenges).where(tables.challenges.c.rematch_of == match_id)
        assert len((await tx.execute(offered)).all()) == 1
