"""Scenarios in which the bot dies: the acts of people before, the one act under way, and how they go on afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from tests.crash.parts import (
    Part,
    ask_to_delete,
    begun_outside,
    bob_plans,
    challenge,
    challenge_the_bot,
    choose_third_move,
    chooses,
    cup_again,
    first_rectangle,
    hours_pass,
    joins_cup,
    lobby,
    nothing,
    one_by_one,
    one_day_a_move,
    outside,
    played,
    plays,
    plays_on_page,
    preferences,
    presses,
    rematch_taken,
    resigns_in_cup,
    review,
    start_cup,
    unless,
    until,
    without_grace,
)
from tests.support.acting import FINISHED


@dataclass(frozen=True, slots=True)
class Scenario:
    """``before`` nothing goes wrong; ``action`` is what the bot dies of, and is tried again; ``after`` life goes on."""

    name: str
    before: Part
    action: Part
    after: Part
    page: bool = False
    """Whether the bot serves the board page."""


PLAY_IT = presses("alice", "Play it")
THIRD_BUILT = one_by_one(choose_third_move, PLAY_IT)
MORE = one_by_one(played(2), presses("bob", "More"))
OFFER_DRAW = unless("alice", "Accept", presses("bob", "Offer a draw"))
TAKE_BACK = presses("bob", "Ask to take back")
AGREE = presses("alice", "Accept")
DRAW_OFFERED = one_by_one(MORE, OFFER_DRAW)
ASKED_TO_RESIGN, RESIGN = one_by_one(MORE, presses("bob", "Resign")), presses("bob", "Yes, resign")
ASK_REMATCH = presses("bob", "Rematch")
REMATCH = one_by_one(ASK_REMATCH, presses("alice", "Rematch"), plays("bob", "c3", 2))
UNTIL_LATE = one_by_one(*[unless("bob", "Claim", hours_pass)] * 10)
"""The time of Alice's third move is up: reminded first, late then."""
TO_THE_REMINDER = until("your time in")
UNTIL_OVER = one_by_one(*[unless("bob", "Rematch", hours_pass)] * 10)
REMINDED = one_by_one(one_day_a_move, TO_THE_REMINDER, choose_third_move)
CLAIM = presses("bob", "Claim")
ACCEPT, FIRST = presses("bob", "Accept", None), plays("alice", "a1")
JOIN, LEAVE, START = presses("bob", "Join", None), presses("bob", "Leave", None), presses("alice", "Start", None)
CAROL_JOINS = presses("carol", "Join", None)
JOINED = one_by_one(lobby, JOIN)
CUP_BEGUN = one_by_one(start_cup, joins_cup("bob", "carol"))
CUP_ALL_BUT_ONE = one_by_one(CUP_BEGUN, *map(resigns_in_cup, range(1, 6)))
PLAY_OUTSIDE = outside(presses("alice", "Play it", None))
ANSWER_OUTSIDE = outside(plays("bob", "a5", None))

SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        Scenario("a challenge", nothing, challenge, one_by_one(ACCEPT, FIRST)),
        Scenario("its acceptance", challenge, ACCEPT, FIRST),
        Scenario("a move", one_by_one(played(2), chooses("alice", "b1")), PLAY_IT, plays("bob", "b5")),
        Scenario(
            "a move that a plan answers",
            one_by_one(played(2), bob_plans, chooses("alice", "b1")),
            PLAY_IT,
            one_by_one(plays("alice", "c1"), plays("alice", "e2")),
        ),
        Scenario(
            "a move on the page", played(2), plays_on_page("alice", "b1", UUID(int=1)), plays("bob", "b5"), page=True
        ),
        Scenario(
            "the last move",
            one_by_one(played(len(FINISHED) - 1), chooses("alice", FINISHED[-1])),
            PLAY_IT,
            REMATCH,
        ),
        Scenario("a resignation", ASKED_TO_RESIGN, RESIGN, REMATCH),
        Scenario("a rematch", one_by_one(ASKED_TO_RESIGN, RESIGN, ASK_REMATCH), rematch_taken, plays("bob", "a1", 2)),
        Scenario(
            "a move in a group",
            outside(one_by_one(begun_outside, chooses("alice", "a1", None))),
            PLAY_OUTSIDE,
            ANSWER_OUTSIDE,
        ),
        Scenario("a challenge called off", challenge, presses("alice", "Cancel", None), nothing),
        Scenario("the offer of a draw", MORE, OFFER_DRAW, AGREE),
        Scenario("an agreed draw", DRAW_OFFERED, AGREE, REMATCH),
        Scenario("a move taken back", one_by_one(MORE, TAKE_BACK), AGREE, plays("bob", "c3")),
        Scenario("time running out", without_grace(automatic=False), UNTIL_LATE, THIRD_BUILT),
        Scenario("a day away given", one_day_a_move, until("one of their days away was used"), THIRD_BUILT),
        Scenario("a reminder", one_day_a_move, TO_THE_REMINDER, THIRD_BUILT),
        Scenario("a move after a reminder", REMINDED, PLAY_IT, plays("bob", "b5")),
        Scenario("a claim", one_by_one(without_grace(automatic=False), UNTIL_LATE), CLAIM, REMATCH),
        Scenario("an end by the clock", without_grace(automatic=True), UNTIL_OVER, REMATCH),
        Scenario("a seat taken", lobby, JOIN, one_by_one(CAROL_JOINS, first_rectangle)),
        Scenario("a seat given back", JOINED, LEAVE, one_by_one(CAROL_JOINS, START, first_rectangle)),
        Scenario("a lobby that starts", JOINED, START, first_rectangle),
        Scenario("a request to take back", MORE, unless("alice", "Accept", TAKE_BACK), AGREE),
        Scenario("an offer declined", DRAW_OFFERED, presses("alice", "Decline"), THIRD_BUILT),
        Scenario("an offer withdrawn", DRAW_OFFERED, presses("bob", "Withdraw"), THIRD_BUILT),
        Scenario("preferences", MORE, preferences, THIRD_BUILT),
        Scenario(
            "a move against the bot",
            one_by_one(challenge_the_bot, chooses("alice", "c3")),
            PLAY_IT,
            plays("alice", "e5"),
        ),
        Scenario("a review", played(len(FINISHED)), review, REMATCH),
        Scenario("a cup", nothing, start_cup, joins_cup("bob")),
        Scenario("a cup that begins", one_by_one(start_cup, joins_cup("bob")), joins_cup("carol"), resigns_in_cup(1)),
        Scenario("a result in a cup", CUP_BEGUN, resigns_in_cup(2), one_by_one(hours_pass, resigns_in_cup(1))),
        Scenario("the last match of a cup", CUP_ALL_BUT_ONE, resigns_in_cup(6), cup_again),
        Scenario(
            "a cup started again",
            one_by_one(CUP_ALL_BUT_ONE, resigns_in_cup(6)),
            cup_again,
            presses("carol", "Join", None),
        ),
        Scenario(
            "everything deleted",
            one_by_one(played(2), ask_to_delete),
            presses("alice", "Delete everything"),
            ASK_REMATCH,
        ),
    )
}
