"""The whole life of many matches, played at random: whatever people, time and accidents do, the books stay in order.

``TAVOLIERE_LONG_LIFE=<minutes>`` goes on for that long.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

import pytest
import structlog
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from bot.matches.audit import audit
from bot.matches.refusals import Refusal
from bot.matches.timekeeper import FORGIVEN
from bot.storage.queries import guilds, matches
from tests.life.books import Books
from tests.life.deeds import DEEDS, GUILD, Deed, Outcome, People
from tests.life.pinboard import Trouble
from tests.life.world import World, empty_database

LONG = 60 * float(os.environ.get("TAVOLIERE_LONG_LIFE", "0"))
LIVES, STEPS = 15, 40
REPEATABLE = {"away", "back", "settle", "rename", "post_again"}
"""What may be done again by the same click: it has the same effect, or none that is kept."""

TIMES = st.one_of(
    st.integers(1, 3600).map(lambda seconds: timedelta(seconds=seconds)),
    st.integers(1, 30).map(lambda hours: timedelta(hours=hours)),
    st.integers(1, 9).map(lambda days: timedelta(days=days)),
)
TROUBLE = st.lists(st.sampled_from([Trouble.REFUSES, Trouble.FORGETS]), max_size=3)
ENDS = st.sampled_from(["in good order", "between two things", "while speaking", "after speaking", "while acting"])


class Life(RuleBasedStateMachine):
    """People, a clock, a Discord that fails, and a bot that dies."""

    template: ClassVar[Path]
    executor: ClassVar[ThreadPoolExecutor]
    tally: ClassVar[Counter[str]]
    lives: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.world = World(self.template, Path(self.folder.name), self.executor)
        self.people = People(self.world)
        self.world.start()

    @initialize(number=st.integers(1, 4), seed=st.integers(0, 2**16))
    def begin(self, number: int, seed: int) -> None:
        """Have some matches running from the start."""
        for at in range(number):
            self._do(Deed("offer", at % 5, 0, seed + 37 * at))
            self._do(Deed("accept", (at + 1) % 5, at, seed | 1))

    @rule(deeds=st.lists(DEEDS, min_size=1, max_size=8))
    def do(self, deeds: list[Deed]) -> None:
        """People try something one after the other."""
        for deed in deeds:
            self._do(deed)

    @rule(which=st.integers(0, 11), how=st.integers(0, 2**16), number=st.integers(2, 9))
    def play_on(self, which: int, how: int, number: int) -> None:
        """A match goes on for some moves."""
        for at in range(number):
            self._do(Deed("move", 0, which, how + 7919 * at))

    @rule(deed=DEEDS)
    def be_delivered_twice(self, deed: Deed) -> None:
        """Discord delivers an interaction again after it was carried out."""
        call, number = self._do(deed)
        if call is not None:
            before = self.world.everything_stored()
            self.world.run(_refusal(call(number)))
            if deed.kind not in REPEATABLE:
                assert self.world.everything_stored() == before, f"{deed} was carried out twice"

    @rule(deeds=st.lists(DEEDS, min_size=2, max_size=4), same=st.booleans())
    def do_at_once(self, deeds: list[Deed], same: bool) -> None:
        """Several people, or one who is delivered several times, try something at the same moment."""
        plans = [self.world.run(self.people.plan(deed)) for deed in ([deeds[0]] * len(deeds) if same else deeds)]
        number = self.world.interaction()
        calls = [plan.call(number if same else self.world.interaction()) for plan in plans if plan is not None]

        async def together() -> list[Any]:
            return await asyncio.gather(*calls, return_exceptions=True)

        for result in self.world.run(together()):
            assert not isinstance(result, BaseException) or isinstance(result, Refusal), repr(result)
        self.tally["at once"] += len(calls)

    @rule(time=TIMES)
    def time_passes(self, time: timedelta) -> None:
        """Nobody does anything for a while; what falls due is done."""
        self.world.pass_time(time)
        self.tally["time"] += 1

    @rule(which=st.integers(0, 11), how=st.integers(0, 2**12), days=st.integers(1, 4))
    def the_late_are_claimed_from(self, which: int, how: int, days: int) -> None:
        """Some days pass, and somebody who waits for a move claims what he can."""
        self.world.pass_time(timedelta(days=days))
        self._do(Deed("claim", which % 5, which, 16 * how + 1))

    @rule(time=TIMES)
    def bot_is_sent_away(self, time: timedelta) -> None:
        """The bot is taken out of the server for a while: nothing falls due, and no time is lost."""
        _, before = self.world.run(self._clocks())
        self.world.run(self.world.services.presence.sent_away(GUILD))
        matches_before = Books(self.world.everything_stored()).table("matches")
        self.world.pass_time(time)
        assert Books(self.world.everything_stored()).table("matches") == matches_before
        self.world.run(self.world.services.presence.back(GUILD))
        _, after = self.world.run(self._clocks())
        assert after == {match_id: deadline + time for match_id, deadline in before.items()}
        self.tally["sent away"] += 1

    @rule(trouble=TROUBLE)
    def everything_is_said(self, trouble: list[Trouble]) -> None:
        """The courier serves all there is, though Discord may fail or lose its answers for a while."""
        self.world.board.trouble.extend(trouble)
        self._deliver()
        self.tally["delivery"] += 1

    @rule(how=ENDS, deed=DEEDS, breaths=st.integers(0, 40), downtime=TIMES)
    def bot_ends(self, how: str, deed: Deed, breaths: int, downtime: timedelta) -> None:
        """The bot stops or dies, and is started again later."""
        end = self.world.kill
        if how == "in good order":
            end = self.world.stop
        elif how == "while acting":
            self._begin(deed, breaths)
        elif how != "between two things":
            before = how == "while speaking"
            self.world.board.trouble.append(Trouble.STALLS_BEFORE if before else Trouble.STALLS_AFTER)
            self.world.deliver_until_stalled()
        self._end(end, downtime)
        self.tally[f"end {how}"] += 1

    @invariant()
    def books_are_in_order(self) -> None:
        """Everything that must be true at any moment."""
        Books(self.world.everything_stored()).check()
        assert self.world.run(audit(self.world.database)) == []

    def teardown(self) -> None:
        """Say what is left to be said, and leave."""
        try:
            self._deliver()
        finally:
            Life.lives += self.world.lives
            self.world.close()
            self.folder.cleanup()

    def _do(self, deed: Deed) -> tuple[Callable[[int], Awaitable[Any]] | None, int]:
        number = self.world.interaction()
        plan = self.world.run(self.people.plan(deed))
        if plan is None:
            return None, number
        before = self.world.everything_stored()
        refusal = self.world.run(_refusal(plan.call(number)))
        if refusal is None:
            assert plan.outcome is not Outcome.REFUSED, f"{deed} was not refused"
        else:
            assert plan.outcome is not Outcome.WORKS, f"{deed} was refused: {refusal}"
            traceless = self.world.everything_stored() == before or str(refusal).startswith("Your time was up")
            assert traceless, f"{deed} was refused and left a trace: {refusal}"
        self.tally[deed.kind if refusal is None else f"{deed.kind} refused"] += 1
        return plan.call, number

    def _begin(self, deed: Deed, breaths: int) -> None:
        """Have a deed begun and leave it there."""
        plan = self.world.run(self.people.plan(deed))

        async def begin() -> None:
            if plan is not None:
                under_way = asyncio.ensure_future(plan.call(self.world.interaction()))
                under_way.add_done_callback(_forget)
            for _ in range(breaths):
                await asyncio.sleep(0)

        self.world.run(begin())

    def _end(self, end: Callable[[], None], downtime: timedelta) -> None:
        """End a life and begin another; the time between belongs to nobody's clock."""
        end()
        last, before = self.world.run(self._clocks())
        self.world.now += downtime
        gap = self.world.now - last
        self.world.run(self.world.timekeeper.credit_downtime())
        _, after = self.world.run(self._clocks())
        credited = gap if gap > FORGIVEN else timedelta(0)
        assert after == {match_id: deadline + credited for match_id, deadline in before.items()}
        self.world.keep_time()

    async def _clocks(self) -> tuple[datetime, dict[int, datetime]]:
        async with self.world.database.read() as tx:
            last, running = await guilds.last_heartbeat(tx), await matches.with_clock(tx)
        assert last is not None
        return last, {match.id: match.deadline_at for match in running if match.deadline_at is not None}

    def _deliver(self) -> None:
        self.world.deliver()
        Books(self.world.everything_stored()).check_said(self.world.board, self.people.posted_again)


async def _refusal(deed: Awaitable[Any]) -> Refusal | None:
    """Do something; return why it was refused, if it was."""
    try:
        await deed
    except Refusal as refusal:
        return refusal
    return None


def _forget(done: asyncio.Future[Any]) -> None:
    """Take note of a deed that came to its end after all, whatever came of it."""
    assert done.cancelled() or done.exception() is None or isinstance(done.exception(), Refusal)


@pytest.mark.timeout(LONG + 600)
@pytest.mark.filterwarnings("ignore:The garbage collector is trying to clean up:sqlalchemy.exc.SAWarning")
def test_whatever_happens_the_books_stay_in_order(tmp_path: Path) -> None:
    Life.template, Life.tally = empty_database(tmp_path), Counter()
    chosen = settings(
        max_examples=LIVES, stateful_step_count=STEPS, deadline=None, suppress_health_check=list(HealthCheck)
    )
    began = time.monotonic()
    with ThreadPoolExecutor(2) as Life.executor, structlog.testing.capture_logs() as logged:
        while True:
            run_state_machine_as_test(Life, settings=chosen)
            failures = [line for line in logged if line["log_level"] in ("error", "critical")]
            assert not failures, failures[0]
            logged.clear()
            if time.monotonic() - began >= LONG:
                break
    took = time.monotonic() - began
    print(f"{Life.tally.total()} steps in {Life.lives} lives in {took:.0f} s: {dict(Life.tally.most_common())}")
