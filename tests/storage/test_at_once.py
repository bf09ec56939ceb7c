"""Many bots on one PostgreSQL database do the same at the same moment, and every limit holds."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from itertools import count

import pytest
from sqlalchemy import func, select

from bot.games import GAMES
from bot.matches.audit import audit
from bot.matches.model.refusals import Refusal
from bot.matches.service_context import PlayLimits, never_gone
from bot.matches.services.eligibility import Terms
from bot.storage import absences, challenges, match_lists
from bot.storage.records import ChallengeState, First, MatchState, Person
from bot.storage.tables import absences as absence_table
from bot.storage.tables import challenges as challenge_table
from bot.storage.tables import ladder_matches
from bot.storage.tables import matches as match_table
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd, crowd_at
from tests.support.postgresql import needs_postgresql

pytestmark = [needs_postgresql, pytest.mark.slow, pytest.mark.timeout(600)]

BOTS = 8
LIMITS = PlayLimits()
SEVERAL = Terms("rectangles", GAMES["rectangles"].variants[0].key, 4, First.CHALLENGER)
TIMED = Terms("yonmoque", "standard", 2, First.CHALLENGER, pace=86400)
DAVE = Person(4, "Dave")
ABSENCE = timedelta(days=15)
IN_LADDER = 6


@dataclass(frozen=True, slots=True)
class Ready:
    """What the bots act on: matches by what becomes of them, and challenges by who takes them up."""

    over: int
    to_end: list[int]
    timed: int
    for_everybody: int
    lobby: int
    for_dave: list[int]


async def prepared(crowd: Crowd) -> Ready:
    lobby = await crowd.offer(by=CAROL, terms=SEVERAL)
    for person in (ALICE, BOB):
        await crowd.services.challenges.accept(crowd.actor(person), lobby)
    over = await crowd.begin(by=ALICE, to=BOB)
    await crowd.resign(over, ALICE)
    for at in range(IN_LADDER):
        await crowd.services.ladders.join(crowd.actor(Person(70 + at, "Climber")), None, None)
    trio = (ALICE, BOB, CAROL)
    return Ready(
        over=over,
        to_end=[await crowd.begin(by=trio[at % 3], to=trio[(at + 1) % 3]) for at in range(9)],
        timed=await crowd.begin(by=CAROL, to=Person(60, "Host"), terms=TIMED),
        for_everybody=await crowd.offer(by=CAROL),
        lobby=lobby,
        for_dave=[await crowd.offer(by=Person(50 + at, "Host")) for at in range(LIMITS.matches + BOTS)],
    )


def accepted(crowd: Crowd, person: Person, challenge_id: int) -> Awaitable[object]:
    return crowd.services.challenges.accept(crowd.actor(person), challenge_id)


def taken_up(crowd: Crowd, bot: int, ready: Ready) -> list[Awaitable[object]]:
    people = [Person(100 + 10 * bot + at, "Somebody") for at in range(2)]
    return [accepted(crowd, person, one) for one in (ready.for_everybody, ready.lobby) for person in people]


def resigned(crowd: Crowd, bot: int, ready: Ready) -> list[Awaitable[object]]:
    losers = (ALICE, BOB, CAROL)
    return [crowd.resign(one, losers[at % 3]) for at, one in enumerate(ready.to_end) if (at + bot) % 2]


ACTS: tuple[Callable[[Crowd, int, Ready], list[Awaitable[object]]], ...] = (
    lambda crowd, _, __: [crowd.offer(by=ALICE) for _ in range(4)],
    taken_up,
    lambda crowd, bot, ready: [accepted(crowd, DAVE, one) for one in ready.for_dave[bot::BOTS]],
    resigned,
    lambda crowd, _, __: [crowd.services.absences.leave_until(CAROL.id, crowd.now + ABSENCE) for _ in range(2)],
    lambda crowd, bot, ready: [
        crowd.services.rematches.ask(crowd.actor((ALICE, BOB)[bot % 2]), ready.over) for _ in range(2)
    ],
    lambda crowd, _, __: [
        crowd.services.challenges.offer(crowd.actor(BOB, interaction_id=77), None, TIMED) for _ in range(2)
    ],
    lambda crowd, _, __: [crowd.services.ladders.pair(GUILD, crowd.now, never_gone) for _ in range(2)],
)
"""What every bot does at the same moment, one after the other."""


async def test_every_limit_holds_though_many_bots_try_it_at_once(server: str) -> None:
    async with AsyncExitStack() as stack:
        crowds = [await stack.enter_async_context(crowd_at(server, new=False)) for _ in range(BOTS)]
        for number, one in enumerate(crowds, 1):
            one._interactions = count(10**6 * number)
            one.open(LIMITS)
        crowd = crowds[0]
        ready = await prepared(crowd)
        before = (await crowd.match(ready.timed)).deadline_at
        for act in ACTS:
            tried = [work for number, one in enumerate(crowds) for work in act(one, number, ready)]
            results = await asyncio.gather(*tried, return_exceptions=True)
            assert not [one for one in results if isinstance(one, Exception) and not isinstance(one, Refusal)]

        async with crowd.database.read() as tx:

            async def counted(*where: object) -> int:
                return int((await tx.execute(select(func.count()).where(*where))).scalar_one())  # type: ignore[arg-type]

            # Ten open challenges at a time, fifty running matches, one acceptance, one last place.
            assert await challenges.open_of(tx, GUILD, ALICE.id) == LIMITS.challenges
            assert await match_lists.running_count(tx, GUILD, DAVE.id) == LIMITS.matches
            taken, lobby = [await challenges.get(tx, one) for one in (ready.for_everybody, ready.lobby)]
            assert taken is not None
            assert lobby is not None
            assert (taken.state, len(taken.joined)) == (ChallengeState.STARTED, 2)
            assert (lobby.state, len(lobby.joined)) == (ChallengeState.STARTED, 4)
            # One absence, which stops the clock once; one rematch; one challenge from an interaction sent often.
            away = await absences.since(tx, CAROL.id, crowd.now)
            assert [absence.ends_at for absence in away] == [crowd.now + ABSENCE]
            assert await counted(absence_table.c.ends_at > crowd.now) == 1
            assert await counted(challenge_table.c.rematch_of == ready.over) == 1
            assert await counted(challenge_table.c.challenger_id == BOB.id, challenge_table.c.pace.is_not(None)) == 1
            assert await counted(ladder_matches.c.guild_id == GUILD) == IN_LADDER / 2
            assert await counted(match_table.c.state == MatchState.OVER) == 10
        assert (await crowd.match(ready.timed)).deadline_at == (before or crowd.now) + ABSENCE
        # The ratings follow from the results in their order.
        assert await audit(crowd.database) == []
