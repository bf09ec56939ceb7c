"""However many calls are made by however many, and refused however: never so many that Discord bans the bot."""

from __future__ import annotations

import asyncio
import random

import pytest

from bot.calls.invalid_responses import HELD, LEAST, LIMIT, MOST, PAUSE, WINDOW, Allowance, HeldBack, Window
from tests.support.waiting import PATIENCE

BANNED = 10_000
"""Invalid answers within ten minutes that get a bot banned."""


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def refused(allowance: Allowance, calls: int) -> int:
    """Make calls that are refused, one after the other; return how many were made."""
    for made in range(calls):
        try:
            await allowance.reserve()
        except HeldBack:
            return made
        allowance.release(invalid=True)
    return calls


async def test_a_token_that_was_revoked_is_called_with_half_as_often_as_gets_one_banned(clock: Clock) -> None:
    allowance = Allowance(Window(clock).draw, 1, clock)
    assert await refused(allowance, BANNED) == LIMIT
    for _ in range(WINDOW // int(PAUSE) - 1):
        clock.now += PAUSE
        assert await refused(allowance, BANNED) == 0
    clock.now += PAUSE + 1
    assert await refused(allowance, BANNED) == LIMIT


async def test_answers_that_are_valid_cost_nothing() -> None:
    drawn = 0

    async def draw(wanted: int) -> int:
        nonlocal drawn
        drawn += wanted
        return wanted

    allowance = Allowance(draw)
    for _ in range(10_000):
        await allowance.reserve()
        allowance.release(invalid=False)
    assert drawn <= 20


async def test_no_more_calls_are_under_way_than_may_be_refused(clock: Clock) -> None:
    allowance = Allowance(Window(clock).draw, 1, clock)
    for _ in range(MOST):
        await allowance.reserve()
    waiting = [asyncio.create_task(allowance.reserve()) for _ in range(3)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    allowance.release(invalid=False)
    allowance.release(invalid=True)
    allowance.release(invalid=False)
    await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE)


async def test_where_nothing_is_to_be_had_that_is_not_asked_again_and_again(clock: Clock) -> None:
    asked = 0

    async def nothing(_wanted: int) -> int:
        nonlocal asked
        asked += 1
        return 0

    allowance = Allowance(nothing, 1, clock)
    for _ in range(20):
        assert await refused(allowance, 1) == 0
    assert asked == 1
    clock.now += PAUSE
    assert await refused(allowance, 1) == 0
    assert asked == 2


@pytest.mark.parametrize("number", [1, 4, 200])
async def test_many_processes_that_begin_anew_and_are_refused_at_random_stay_far_from_the_ban(
    number: int, clock: Clock
) -> None:
    rng, window = random.Random(number), Window(clock)
    held = number * max(LEAST, min(MOST, HELD // number))
    allowances = [Allowance(window.draw, number, clock) for _ in range(number)]
    times: list[float] = []
    for _ in range(400):
        clock.now += rng.uniform(0, 30)
        at = rng.randrange(number)
        if rng.random() < 0.05:
            allowances[at] = Allowance(window.draw, number, clock)
        made = await refused(allowances[at], rng.choice([1, 50, 3000]))
        times += [clock.now] * made
    most = max(sum(first <= at < first + WINDOW for at in times) for first in set(times))
    assert LIMIT // 2 < most <= LIMIT + held < BANNED
