"""A computer player that sees no chance offers to resign, once a match; the person accepts or plays on."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from bot.games import GAMES
from bot.matches.audit import audit
from bot.matches.model.refusals import Refusal, Stale
from bot.matches.services import computer_players
from bot.matches.services.agreements import Answer
from bot.matches.services.eligibility import Terms
from bot.opponents import Choice, consider
from bot.storage import computer_turns, tables
from bot.storage.records import First, MatchState, OfferKind, OfferState
from tests.matches.conftest import ALICE, Crowd
from tests.matches.test_endings import TWO_THREATS

TERMS = Terms("yonmoque", "standard", 2, First.CHALLENGER, rated=False)


async def begun(crowd: Crowd) -> int:
    return await crowd.services.computer_opponents.play(crowd.actor(ALICE), 1, TERMS)


async def reply(crowd: Crowd, monkeypatch: pytest.MonkeyPatch, move: str, winning: float | None) -> None:
    """Have the bot play a move, with what its search made of the position."""
    monkeypatch.setattr(computer_players, "consider", lambda position, *_: Choice(position.parse(move), winning))
    async with crowd.database.read() as tx:
        (row,) = await tx.execute(select(tables.computer_turns))
    due = computer_turns.ComputerTurn(row.match_id, row.ply)
    await crowd.services.computer_players.play(due)


async def offers(crowd: Crowd) -> list[tuple[OfferKind, OfferState, int]]:
    async with crowd.database.read() as tx:
        found = await tx.execute(select(tables.offers).order_by(tables.offers.c.id))
        return [(row.kind, row.state, row.ply) for row in found]


async def test_it_offers_to_resign_once_and_the_person_plays_on(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = await begun(crowd)
    await crowd.play(match_id, "a1", players=(ALICE,))
    await reply(crowd, monkeypatch, "a5", 0.5)
    assert await offers(crowd) == []
    await crowd.play(match_id, "b1", players=(ALICE,))
    await reply(crowd, monkeypatch, "b5", 0.01)
    assert await offers(crowd) == [(OfferKind.RESIGN, OfferState.OPEN, 4)]
    await crowd.services.agreements.answer(crowd.actor(ALICE), 1, Answer.DECLINE)
    await crowd.play(match_id, "c1", players=(ALICE,))
    await reply(crowd, monkeypatch, "e5", 0.0)
    assert await offers(crowd) == [(OfferKind.RESIGN, OfferState.DECLINED, 4)]
    assert (await crowd.match(match_id)).state is MatchState.RUNNING


async def test_accepting_wins_by_resignation_and_twice_is_too_late(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await begun(crowd)
    await crowd.play(match_id, "a1", players=(ALICE,))
    await reply(crowd, monkeypatch, "a5", 0.0)
    with pytest.raises(Refusal, match="Only the one who asked can withdraw it"):
        await crowd.services.agreements.answer(crowd.actor(ALICE), 1, Answer.WITHDRAW)
    state = await crowd.services.agreements.answer(crowd.actor(ALICE), 1, Answer.ACCEPT)
    assert state is OfferState.ACCEPTED
    match = await crowd.match(match_id)
    assert (match.state, match.reason) == (MatchState.OVER, "resignation")
    assert [seat.won for seat in match.seats] == [True, False]
    assert await audit(crowd.database) == []
    with pytest.raises(Stale):
        await crowd.services.agreements.answer(crowd.actor(ALICE), 1, Answer.ACCEPT)


async def test_what_was_not_evaluated_or_is_proven_is_no_reason(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lost game that ends soon is the person's to win."""
    match_id = await begun(crowd)
    await crowd.play(match_id, "a1", players=(ALICE,))
    await reply(crowd, monkeypatch, "a5", None)
    assert await offers(crowd) == []


async def test_a_move_that_ends_the_match_comes_without_an_offer(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the search made of the position: there is nothing left to resign."""
    match_id = await begun(crowd)
    for own, theirs in zip(TWO_THREATS[::2], TWO_THREATS[1::2], strict=True):
        await crowd.play(match_id, own, players=(ALICE,))
        await reply(crowd, monkeypatch, theirs, None if theirs != TWO_THREATS[-1] else 0.0)
    match = await crowd.match(match_id)
    assert (match.state, [seat.won for seat in match.seats]) == (MatchState.OVER, [False, True])
    assert await offers(crowd) == []
    assert await audit(crowd.database) == []


def test_a_redo_that_is_lost_by_far_is_evaluated_as_hopeless_and_the_beginning_is_not() -> None:
    game = GAMES["redo"]
    start = game.start(players=2)
    even = consider(start, 2, 1).winning
    assert even is not None
    assert 0.3 < even < 0.7
    lost = game.start(players=2)
    seed = 0
    while lost.result is None:
        if lost.to_move == 1:
            chosen = consider(lost, 3, seed)
            if chosen.winning is not None and chosen.winning <= computer_players.HOPELESS:
                return
            lost = lost.play(list(lost.legal_moves())[seed % 3])
        else:
            lost = lost.play(consider(lost, 3, seed).move)
        seed += 1
    raise AssertionError("never hopeless")
