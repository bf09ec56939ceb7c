"""Ends of matches: seats, ranks, ratings and limits, also with more than two players."""

from __future__ import annotations

import pytest
from sqlalchemy import event

from bot.games import GAMES
from bot.matches.model.refusals import MatchOver, Refusal
from bot.matches.services.eligibility import Terms
from bot.storage import match_lists
from bot.storage.records import First, MatchState, Person
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd
from tests.support.acting import FINISHED

SEVERAL = Terms("rectangles", "8x8", 3, First.CHALLENGER)


async def ranks(crowd: Crowd, game: str = "rectangles") -> list[int]:
    """Return the rated people, best first."""
    board = await crowd.leaderboard(game)
    return [rating.user_id for rating in sorted(board, key=lambda rating: -rating.mu)]


async def begin_for_three(crowd: Crowd, terms: Terms = SEVERAL) -> int:
    challenge_id = await crowd.offer(terms=terms)
    assert await crowd.services.challenges.accept(crowd.actor(BOB), challenge_id) is None
    match_id = await crowd.services.challenges.accept(crowd.actor(CAROL), challenge_id)
    assert match_id is not None
    return match_id


async def test_a_win_on_the_board_is_stored_with_its_reason_and_rated_once(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, *FINISHED)
    match = await crowd.match(match_id)
    assert (match.state, match.reason) == (MatchState.OVER, "four in a row")
    assert [seat.won for seat in match.seats] == [True, False]
    assert match.to_move is None
    table = await crowd.services.queries.match_view(GUILD, match_id)
    assert table.changes[ALICE.id].mu_after > table.changes[ALICE.id].mu_before
    for game in ("yonmoque", ""):
        board = await crowd.leaderboard(game)
        assert [(rating.user_id, rating.games) for rating in board] == [(ALICE.id, 1), (BOB.id, 1)]


async def test_resigning_loses_whether_or_not_it_is_ones_turn(crowd: Crowd) -> None:
    for resigning, winner in ((ALICE, BOB), (BOB, ALICE)):
        match_id = await crowd.begin()
        await crowd.resign(match_id, resigning)
        match = await crowd.match(match_id)
        assert match.reason == "resignation"
        assert [seat.person for seat in match.seats if seat.won] == [winner]


async def test_who_says_stuck_and_is_not_has_lost_for_good_and_is_rated(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=Terms("rectangles", "6x6-by-players", 2, First.CHALLENGER))
    await crowd.play(match_id, "a1-b2", "c1-e2", "a3-d4", "a5-e6")
    await crowd.services.turns.play(*crowd.request(match_id, ALICE), "stuck", confirmed=True)
    match = await crowd.match(match_id)
    assert [seat.person for seat in match.seats if seat.won] == [BOB]
    assert await ranks(crowd) == [BOB.id, ALICE.id]
    with pytest.raises(MatchOver):
        await crowd.services.agreements.ask_takeback(*crowd.request(match_id, ALICE))


async def test_of_three_the_last_one_left_wins_and_the_first_to_leave_is_last(crowd: Crowd) -> None:
    match_id = await begin_for_three(crowd)
    await crowd.move_twice(match_id)
    await crowd.resign(match_id, BOB)
    match = await crowd.match(match_id)
    assert match.state is MatchState.RUNNING
    assert [seat.dropped for seat in match.seats] == [False, True, False]
    await crowd.resign(match_id, CAROL)
    match = await crowd.match(match_id)
    assert [seat.won for seat in match.seats] == [True, False, False]
    assert await ranks(crowd) == [ALICE.id, CAROL.id, BOB.id]


async def test_dropping_out_of_turn_leaves_the_clock_of_the_one_to_move_alone(crowd: Crowd) -> None:
    terms = Terms("rectangles", SEVERAL.variant, 3, First.CHALLENGER, pace=86400)
    match_id = await begin_for_three(crowd, terms)
    begun = await crowd.match(match_id)
    crowd.later(hours=5)
    await crowd.resign(match_id, CAROL)
    match = await crowd.match(match_id)
    assert match.ply == 1
    assert match.mover.person == ALICE
    assert (match.deadline_at, match.turn_at) == (begun.deadline_at, begun.turn_at)
    crowd.later(hours=1)
    await crowd.resign(match_id, ALICE)
    assert (await crowd.match(match_id)).reason is not None


async def test_a_seat_that_dropped_out_neither_moves_nor_leaves_again(crowd: Crowd) -> None:
    match_id = await begin_for_three(crowd)
    await crowd.resign(match_id, ALICE)
    with pytest.raises(Refusal, match="left this match"):
        await crowd.services.turns.play(*crowd.request(match_id, ALICE), "a1-b2")
    with pytest.raises(Refusal, match="left this match"):
        await crowd.resign(match_id, ALICE)
    assert (await crowd.match(match_id)).ply == 1


async def test_a_match_does_not_count_toward_the_limit_of_a_person_who_left_it(crowd: Crowd) -> None:
    match_id = await begin_for_three(crowd)
    await crowd.resign(match_id, BOB)
    profile = await crowd.services.queries.profile(GUILD, BOB.id, BOB.id)
    assert profile.running == 0
    assert await crowd.services.read(match_lists.running_of, GUILD, BOB.id) == []


async def test_an_unrated_match_changes_no_rating(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=Terms("yonmoque", "standard", 2, First.CHALLENGER, rated=False))
    await crowd.resign(match_id, BOB)
    assert await crowd.leaderboard("yonmoque") == []
    profile = await crowd.services.queries.profile(GUILD, ALICE.id, BOB.id)
    assert (profile.against.wins, profile.streak) == (1, 1)


async def test_ratings_of_one_server_are_not_those_of_another(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.resign(match_id, BOB)
    assert await crowd.leaderboard("yonmoque", GUILD + 1) == []


async def test_a_failed_beginning_leaves_nothing_behind_for_the_match_that_gets_its_number(crowd: Crowd) -> None:
    first, second = await crowd.offer(), await crowd.offer(terms=Terms("redo", "standard", 2, First.CHALLENGER))

    def fail(_connection: object) -> None:
        raise OSError("the disk is full")

    event.listen(crowd.database.engine.sync_engine, "commit", fail, once=True)
    with pytest.raises(OSError, match="the disk is full"):
        await crowd.services.challenges.accept(crowd.actor(BOB), first)
    match_id = await crowd.services.challenges.accept(crowd.actor(Person(9, "Dora")), second)
    assert match_id == 1
    table = await crowd.services.queries.match_view(GUILD, 1)
    assert table.game_state.position == GAMES["redo"].start(2)
    assert [seat.person.id for seat in table.match.seats] == [ALICE.id, 9]
