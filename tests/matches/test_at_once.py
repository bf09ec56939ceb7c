"""Many requests for the same thing at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from bot.matches.audit import audit
from bot.matches.model.refusals import AlreadyProcessed, Refusal, Stale
from bot.matches.model.turn import PlayedTurn
from bot.matches.model.typed import DAY
from bot.matches.services.agreements import Answer
from bot.matches.services.eligibility import Terms
from bot.matches.services.turn import Turn
from bot.storage import tables
from bot.storage.records import EntryKind, First, MatchState, OfferState, Person
from tests.matches.conftest import ALICE, BOB, GUILD, YONMOQUE, Crowd
from tests.support.without_grace import without_grace  # noqa: F401


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


@pytest.mark.parametrize("seats", [2, 6])
async def test_of_many_people_accepting_at_once_as_many_play_as_there_are_seats(crowd: Crowd, seats: int) -> None:
    terms = YONMOQUE if seats == 2 else Terms("rectangles", "8x8", seats, First.CHALLENGER)
    challenge_id = await crowd.offer(terms=terms)
    people = [ALICE, *(Person(number, f"P{number}") for number in range(10, 30))]
    results = await asyncio.gather(
        *(crowd.services.challenges.accept(crowd.actor(person), challenge_id) for person in people),
        return_exceptions=True,
    )
    accepted = [result for result in results if not isinstance(result, BaseException)]
    assert sorted(accepted, key=str) == [1, *[None] * (seats - 2)]
    assert all(isinstance(result, Refusal) for result in results if isinstance(result, BaseException))
    assert len({seat.person.id for seat in (await crowd.match(1)).seats}) == seats


async def test_matches_that_end_at_once_all_count_for_the_ratings(crowd: Crowd) -> None:
    begun = [await crowd.begin() for _ in range(6)]
    for match_id in begun:
        await crowd.move_twice(match_id)
    await asyncio.gather(*(crowd.resign(match_id, BOB) for match_id in begun))
    board = await crowd.leaderboard("yonmoque")
    assert [(rating.user_id, rating.wins, rating.losses) for rating in board] == [(ALICE.id, 6, 0), (BOB.id, 0, 6)]


Doing = Callable[[Crowd, int], Awaitable[Any]]


def offering(person: Person) -> Doing:
    return lambda crowd, match_id: crowd.services.agreements.offer_draw(*crowd.request(match_id, person))


def asking(person: Person) -> Doing:
    return lambda crowd, match_id: crowd.services.agreements.ask_takeback(*crowd.request(match_id, person))


def answering(person: Person, given: Answer) -> Doing:
    return lambda crowd, _: crowd.services.agreements.answer(crowd.actor(person), 1, given)


def resigning(person: Person) -> Doing:
    return lambda crowd, match_id: crowd.resign(match_id, person)


def playing(person: Person, move: str) -> Doing:
    return lambda crowd, match_id: crowd.play(match_id, move, players=(person,))


def claiming(person: Person) -> Doing:
    return lambda crowd, match_id: crowd.services.forfeits.claim_win(*crowd.request(match_id, person))


async def noticing_late(crowd: Crowd, _match_id: int) -> None:
    await crowd.services.forfeits.notice_late()


async def begun(crowd: Crowd) -> int:
    return await crowd.begin(terms=replace(YONMOQUE, pace=DAY))


async def draw_offered(crowd: Crowd) -> int:
    """Have Alice, who is to move, offer a draw."""
    match_id = await begun(crowd)
    await offering(ALICE)(crowd, match_id)
    return match_id


async def moved(crowd: Crowd) -> int:
    match_id = await begun(crowd)
    await crowd.play(match_id, "c3")
    return match_id


async def takeback_asked(crowd: Crowd) -> int:
    """Have Alice ask to take her first move back, Bob being to move."""
    match_id = await moved(crowd)
    await asking(ALICE)(crowd, match_id)
    return match_id


async def late(crowd: Crowd) -> int:
    match_id = await begun(crowd)
    crowd.later(days=1)
    return match_id


async def late_where_it_ends_at_once(crowd: Crowd) -> int:
    await crowd.services.server_settings.change(GUILD, lambda before: replace(before, automatic=True))
    return await late(crowd)


async def asked_and_late(crowd: Crowd) -> int:
    match_id = await takeback_asked(crowd)
    crowd.later(days=1)
    return match_id


AGREES = answering(BOB, Answer.ACCEPT)
CROSSING: dict[str, tuple[Callable[[Crowd], Awaitable[int]], Doing, Doing]] = {
    "a draw is accepted while its offerer moves": (draw_offered, AGREES, playing(ALICE, "c3")),
    "a draw is accepted while its offerer withdraws": (draw_offered, AGREES, answering(ALICE, Answer.WITHDRAW)),
    "a draw is accepted while its offerer resigns": (draw_offered, AGREES, resigning(ALICE)),
    "a draw is accepted and offered back": (draw_offered, AGREES, offering(BOB)),
    "a draw is accepted and declined": (draw_offered, AGREES, answering(BOB, Answer.DECLINE)),
    "both offer a draw": (begun, offering(ALICE), offering(BOB)),
    "both resign": (begun, resigning(ALICE), resigning(BOB)),
    "a person moves and resigns": (begun, playing(ALICE, "c3"), resigning(ALICE)),
    "a win is claimed while the late move is made": (late, claiming(BOB), playing(ALICE, "c3")),
    "a loss is noticed while the late move is made": (late_where_it_ends_at_once, noticing_late, playing(ALICE, "c3")),
    "a take-back is granted while the next move is made": (takeback_asked, AGREES, playing(BOB, "a1")),
    "a take-back is granted while it is withdrawn": (takeback_asked, AGREES, answering(ALICE, Answer.WITHDRAW)),
    "a take-back is granted while the win is claimed": (asked_and_late, AGREES, claiming(ALICE)),
    "a take-back is granted while its asker resigns": (takeback_asked, AGREES, resigning(ALICE)),
    "a take-back is asked for while the opponent moves": (moved, asking(ALICE), playing(BOB, "a1")),
}


@pytest.mark.parametrize("turned", [False, True], ids=["one first", "other first"])
@pytest.mark.parametrize("name", CROSSING)
async def test_of_two_things_at_once_one_happens_or_one_after_the_other(crowd: Crowd, name: str, turned: bool) -> None:
    start, *actions = CROSSING[name]
    match_id = await start(crowd)
    order = actions[::-1] if turned else actions
    results = await asyncio.gather(*(act(crowd, match_id) for act in order), return_exceptions=True)
    assert all(isinstance(result, Refusal) for result in results if isinstance(result, BaseException)), results
    assert not all(isinstance(result, BaseException) for result in results)
    match, kinds = await crowd.match(match_id), [entry.kind for entry in await crowd.moves(match_id)]
    assert sum(kind in (EntryKind.DRAW, EntryKind.DROP) for kind in kinds) == (match.state is MatchState.OVER)
    states = await crowd.column(select(tables.offers.c.state))
    assert states.count(OfferState.ACCEPTED) == sum(kind in (EntryKind.DRAW, EntryKind.TAKEBACK) for kind in kinds)
    seen = await crowd.services.game_states.of(match)
    crowd.services.game_states.forget()
    assert (await crowd.services.game_states.of(match)).position == seen.position
    assert await audit(crowd.database) == []


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


async def test_accepting_and_cancelling_a_challenge_at_once_does_one_of_both(crowd: Crowd) -> None:
    challenge_id = await crowd.offer(to=BOB)
    accepted, cancelled = await asyncio.gather(
        crowd.services.challenges.accept(crowd.actor(BOB), challenge_id),
        crowd.services.challenges.cancel(crowd.actor(ALICE), challenge_id),
        return_exceptions=True,
    )
    assert isinstance(accepted, int) is isinstance(cancelled, Refusal)
    assert len(await crowd.running(ALICE)) == isinstance(accepted, int)


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
