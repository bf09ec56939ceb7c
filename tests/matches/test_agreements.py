"""Draws and take-backs: who may offer, answer and withdraw them, and when they lapse."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from bot.matches.model.refusals import Refusal
from bot.matches.services.agreements import Answer
from bot.storage import tables
from bot.storage.records import MatchState, OfferState
from tests.matches.conftest import ALICE, BOB, CAROL, Crowd


async def states(crowd: Crowd) -> list[OfferState]:
    return await crowd.column(select(tables.offers.c.state).order_by(tables.offers.c.id))


async def test_a_draw_that_is_accepted_ends_the_match_without_a_winner(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    assert await crowd.services.agreements.offer_draw(*crowd.request(match_id, ALICE)) is OfferState.OPEN
    await crowd.services.agreements.answer(crowd.actor(BOB), 1, Answer.ACCEPT)
    match = await crowd.match(match_id)
    assert (match.state, match.reason) == (MatchState.OVER, "agreement")
    assert [seat.won for seat in match.seats] == [None, None]


async def test_an_offer_of_a_draw_lapses_with_the_next_move_of_the_opponent_and_not_before(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.services.agreements.offer_draw(*crowd.request(match_id, ALICE))
    await crowd.play(match_id, "a1")
    assert await states(crowd) == [OfferState.OPEN]
    await crowd.play(match_id, "a5", players=(BOB,))
    assert await states(crowd) == [OfferState.LAPSED]
    with pytest.raises(Refusal):
        await crowd.services.agreements.answer(crowd.actor(BOB), 1, Answer.ACCEPT)
    assert (await crowd.match(match_id)).state is MatchState.RUNNING


async def test_only_ones_own_last_move_can_be_taken_back(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    for moves in ((), ("a1", "a5")):
        await crowd.play(match_id, *moves)
        with pytest.raises(Refusal, match="Only your own last move"):
            await crowd.services.agreements.ask_takeback(*crowd.request(match_id, ALICE))


async def test_an_offer_is_answered_by_the_other_player_and_withdrawn_by_its_maker(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    answer = crowd.services.agreements.answer
    await crowd.services.agreements.offer_draw(*crowd.request(match_id, ALICE))
    with pytest.raises(Refusal, match="own offer"):
        await answer(crowd.actor(ALICE), 1, Answer.ACCEPT)
    with pytest.raises(Refusal, match="Only the one who asked"):
        await answer(crowd.actor(BOB), 1, Answer.WITHDRAW)
    for given in Answer:
        with pytest.raises(Refusal, match="not playing"):
            await answer(crowd.actor(CAROL), 1, given)
    assert await states(crowd) == [OfferState.OPEN]
