"""Only those whom something concerns may answer it, play in it, or end it."""

from __future__ import annotations

import pytest

from bot.matches.model.refusals import Refusal, Stale
from bot.storage.records import ChallengeState
from tests.matches.conftest import ALICE, BOB, CAROL, Crowd


async def test_a_challenge_is_accepted_and_declined_by_the_one_it_is_for_and_cancelled_by_its_challenger(
    crowd: Crowd,
) -> None:
    asked = crowd.services.challenges
    challenge_id = await crowd.offer(to=BOB)
    refused = [
        (asked.accept, CAROL, "for somebody else"),
        (asked.accept, ALICE, "your own challenge"),
        (asked.decline, CAROL, "Only the person who was challenged"),
        (asked.decline, ALICE, "your own challenge"),
        (asked.cancel, CAROL, "Only the challenger"),
        (asked.cancel, BOB, "Only the challenger"),
    ]
    for act, person, reason in refused:
        with pytest.raises(Refusal, match=reason):
            await act(crowd.actor(person), challenge_id)
    assert await asked.accept(crowd.actor(BOB), challenge_id) is not None


async def test_the_one_who_is_challenged_declines_and_the_challenger_cancels(crowd: Crowd) -> None:
    declined, cancelled = await crowd.offer(to=BOB), await crowd.offer(to=BOB)
    await crowd.services.challenges.decline(crowd.actor(BOB), declined)
    await crowd.services.challenges.cancel(crowd.actor(ALICE), cancelled)
    assert [(await crowd.challenge(number)).state for number in (declined, cancelled)] == [
        ChallengeState.DECLINED,
        ChallengeState.CANCELLED,
    ]


async def test_a_match_is_for_its_players(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    services = crowd.services
    for act in (services.forfeits.resign, services.agreements.offer_draw, services.agreements.ask_takeback):
        with pytest.raises(Refusal, match="not playing"):
            await act(*crowd.request(match_id, CAROL))
    with pytest.raises(Refusal, match="not playing"):
        await services.turns.play(*crowd.request(match_id, CAROL), "a1")
    with pytest.raises(Refusal, match="To move: Alice"):
        await services.turns.play(*crowd.request(match_id, BOB), "a1")
    assert (await crowd.match(match_id)).ply == 0


async def test_a_move_of_an_earlier_turn_is_stale(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    earlier = crowd.request(match_id, ALICE, ply=0)
    await crowd.play(match_id, "a1", "c2")
    with pytest.raises(Stale):
        await crowd.services.turns.play(*earlier, "c3")
    assert [entry.text for entry in await crowd.moves(match_id)] == ["a1", "c2"]


async def test_a_rematch_is_for_those_who_played(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    with pytest.raises(Refusal, match="not over yet"):
        await crowd.services.rematches.ask(crowd.actor(ALICE), match_id)
    await crowd.resign(match_id, ALICE)
    with pytest.raises(Refusal, match="Only those who played"):
        await crowd.services.rematches.ask(crowd.actor(CAROL), match_id)
    assert await crowd.services.rematches.ask(crowd.actor(ALICE), match_id) is None
