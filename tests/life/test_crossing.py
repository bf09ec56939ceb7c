"""Two things that contradict each other at the same instant: one of them happens, and everybody learns which."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import permutations
from typing import Any

import pytest

from bot.matches.agreements import Answer
from bot.matches.refusals import Refusal
from bot.storage.records import MatchState, MoveKind, OfferState, Person
from tests.life.books import Books
from tests.life.playing import ALICE, BOB, DAY, GUILD, at_once, begin, check, claiming, match_of, moving, play
from tests.life.world import World

Doing = Callable[[World, int], Awaitable[Any]]
Begun = Callable[[World], int]


def offering(person: Person) -> Doing:
    return lambda world, match: world.services.agreements.offer_draw(GUILD, match, person, world.interaction())


def asking(person: Person) -> Doing:
    return lambda world, match: world.services.agreements.ask_takeback(GUILD, match, person, world.interaction())


def answering(person: Person, given: Answer) -> Doing:
    return lambda world, _: world.services.agreements.answer(GUILD, 1, person, world.interaction(), given)


def resigning(person: Person) -> Doing:
    return lambda world, match: world.services.leaving.resign(GUILD, match, person, world.interaction())


def playing(person: Person, move: str) -> Doing:
    return lambda world, match: moving(world, match, person, move)


def claims(person: Person) -> Doing:
    return lambda world, match: claiming(world, match, person)


def draw_offered(world: World) -> int:
    """Have Alice, who is to move, offer a draw."""
    match = begin(world)
    world.run(offering(ALICE)(world, match))
    world.deliver()
    return match


def takeback_asked(world: World) -> int:
    """Have Alice ask to take her first move back, Bob being to move."""
    match = begin(world)
    play(world, match, ALICE, "c3")
    world.run(asking(ALICE)(world, match))
    world.deliver()
    return match


def asked_and_late(world: World) -> int:
    match = takeback_asked(world)
    world.pass_time(DAY)
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
@pytest.mark.parametrize("name", CROSSING)
def test_of_two_things_at_once_one_happens_and_is_told(world: World, name: str, turned: bool) -> None:
    start, *deeds = CROSSING[name]
    match = start(world)
    at_once(world, *(deed(world, match) for deed in (deeds[::-1] if turned else deeds)))
    check(world)
    books = Books(world.everything_stored())
    entries = [move["kind"] for move in books.table("moves")]
    over = match_of(world, match).state is MatchState.OVER
    assert sum(kind in (MoveKind.DRAW, MoveKind.DROP) for kind in entries) == over
    drawn = sum(offer["state"] == OfferState.ACCEPTED for offer in books.table("offers"))
    assert drawn == sum(kind in (MoveKind.DRAW, MoveKind.TAKEBACK) for kind in entries)
    world.kill()
    world.start()
    check(world)


def test_a_take_back_asked_while_the_opponent_moves_is_asked_in_time_or_refused(world: World) -> None:
    for turned in permutations((asking(ALICE), playing(BOB, "a1"))):
        match = begin(world)
        play(world, match, ALICE, "c3")
        results = at_once(world, *(deed(world, match) for deed in turned))
        asked = not any(isinstance(result, Refusal) for result in results)
        check(world)
        offers = [one for one in Books(world.everything_stored()).table("offers") if one["match_id"] == match]
        assert [offer["state"] for offer in offers] == ([OfferState.LAPSED] if asked else [])
        assert match_of(world, match).ply == 2


def test_an_offer_withdrawn_before_it_could_be_posted_is_never_posted(world: World) -> None:
    match = begin(world)
    world.run(offering(ALICE)(world, match))
    world.run(answering(ALICE, Answer.WITHDRAW)(world, match))
    check(world)
    assert world.board.posted_with("offer:accept:1") == []


def test_a_draw_and_a_take_back_may_be_on_offer_side_by_side(world: World) -> None:
    match = takeback_asked(world)
    world.run(offering(BOB)(world, match))
    check(world)
    world.run(answering(BOB, Answer.ACCEPT)(world, match))
    check(world)
    assert match_of(world, match).movers[0].person == ALICE
    agreed = world.services.agreements.answer(GUILD, 2, ALICE, world.interaction(), Answer.ACCEPT)
    world.run(agreed)
    check(world)
    assert match_of(world, match).reason == "agreement"


def test_a_move_taken_back_may_be_played_again_and_taken_back_again(world: World) -> None:
    match = begin(world)
    for number in range(1, 4):
        play(world, match, ALICE, "c3")
        world.run(asking(ALICE)(world, match))
        answer = world.services.agreements.answer(GUILD, number, BOB, world.interaction(), Answer.ACCEPT)
        world.run(answer)
        check(world)
    assert match_of(world, match).ply == 6
    assert match_of(world, match).movers[0].person == ALICE
