"""Two things that contradict each other at the same instant: one of them happens, and everybody learns which."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import permutations
from typing import Any

import pytest

from bot.matches.model.refusals import Refusal
from bot.matches.services.agreements import Answer
from bot.storage.records import EntryKind, MatchState, OfferState, Person
from tests.lifecycle.harness import Harness
from tests.lifecycle.invariants import Invariants
from tests.lifecycle.playing import ALICE, BOB, DAY, at_once, begin, check, claiming, match_of, moving, play
from tests.support.sampled import sampled

Doing = Callable[[Harness, int], Awaitable[Any]]
Begun = Callable[[Harness], int]


def offering(person: Person) -> Doing:
    return lambda harness, match: harness.services.agreements.offer_draw(*harness.request(match, person))


def asking(person: Person) -> Doing:
    return lambda harness, match: harness.services.agreements.ask_takeback(*harness.request(match, person))


def answering(person: Person, given: Answer) -> Doing:
    return lambda harness, _: harness.services.agreements.answer(harness.actor(person), 1, given)


def resigning(person: Person) -> Doing:
    return lambda harness, match: harness.services.forfeits.resign(*harness.request(match, person))


def playing(person: Person, move: str) -> Doing:
    return lambda harness, match: moving(harness, match, person, move)


def claims(person: Person) -> Doing:
    return lambda harness, match: claiming(harness, match, person)


def draw_offered(harness: Harness) -> int:
    """Have Alice, who is to move, offer a draw."""
    match = begin(harness)
    harness.run(offering(ALICE)(harness, match))
    harness.deliver()
    return match


def takeback_asked(harness: Harness) -> int:
    """Have Alice ask to take her first move back, Bob being to move."""
    match = begin(harness)
    play(harness, match, ALICE, "c3")
    harness.run(asking(ALICE)(harness, match))
    harness.deliver()
    return match


def asked_and_late(harness: Harness) -> int:
    match = takeback_asked(harness)
    harness.pass_time(DAY)
    return match


CROSSING: dict[str, tuple[Begun, Doing, Doing]] = {
    "a draw is accepted while its offerer moves": (draw_offered, answering(BOB, Answer.ACCEPT), playing(ALICE, "c3")),
    "a draw is accepted while its offerer withdraws": (
        draw_offered,
        answering(BOB, Answer.ACCEPT),
        answering(ALICE, Answer.WITHDRAW),
    ),
    "a draw is accepted while its offerer resigns": (draw_offered, answering(BOB, Answer.ACCEPT), resigning(ALICE)),
    "a draw is accepted and offered back": (draw_offered, answering(BOB, Answer.ACCEPT), offering(BOB)),
    "a draw is accepted and declined": (
        draw_offered,
        answering(BOB, Answer.ACCEPT),
        answering(BOB, Answer.DECLINE),
    ),
    "both offer a draw": (begin, offering(ALICE), offering(BOB)),
    "a take-back is granted while the next move is made": (
        takeback_asked,
        answering(BOB, Answer.ACCEPT),
        playing(BOB, "a1"),
    ),
    "a take-back is granted while it is withdrawn": (
        takeback_asked,
        answering(BOB, Answer.ACCEPT),
        answering(ALICE, Answer.WITHDRAW),
    ),
    "a take-back is granted while the win is claimed": (
        asked_and_late,
        answering(BOB, Answer.ACCEPT),
        claims(ALICE),
    ),
    "a take-back is granted while its asker resigns": (
        takeback_asked,
        answering(BOB, Answer.ACCEPT),
        resigning(ALICE),
    ),
}


@pytest.mark.parametrize("turned", [False, True], ids=["one first", "other first"])
@pytest.mark.parametrize("name", sampled(CROSSING, every=10))
def test_of_two_things_at_once_one_happens_and_is_told(harness: Harness, name: str, turned: bool) -> None:
    start, *actions = CROSSING[name]
    match = start(harness)
    at_once(harness, *(action(harness, match) for action in (actions[::-1] if turned else actions)))
    check(harness)
    invariants = Invariants(harness.everything_stored())
    entries = [move["kind"] for move in invariants.table("moves")]
    over = match_of(harness, match).state is MatchState.OVER
    assert sum(kind in (EntryKind.DRAW, EntryKind.DROP) for kind in entries) == over
    drawn = sum(offer["state"] == OfferState.ACCEPTED for offer in invariants.table("offers"))
    assert drawn == sum(kind in (EntryKind.DRAW, EntryKind.TAKEBACK) for kind in entries)
    harness.kill()
    harness.start()
    check(harness)


def test_a_take_back_asked_while_the_opponent_moves_is_asked_in_time_or_refused(harness: Harness) -> None:
    for turned in permutations((asking(ALICE), playing(BOB, "a1"))):
        match = begin(harness)
        play(harness, match, ALICE, "c3")
        results = at_once(harness, *(action(harness, match) for action in turned))
        asked = not any(isinstance(result, Refusal) for result in results)
        check(harness)
        offers = [one for one in Invariants(harness.everything_stored()).table("offers") if one["match_id"] == match]
        assert [offer["state"] for offer in offers] == ([OfferState.LAPSED] if asked else [])
        assert match_of(harness, match).ply == 2


def test_an_offer_withdrawn_before_it_could_be_posted_is_never_posted(harness: Harness) -> None:
    match = begin(harness)
    harness.run(offering(ALICE)(harness, match))
    harness.run(answering(ALICE, Answer.WITHDRAW)(harness, match))
    check(harness)
    assert harness.discord.posted_with("offer:accept:1") == []
