"""An answer is lost in a crash: a person who presses again reads that it is done, and nothing is done twice."""

from __future__ import annotations

import pytest

from tests.lifecycle.controls import ACTING, Case, custom_id, situation
from tests.lifecycle.situations import idle, time_up
from tests.lifecycle.test_controls import all_told, happened, marked, private
from tests.support.acting import pressed, text_of
from tests.support.sampled import each, sampled_together
from tests.support.simulated_discord import SimulatedDiscord, in_new_server

pytestmark = pytest.mark.own_bot

SAID = {
    "ask:draw after accepted": "You've already asked.",
    "ask:takeback after first_move": "You've already asked.",
    "b-choose after accepted": "You played **c3**.",
    "b-pick after accepted": "You played **c3**.",
    "b-play after accepted": "You played **c3**.",
    "b-post after accepted": "You played **c3**.",
    "b-setup after set_up": "Your set-up is open again.",
    "challenge:accept after challenged": "already been accepted",
    "challenge:accept after lobby": "You already have a seat.",
    "challenge:cancel after challenged": "This challenge was cancelled.",
    "challenge:decline after challenged": "This challenge was declined.",
    "challenge:leave after bob_joined": "You have no seat in this challenge.",
    "challenge:start after bob_joined": "already been accepted",
    "claim after time_up": "You won.",
    "close-answer:yes after idle": "The match is closed.",
    "computers:play after open_challenge": "already been accepted",
    "computers:seat after lobby": "The seats have changed since.",
    "computers:unseat after computer_seated": "The seats have changed since.",
    "cup-close:yes after cup_managed": "This cup has ended.",
    "cup-remove:yes after cup_managed": "They are not in this cup.",
    "cup-withdraw:yes after cup_running": "You are not in this cup.",
    "cup:again after cup_over": "Somebody has already started another one",
    "cup:begin after cup_with_enough": "This cup has already begun.",
    "cup:cancel after cup_open": "This cup has ended.",
    "cup:join after cup_open": "You have already joined this cup.",
    "cup:leave after cup_joined": "You are not in this cup.",
    "draw:yes after against_computer": "You've already offered a draw.",
    "offer:accept after draw_offered": "That's already been agreed.",
    "offer:accept after takeback_asked": "That's already been agreed.",
    "offer:decline after draw_offered": "That was declined.",
    "offer:decline after takeback_asked": "That was declined.",
    "offer:withdraw after draw_offered": "That was withdrawn.",
    "privacy:erase after first_move": "Everything about you has been deleted.",
    "post:close after idle": "The match is closed.",
    "post:draw after accepted": "You've already asked.",
    "post:resign after accepted": "You have resigned.",
    "post:takeback after first_move": "You've already asked.",
    "rematch after over": "You've already asked for a rematch.",
    "rematch after rematch_offered": "There has already been a rematch",
    "resign:yes after accepted": "You have resigned.",
    "void:yes after managed": "This match was voided already.",
}
"""The answers to a second press, by the case."""
AGAIN = [case for case in ACTING if not case.begins]
"""Those that begin something new each time are left out."""


def test_every_control_that_writes_is_in_the_table() -> None:
    left_out = {str(case) for case in AGAIN} - SAID.keys()
    assert {name.split(":")[0].split()[0] for name in left_out} <= {"p-play", "p-choose", "puzzle", "next-puzzle"}
    assert SAID.keys() <= {str(case) for case in AGAIN}


@pytest.mark.parametrize("cases", sampled_together([case for case in AGAIN if str(case) in SAID], situation, every=10))
async def test_what_is_stored_is_said_when_it_is_asked_for_again(
    sim: SimulatedDiscord, cases: tuple[Case, ...]
) -> None:
    done: dict[Case, tuple[SimulatedDiscord, str]] = {}

    async def is_done(case: Case) -> None:
        there = await in_new_server(sim)
        await case.before(there)
        wanted, person = await custom_id(there, case), getattr(there, case.who)
        await pressed(there, person, await private(person, there.channel), wanted, case.choice)
        done[case] = there, wanted

    async def is_told(case: Case) -> None:
        there, wanted = done[case]
        person = getattr(there, case.who)
        message, since = await private(person, there.channel), await marked(there)
        before, words = await happened(there, since), text_of(message.message)
        said = all_told(await pressed(there, person, message, wanted, case.choice), message, words)
        assert SAID[str(case)] in said
        assert await happened(there, since) == before

    # What moves the time comes first: it would end what others have begun.
    await each(sorted(cases, key=lambda case: case.before not in (idle, time_up)), is_done)
    await sim.restart()
    await each(cases, is_told)
