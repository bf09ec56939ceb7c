"""The time of other people's moves while one person asks for heavy work as fast as the bot lets them.

The aim is half a second at the 99th percentile. Nothing asserts it here: ``tests/lifecycle/test_floods.py`` holds the
heavy work up and looks at the order of things. Run with ``--benchmark-enable --benchmark-only`` and read the figures,
in milliseconds, under ``extra_info``.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from bot.games import GAMES
from tests.benchmarks.crowd import Crowd, Stopwatch, Turn
from tests.benchmarks.crowd_measuring import note, opened
from tests.benchmarks.lag import Lag
from tests.support.crowds.matches import standing_at

LONG = 8
"""Long matches to be replayed, one after the other, so that it does not help to have made a replay before."""
CROWDED = "./...2../..31../3...2./..3..2/.21.../1...31/. S 0 - -"
"""A position of Gygès, classic, in which many pieces can bounce off many others."""
BURST, RATE = 60, 20
"""Requests of the attacker at once, and in each second after that."""

Attack = Callable[[Crowd, int, int], Awaitable[object]]
"""Sends the n-th request of an attack, given the first of the matches that are attacked."""


async def _replays(crowd: Crowd, first: int, number: int) -> object:
    return await crowd.visitor.slash(crowd.channel, "match replay", match=first + number % LONG)


async def _profiles(crowd: Crowd, first: int, number: int) -> object:
    person = list(crowd.people.values())[number % len(crowd.people)]
    return await crowd.visitor.slash(crowd.channel, "profile", person=person)


async def _leaderboards(crowd: Crowd, first: int, number: int) -> object:
    game, by = [*GAMES, "all"][number % 6], ("rating", "month")[number % 2]
    return await crowd.visitor.slash(crowd.channel, "leaderboard", game=game, by=by)


async def _rules(crowd: Crowd, first: int, number: int) -> object:
    return await crowd.visitor.slash(crowd.channel, "rules", game=list(GAMES)[number % 5])


async def _exports(crowd: Crowd, first: int, number: int) -> object:
    return await next(iter(crowd.people.values())).slash(crowd.channel, "privacy export")


async def _suggestions(crowd: Crowd, first: int, number: int) -> object:
    turn = await crowd.turn(first + LONG)
    return await turn.mover.autocomplete(turn.place, "move", "move", f"{'abcdef'[number % 6]}{number}")


ATTACKS: dict[str, Attack | None] = {
    "nobody": None,
    "/match replay": _replays,
    "suggestions in a crowded position": _suggestions,
    "/profile": _profiles,
    "/leaderboard": _leaderboards,
    "/rules": _rules,
    "/privacy export": _exports,
}


async def _attack(crowd: Crowd, attack: Attack | None, first: int, door: asyncio.Lock) -> None:
    """Send a burst, and then request after request until cancelled; the simulation takes one at a time."""
    for number in count():
        if attack is None:
            return
        async with door:
            await attack(crowd, first, number)
        if number >= BURST:
            await asyncio.sleep(1 / RATE)


async def _moves(turns: Sequence[Turn], watch: Stopwatch, door: asyncio.Lock) -> list[float]:
    """Have moves made, and return the seconds until the board of each is on its way."""
    for turn in turns:
        async with door:
            await turn.mover.slash(turn.place, "move", move=turn.move)
        await watch.posted_in(turn.place.id)
        await asyncio.sleep(0.1)
    return [watch.posted[turn.place.id] - watch.clicked[turn.place.id] for turn in turns]


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.timeout(900)
def test_moves_while_one_person_asks_for_what_is_heavy(benchmark: BenchmarkFixture, tmp_path: Path, name: str) -> None:
    matches, moves, late = (60, 50, 290) if benchmark.enabled else (6, 2, 60)
    wanted = [standing_at("redo", "standard", late) for _ in range(LONG)] + [standing_at("gyges", "classic", 10)]
    waits: list[float] = []
    lag = Lag()
    with opened(tmp_path, matches, *wanted, picture_workers=2) as (runner, crowd):

        async def prepared() -> tuple[int, list[Turn]]:
            watched = await crowd.watched()
            first, gyges = watched[0], watched[LONG]
            known = crowd.bot.context.services.queries._game_states
            shown = await crowd.match_view(gyges)
            known.remember(gyges, replace(shown.game_state, position=GAMES["gyges"].decode(f"classic {CROWDED}")))
            attackers = {(await crowd.turn(gyges)).mover.id, next(iter(crowd.people))}
            turns = [await crowd.turn(number) for number in watched[LONG + 1 :]]
            return first, [turn for turn in turns if turn.mover.id not in attackers][:moves]

        async def attacked(first: int, turns: list[Turn]) -> None:
            door = asyncio.Lock()
            with crowd.timed() as watch, lag.measured(asyncio.get_running_loop()):
                attacking = asyncio.create_task(_attack(crowd, ATTACKS[name], first, door))
                waits.extend(await _moves(turns, watch, door))
                attacking.cancel()
                await asyncio.gather(attacking, return_exceptions=True)

        # The simulation's clock stands still, with which an attacker would soon be refused everything for good.
        first, turns = runner.run(prepared())
        crowd.bot.context.rate_limit._given_clock = time.perf_counter
        benchmark.pedantic(lambda: runner.run(attacked(first, turns)), rounds=1)  # type: ignore[no-untyped-call]
    note(benchmark, "move", waits)
    note(benchmark, "lag", lag.seconds)
    assert len(waits) == len(turns)
