"""Many requests for the same thing that reach the services together."""

from __future__ import annotations

import asyncio

from bot.matches.agreements import Answer
from bot.matches.refusals import Refusal, Repeated, Stale
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Hall


async def test_of_twenty_moves_at_one_ply_one_is_played(hall: Hall) -> None:
    match_id = await hall.begin()
    squares = [file + rank for file in "abcde" for rank in "1234"]
    results = await asyncio.gather(
        *(hall.services.turns.play(GUILD, match_id, ALICE, square, hall.interaction(), ply=0) for square in squares),
        return_exceptions=True,
    )
    assert sum(not isinstance(result, BaseException) for result in results) == 1
    assert {type(result) for result in results if isinstance(result, BaseException)} == {Stale}
    assert len(await hall.moves(match_id)) == (await hall.match(match_id)).ply == 1


async def test_the_same_move_pressed_ten_times_is_played_once_and_confirmed_ten_times(hall: Hall) -> None:
    match_id = await hall.begin()
    turns = await asyncio.gather(
        *(hall.services.turns.play(GUILD, match_id, ALICE, "c3", hall.interaction(), ply=0) for _ in range(10))
    )
    assert [turn.text for turn in turns] == ["c3"] * 10
    assert [move.text for move in await hall.moves(match_id)] == ["c3"]


async def test_a_move_of_the_same_text_by_the_opponent_is_not_taken_for_ones_own(hall: Hall) -> None:
    match_id = await hall.begin()
    await hall.play(match_id, "c3")
    results = await asyncio.gather(
        hall.services.turns.play(GUILD, match_id, BOB, "c3", hall.interaction(), ply=0), return_exceptions=True
    )
    assert [type(result) for result in results] == [Stale]


async def test_of_ten_deliveries_of_one_interaction_one_is_carried_out(hall: Hall) -> None:
    challenge_id = await hall.offer()
    interaction = hall.interaction()
    results = await asyncio.gather(
        *(hall.services.challenges.accept(GUILD, challenge_id, BOB, interaction) for _ in range(10)),
        return_exceptions=True,
    )
    assert [result for result in results if not isinstance(result, BaseException)] == [1]
    assert {type(result) for result in results if isinstance(result, BaseException)} == {Repeated}


async def test_of_many_people_accepting_at_once_one_gets_the_seat(hall: Hall) -> None:
    challenge_id = await hall.offer()
    results = await asyncio.gather(
        *(
            hall.services.challenges.accept(GUILD, challenge_id, person, hall.interaction())
            for person in (BOB, CAROL, ALICE)
        ),
        return_exceptions=True,
    )
    assert [result for result in results if not isinstance(result, BaseException)] == [1]
    assert all(isinstance(result, Refusal) for result in results if isinstance(result, BaseException))


async def test_both_resigning_at_once_one_has_lost(hall: Hall) -> None:
    match_id = await hall.begin()
    results = await asyncio.gather(
        *(hall.resign(match_id, person) for person in (ALICE, BOB)),
        return_exceptions=True,
    )
    assert sum(isinstance(result, Stale) for result in results) == 1
    assert sorted(str(seat.won) for seat in (await hall.match(match_id)).seats) == ["False", "True"]


async def test_matches_that_end_at_once_all_count_for_the_ratings(hall: Hall) -> None:
    begun = [await hall.begin() for _ in range(6)]
    await asyncio.gather(*(hall.resign(match_id, BOB) for match_id in begun))
    board = await hall.services.overview.leaderboard(GUILD, "yonmoque")
    assert [(rating.user_id, rating.wins, rating.losses) for rating in board] == [(ALICE.id, 6, 0), (BOB.id, 0, 6)]


async def test_both_offering_a_draw_at_once_have_drawn_once(hall: Hall) -> None:
    match_id = await hall.begin()
    agreed = await asyncio.gather(
        *(hall.services.agreements.offer_draw(GUILD, match_id, person, hall.interaction()) for person in (ALICE, BOB))
    )
    assert sorted(agreed) == [False, True]
    match = await hall.match(match_id)
    assert (match.reason, match.ply) == ("agreement", 1)
    assert [seat.won for seat in match.seats] == [None, None]


async def test_accepting_and_declining_an_offer_at_once_does_one_of_both(hall: Hall) -> None:
    match_id = await hall.begin()
    await hall.services.agreements.offer_draw(GUILD, match_id, ALICE, hall.interaction())
    results = await asyncio.gather(
        *(
            hall.services.agreements.answer(GUILD, 1, BOB, hall.interaction(), given)
            for given in (Answer.DECLINE, Answer.ACCEPT, Answer.ACCEPT)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(result, Stale) for result in results) == 2
    assert (await hall.match(match_id)).ply == (1 if "accepted" in results else 0)


async def test_a_take_back_granted_while_the_next_move_is_made_leaves_a_list_that_replays(hall: Hall) -> None:
    match_id = await hall.begin()
    await hall.play(match_id, "c3")
    await hall.services.agreements.ask_takeback(GUILD, match_id, ALICE, hall.interaction())
    await asyncio.gather(
        hall.services.agreements.answer(GUILD, 1, BOB, hall.interaction(), Answer.ACCEPT),
        hall.services.turns.play(GUILD, match_id, BOB, "a1", hall.interaction(), ply=1),
        return_exceptions=True,
    )
    played = await hall.moves(match_id)
    assert [entry.ply for entry in played] == [1, 2]
    seen = (await hall.services.overview.table(GUILD, match_id)).standing
    hall.open()
    replayed = (await hall.services.overview.table(GUILD, match_id)).standing
    assert seen.position == replayed.position
    assert {seat.seat for seat in (await hall.match(match_id)).movers} == replayed.position.to_move
