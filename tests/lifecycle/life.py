"""The steps in the life of many matches: each tries an action and checks its outcome.

Knows nothing of how the steps are drawn.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Awaitable, Iterable, Sequence
from datetime import datetime, timedelta
from enum import Enum, auto
from pathlib import Path
from typing import Any, ClassVar

from hypothesis.stateful import MultipleResults, RuleBasedStateMachine, multiple
from sqlalchemy import select

from bot.matches.downtime import LIVE_BEAT
from bot.matches.model.refusals import Refusal
from bot.storage import guilds, running_clocks
from bot.storage.tables import matches
from tests.lifecycle.actions import Action, Outcome, Plan
from tests.lifecycle.fake_discord import Trouble
from tests.lifecycle.harness import Harness
from tests.lifecycle.invariants import Invariants
from tests.lifecycle.world import Interaction, Kind, Ref, World

_RUNNING_CLOCKS = select(matches.c.id, matches.c.deadline_at).where(running_clocks.of_all())


class BotEnd(Enum):
    """How the bot comes to its end."""

    STOPPED = auto()
    KILLED = auto()
    KILLED_WHILE_SENDING = auto()
    """While a call to Discord is on its way that never gets there."""
    KILLED_AFTER_SENDING = auto()
    """While it waits for the answer to a call that Discord has carried out."""


class MatchesMachine(RuleBasedStateMachine):
    """A bot, its world, and the steps that the rules are made of."""

    template: ClassVar[Path]
    tally: ClassVar[Counter[str]]
    starts: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        self.harness = self.begun()
        self.world = World(self.harness)
        self.named: dict[Kind, list[Ref]] = {kind: [] for kind in Kind}
        """The objects in the bundles."""
        self.harness.start()

    def begun(self) -> Harness:
        """Return the harness of this life."""
        self.folder = tempfile.TemporaryDirectory(dir=self.template.parent)
        return Harness(self.template, Path(self.folder.name))

    def teardown(self) -> None:
        """Send all messages that are left, and close."""
        try:
            self.deliver()
        finally:
            type(self).starts += self.harness.starts
            self.harness.close()
            self.ended()

    def ended(self) -> None:
        """Clean the harness of this life up."""
        self.folder.cleanup()

    def attempt(self, action: Action) -> None:
        """Carry an action out, and check that it was done or refused as it must be."""
        self._carry_out(action, self.plan(action), Interaction(self.harness.interaction()))

    def creating(self, kind: Kind, action: Action) -> MultipleResults[Ref]:
        """Carry an action out, and return the objects of a kind that it has created."""
        before = self.world.refs(kind)
        self.attempt(action)
        return self.name(ref for ref in self.world.refs(kind) if ref not in before)

    def name(self, refs: Iterable[Ref]) -> MultipleResults[Ref]:
        """Return challenges, matches or offers for their bundle."""
        found = list(refs)
        for ref in found:
            self.named[ref.kind].append(ref)
        return multiple(*found)

    def nameless(self, kind: Kind) -> list[Ref]:
        """Return the open objects that are in no bundle."""
        return [ref for ref in self.world.refs(kind) if ref not in self.named[kind] and ref.is_open]

    def attempt_twice(self, action: Action) -> None:
        """Have the same interaction delivered again after it was carried out."""
        plan, interaction = self.plan(action), Interaction(self.harness.interaction())
        if plan is None:
            return
        self._carry_out(action, plan, interaction)
        before = self.harness.everything_stored()
        self.harness.run(_refusal(plan.call(interaction)))
        if not action.repeatable:
            assert self.harness.everything_stored() == before, f"{action} was carried out twice"

    def attempt_from(self, guild_id: int, action: Action) -> None:
        """Try an action from another server: it must be refused."""
        plan = self.plan(action)
        if plan is not None:
            interaction = Interaction(self.harness.interaction(), guild_id)
            self._carry_out(action, Plan(plan.call, Outcome.REFUSED), interaction)

    def attempt_at_once(self, attempts: Sequence[tuple[Action, Interaction]]) -> None:
        """Try several actions at the same moment; each may be refused."""
        plans = [(self.plan(action), interaction) for action, interaction in attempts]
        calls = [plan.call(interaction) for plan, interaction in plans if plan is not None]

        async def together() -> list[Any]:
            return await asyncio.gather(*calls, return_exceptions=True)

        for result in self.harness.run(together()):
            assert not isinstance(result, BaseException) or isinstance(result, Refusal), repr(result)
        self.tally["at once"] += len(calls)

    def begin(self, action: Action, iterations: int) -> None:
        """Begin an action, and leave it after so many iterations of the event loop."""
        plan = self.plan(action)

        async def begun() -> None:
            if plan is not None:
                pending = asyncio.ensure_future(plan.call(Interaction(self.harness.interaction())))
                pending.add_done_callback(_check_done)
            await self.harness.lapse(iterations)

        self.harness.run(begun())

    def end(self, how: BotEnd, downtime: timedelta) -> None:
        """End the bot and start it again later; no clock counts the time between."""
        if how in (BotEnd.KILLED_WHILE_SENDING, BotEnd.KILLED_AFTER_SENDING):
            trouble = Trouble.STALLS_BEFORE if how is BotEnd.KILLED_WHILE_SENDING else Trouble.STALLS_AFTER
            self.harness.discord.trouble.append(trouble)
            self.harness.deliver_until_stalled()
        if how is BotEnd.STOPPED:
            self.harness.stop()
        else:
            self.harness.kill()
        last, before = self.harness.run(self._clocks())
        self.harness.now += downtime
        gap = self.harness.now - last
        self.harness.run(self.harness.downtime.credit_downtime())
        credited = gap if gap > LIVE_BEAT else timedelta(0)
        assert self.deadlines() == {match_id: deadline + credited for match_id, deadline in before.items()}
        self.harness.keep_time()

    def deadlines(self) -> dict[int, datetime]:
        """Return the deadline of every running clock."""
        return self.harness.run(self._clocks())[1]

    def let_computers_move(self) -> None:
        """Have computer players take their turns until none is theirs any more."""
        self.harness.run(self.harness.let_computers_move())

    def deliver(self) -> None:
        """Send everything there is to send, and check what was posted; a board follows when computers have moved."""
        self.let_computers_move()
        self.harness.deliver()
        Invariants(self.harness.everything_stored()).check_posted(self.harness.discord, self.world.posted_again)

    def plan(self, action: Action) -> Plan | None:
        """Return an action for the rows that are stored now."""
        return self.harness.run(action.plan(self.world))

    def _carry_out(self, action: Action, plan: Plan | None, interaction: Interaction) -> None:
        if plan is None:
            return
        before = self.harness.everything_stored()
        refusal = self.harness.run(_refusal(plan.call(interaction)))
        if refusal is None:
            assert plan.outcome is not Outcome.REFUSED, f"{action} was not refused"
        else:
            assert plan.outcome is not Outcome.WORKS, f"{action} was refused: {refusal}"
            traceless = self.harness.everything_stored() == before or str(refusal).startswith("Your time ran out")
            assert traceless, f"{action} was refused and left a trace: {refusal}"
        kind = str(getattr(action, "act", type(action).__name__))
        self.tally[kind if refusal is None else f"{kind} refused"] += 1

    async def _clocks(self) -> tuple[datetime, dict[int, datetime]]:
        async with self.harness.database.write() as tx:
            last, running = await guilds.last_heartbeat(tx), await tx.execute(_RUNNING_CLOCKS)
        assert last is not None
        return last, {match.id: match.deadline_at for match in running}


async def _refusal(action: Awaitable[Any]) -> Refusal | None:
    """Do something; return why it was refused, if it was."""
    try:
        await action
    except Refusal as refusal:
        return refusal
    return None


def _check_done(done: asyncio.Future[Any]) -> None:
    """Check an action that ended after all, with any outcome."""
    assert done.cancelled() or done.exception() is None or isinstance(done.exception(), Refusal)
