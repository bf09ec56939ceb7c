"""Processes that act on one database at the same moment, like several bots."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from itertools import count
from typing import Any

from bot.compute.queue import ComputeQueue
from bot.games import GAMES
from bot.matches.model.refusals import Refusal
from bot.matches.service_context import PlayLimits
from bot.matches.services.eligibility import Terms
from bot.storage.database import Database
from bot.storage.records import First, Person
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd
from tests.support.forkserver import forkserver

PROCESSES = 8
LIMITS = PlayLimits()
SEVERAL = Terms("rectangles", GAMES["rectangles"].variants[0].key, 4, First.CHALLENGER)
TIMED = Terms("yonmoque", "standard", 2, First.CHALLENGER, pace=86400)
DAVE = Person(4, "Dave")
ABSENCE = timedelta(days=15)
IN_LADDER = 6

Act = Callable[[Crowd, int, dict[str, Any]], list[Awaitable[object]]]
"""The work of one process, by its number, on the prepared rows."""


def _offers(crowd: Crowd, _process: int, _ready: dict[str, Any]) -> list[Awaitable[object]]:
    return [crowd.offer(by=ALICE) for _ in range(4)]


def _acceptances(crowd: Crowd, process: int, ready: dict[str, Any]) -> list[Awaitable[object]]:
    people = [Person(100 + 10 * process + at, "Somebody") for at in range(2)]
    return [
        crowd.services.challenges.accept(crowd.actor(person), challenge_id)
        for challenge_id in (ready["challenge"], ready["lobby"])
        for person in people
    ]


def _matches(crowd: Crowd, process: int, ready: dict[str, Any]) -> list[Awaitable[object]]:
    return [
        crowd.services.challenges.accept(crowd.actor(DAVE), challenge_id)
        for challenge_id in ready["for_dave"][process::PROCESSES]
    ]


def _resignations(crowd: Crowd, process: int, ready: dict[str, Any]) -> list[Awaitable[object]]:
    return [
        crowd.resign(match_id, (ALICE, BOB, CAROL)[at % 3])
        for at, match_id in enumerate(ready["to_end"])
        if (at + process) % 2
    ]


def _absences(crowd: Crowd, _process: int, _ready: dict[str, Any]) -> list[Awaitable[object]]:
    return [crowd.services.absences.leave_until(CAROL.id, crowd.now + ABSENCE) for _ in range(2)]


def _rematches(crowd: Crowd, process: int, ready: dict[str, Any]) -> list[Awaitable[object]]:
    return [crowd.services.rematches.ask(crowd.actor((ALICE, BOB)[process % 2]), ready["over"]) for _ in range(2)]


def _deliveries(crowd: Crowd, _process: int, _ready: dict[str, Any]) -> list[Awaitable[object]]:
    return [crowd.services.challenges.offer(crowd.actor(BOB, interaction_id=77), None, TIMED) for _ in range(2)]


def _ladders(crowd: Crowd, _process: int, _ready: dict[str, Any]) -> list[Awaitable[object]]:
    async def stays(_guild_id: int, _user_id: int) -> bool:
        return False

    return [crowd.services.ladders.pair(GUILD, crowd.now, stays) for _ in range(2)]


ACTS: dict[str, Act] = {
    "offers": _offers,
    "acceptances": _acceptances,
    "matches": _matches,
    "resignations": _resignations,
    "absences": _absences,
    "rematches": _rematches,
    "deliveries": _deliveries,
    "ladders": _ladders,
}


async def prepare(crowd: Crowd) -> dict[str, Any]:
    """Store the rows that the processes act on."""
    lobby = await crowd.offer(by=CAROL, terms=SEVERAL)
    for person in (ALICE, BOB):
        await crowd.services.challenges.accept(crowd.actor(person), lobby)
    over = await crowd.begin(by=ALICE, to=BOB)
    await crowd.resign(over, ALICE)
    for at in range(IN_LADDER):
        one = Person(70 + at, "Climber")
        await crowd.services.ladders.join(crowd.actor(one), None, None)
    trio = (ALICE, BOB, CAROL)
    return {
        "over": over,
        "challenge": await crowd.offer(by=CAROL),
        "lobby": lobby,
        "for_dave": [await crowd.offer(by=Person(50 + at, "Host")) for at in range(LIMITS.matches + PROCESSES)],
        "to_end": [await crowd.begin(by=trio[at % 3], to=trio[(at + 1) % 3]) for at in range(9)],
        "timed": await crowd.begin(by=CAROL, to=Person(60, "Host"), terms=TIMED),
    }


def hammer(url: str, ready: dict[str, Any]) -> list[str]:
    """Have several processes act at once, one kind of act after the other; return what went wrong unexpectedly."""
    barrier, failures = forkserver.Barrier(PROCESSES), forkserver.SimpleQueue()
    processes = [
        forkserver.Process(target=_act, args=(url, number, ready, barrier, failures), daemon=True)
        for number in range(PROCESSES)
    ]
    for process in processes:
        process.start()
    found: list[str] = []
    for _ in processes:
        found += failures.get()
    for process in processes:
        process.join()
    return found


def _act(url: str, number: int, ready: dict[str, Any], barrier: Any, failures: Any) -> None:
    try:
        failures.put(asyncio.run(_acted(url, number, ready, barrier)))
    except Exception as error:
        # Do not let the others wait for this one.
        barrier.abort()
        failures.put([f"process {number}: {error!r}"])


async def _acted(url: str, number: int, ready: dict[str, Any], barrier: Any) -> list[str]:
    database = Database(url)
    found: list[str] = []
    try:
        async with ComputeQueue() as queue:
            crowd = Crowd(database, queue)
            crowd._interactions = count(10**6 * (number + 1))
            crowd.open(LIMITS)
            for name, act in ACTS.items():
                await asyncio.to_thread(barrier.wait, 300)
                results = await asyncio.gather(*act(crowd, number, ready), return_exceptions=True)
                wrong = [
                    result for result in results if isinstance(result, Exception) and not isinstance(result, Refusal)
                ]
                found += [f"{name}: {result!r}" for result in wrong]
    finally:
        await database.close()
    return found
