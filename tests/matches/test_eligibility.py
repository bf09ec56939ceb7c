"""Who may be invited: the same people by a challenge, by a rematch, and by a cup that is started again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.matches.model.refusals import Refusal
from bot.storage import challenges
from bot.storage.challenges import Challenge
from bot.storage.records import ChallengeState, Person
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, YONMOQUE, Crowd
from tests.matches.test_cup_news import over

LOBBY = replace(YONMOQUE, game="rectangles", variant="8x8", players=3)
DORA = Person(4, "Dora")


async def carol_left(_guild_id: int, user_id: int) -> bool:
    return user_id == CAROL.id


async def finished(crowd: Crowd) -> int:
    """Return a finished match of Alice, Bob and Carol."""
    match_id = await crowd.begin(CAROL, terms=LOBBY)
    for person in (ALICE, BOB):
        await crowd.resign(match_id, person)
    return match_id


async def rematch(crowd: Crowd, match_id: int, *, by: Person = ALICE) -> Challenge:
    """Have a rematch offered while Carol has left, and return its challenge."""
    crowd.open(has_left=carol_left)
    await crowd.services.rematches.ask(crowd.actor(by), match_id)
    found = await crowd.services.read(challenges.rematch_of, match_id)
    assert found is not None
    return found


async def test_a_rematch_of_a_group_invites_who_played_and_is_here_once_a_day(crowd: Crowd) -> None:
    match_id = await finished(crowd)
    offered = await rematch(crowd, match_id)
    assert await crowd.services.rematches.invited(offered) == (BOB.id,)
    with pytest.raises(Refusal, match="for those who played before"):
        await crowd.services.challenges.accept(crowd.actor(DORA), offered.id)
    await crowd.services.challenges.cancel(crowd.actor(ALICE), offered.id)
    crowd.later(minutes=1)
    assert await crowd.services.rematches.invited(await rematch(crowd, match_id)) == ()


async def test_a_rematch_of_a_group_invites_nobody_who_is_barred_or_apart(crowd: Crowd) -> None:
    match_id = await finished(crowd)
    await crowd.services.bars.bar(GUILD, CAROL.id, crowd.interaction())
    await crowd.services.personal_settings.block(BOB.id, ALICE.id, blocked=True)
    with pytest.raises(Refusal, match="Nobody you played with"):
        await crowd.services.rematches.ask(crowd.actor(ALICE), match_id)


async def test_there_is_no_rematch_with_who_left_or_is_barred(crowd: Crowd) -> None:
    match_id = await crowd.begin(to=CAROL)
    await crowd.resign(match_id, ALICE)
    with pytest.raises(Refusal, match="isn't in this server"):
        await rematch(crowd, match_id)
    crowd.open()
    await crowd.services.bars.bar(GUILD, CAROL.id, crowd.interaction())
    with pytest.raises(Refusal, match="barred from playing here"):
        await crowd.services.rematches.ask(crowd.actor(ALICE), match_id)


async def test_a_cup_started_again_has_no_place_for_who_left_and_invites_nobody_barred(crowd: Crowd) -> None:
    cup_id = await over(crowd, ALICE, BOB, CAROL, DORA)
    await crowd.services.bars.bar(GUILD, DORA.id, crowd.interaction())
    crowd.open(has_left=carol_left)
    service = crowd.services.cups
    again = await service.again(crowd.actor(ALICE, can_manage_server=True), cup_id)
    view = await crowd.services.cup_queries.view(GUILD, again)
    assert (view.cup.places, view.invited) == (3, (BOB.id,))


async def test_the_challenge_of_who_left_is_called_off_when_somebody_accepts_it(crowd: Crowd) -> None:
    challenge_id = await crowd.offer(by=CAROL)
    crowd.open(has_left=carol_left)
    accept = crowd.services.challenges.accept
    with pytest.raises(Refusal, match="isn't in this server"):
        await accept(crowd.actor(BOB), challenge_id)
    assert (await crowd.challenge(challenge_id)).state is ChallengeState.CANCELLED


async def test_who_left_loses_their_seat_before_a_match_of_several_begins(crowd: Crowd) -> None:
    challenge_id = await crowd.offer(terms=LOBBY)
    accept = crowd.services.challenges.accept
    await accept(crowd.actor(CAROL), challenge_id)
    crowd.open(has_left=carol_left)
    assert await crowd.services.challenges.accept(crowd.actor(BOB), challenge_id) is None
    assert {person.id for person in (await crowd.challenge(challenge_id)).joined} == {ALICE.id, BOB.id}

    other = await crowd.offer(terms=LOBBY)
    crowd.open()
    await accept(crowd.actor(CAROL), other)
    crowd.open(has_left=carol_left)
    with pytest.raises(Refusal, match="so far it's just you"):
        await crowd.services.challenges.start(crowd.actor(ALICE), other)


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


async def test_a_rematch_is_for_those_who_played(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    with pytest.raises(Refusal, match="not over yet"):
        await crowd.services.rematches.ask(crowd.actor(ALICE), match_id)
    await crowd.resign(match_id, ALICE)
    with pytest.raises(Refusal, match="Only those who played"):
        await crowd.services.rematches.ask(crowd.actor(CAROL), match_id)
    assert await crowd.services.rematches.ask(crowd.actor(ALICE), match_id) is None
