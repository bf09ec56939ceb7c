"""The whole life of many matches, played at random: whatever people, time and accidents do, the invariants hold.

The same lives are lived in each run. ``TAVOLIERE_LONG_LIFE=<minutes>`` goes on with others for that long,
``TAVOLIERE_SEED=<number>`` begins with that seed.
"""

from __future__ import annotations

import os
import time
import warnings
from collections import Counter
from collections.abc import Collection
from datetime import timedelta
from itertools import count
from pathlib import Path
from random import SystemRandom
from typing import Any, ClassVar

import pytest
import structlog
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    MultipleResults,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy.exc import SAWarning

from bot.matches.audit import audit
from tests.lifecycle.actions import Action, Claim, OfferChallenge, OnChallenge, Play
from tests.lifecycle.fake_discord import Trouble
from tests.lifecycle.harness import GUILD
from tests.lifecycle.invariants import Invariants
from tests.lifecycle.life import BotEnd, MatchesMachine
from tests.lifecycle.strategies import (
    BUNDLES,
    CHALLENGES,
    CHOICE,
    DRAWN,
    MATCHES,
    OFFERS,
    OPENING,
    RUNNING_MATCH,
    TIMES,
    Drawn,
    actions,
)
from tests.lifecycle.world import Interaction, Kind, Ref, Role

LONG = 60 * float(os.environ.get("TAVOLIERE_LONG_LIFE", "0"))
SEED = int(os.environ.get("TAVOLIERE_SEED") or (SystemRandom().randrange(2**31) if LONG else 1))
STEPS = 45
ELSEWHERE = 11
"""Another server."""
WEIGHTS = {
    "elsewhere": 5,
    "everything_sent": 4,
    "computers_move": 4,
    "delivered_twice": 3,
    "bot_ends": 3,
    "bot_killed_during": 3,
    "claim_after": 3,
    "at_once": 2,
    "delivered_at_once": 2,
    "bot_removed": 2,
    "time_passes": 2,
}
"""How many times as often as others things happen that are not one action of a person."""


class Life(MatchesMachine):
    """A state machine of people, a clock, a Discord that fails, and a bot that dies."""

    phases: ClassVar[Collection[Phase]] = tuple(Phase)
    """What is tried: lives as they come, those that failed before, and shorter ones that fail as well."""

    @initialize(target=MATCHES, challenges=st.lists(st.builds(OfferChallenge, **OPENING), min_size=1, max_size=4))
    def begin_matches(self, challenges: list[OfferChallenge]) -> MultipleResults[Ref]:
        """Have some matches running from the start."""
        begun: list[Ref] = []
        for challenge in challenges:
            self.attempt(challenge)
            begun += self.creating(Kind.MATCH, OnChallenge(self.world.refs(Kind.CHALLENGE)[-1], Role.INVITED, "accept"))
        assert len(begun) == len(challenges)
        return multiple(*begun)

    # What people do; the rest of it is drawn, and follows below

    @rule()
    def computers_move(self) -> None:
        """Computer players take the turns that are theirs."""
        self.let_computers_move()
        self.tally["computers move"] += 1

    @rule(match=RUNNING_MATCH, moves=st.lists(CHOICE, min_size=1, max_size=12), plies_off=st.sampled_from([None, 0]))
    def play(self, match: Ref, moves: list[int], plies_off: int | None) -> None:
        """Play some legal moves of the people to move."""
        for number, move in enumerate(moves):
            if number:
                self.let_computers_move()
            self.attempt(Play(match, Role.MOVER, move, plies_off))
            if not match.is_open:
                break

    # Actions that nothing waited for: at the same moment as another one, or while the bot died

    @precondition(lambda life: bool(life.nameless(Kind.CHALLENGE)))
    @rule(target=CHALLENGES)
    def find_challenges(self) -> MultipleResults[Ref]:
        return self.name(self.nameless(Kind.CHALLENGE))

    @precondition(lambda life: bool(life.nameless(Kind.MATCH)))
    @rule(target=MATCHES)
    def find_matches(self) -> MultipleResults[Ref]:
        return self.name(self.nameless(Kind.MATCH))

    @precondition(lambda life: bool(life.nameless(Kind.OFFER)))
    @rule(target=OFFERS)
    def find_offers(self) -> MultipleResults[Ref]:
        return self.name(self.nameless(Kind.OFFER))

    # What Discord does

    @rule(action=actions())
    def delivered_twice(self, action: Action) -> None:
        """Discord delivers an interaction again after it was carried out."""
        self.attempt_twice(action)

    @rule(action=actions(), times=st.integers(2, 4))
    def delivered_at_once(self, action: Action, times: int) -> None:
        """Discord delivers an interaction several times at the same moment."""
        self.attempt_at_once([(action, Interaction(self.harness.interaction()))] * times)

    @rule(actions=st.lists(actions(), min_size=2, max_size=4))
    def at_once(self, actions: list[Action]) -> None:
        """People try several things at the same moment."""
        self.attempt_at_once([(action, Interaction(self.harness.interaction())) for action in actions])

    @rule(action=actions(of_server=True))
    def elsewhere(self, action: Action) -> None:
        """A person tries it from another server."""
        self.attempt_from(ELSEWHERE, action)

    @rule(trouble=st.lists(st.sampled_from([Trouble.UNREACHABLE, Trouble.ANSWER_LOST]), max_size=3))
    def everything_sent(self, trouble: list[Trouble]) -> None:
        """The dispatcher sends all there is, though Discord may be out of reach or its answers be lost for a while."""
        self.harness.discord.trouble.extend(trouble)
        self.deliver()
        self.tally["delivery"] += 1

    @rule(time=TIMES)
    def bot_removed(self, time: timedelta) -> None:
        """The bot is taken out of the server for a while: nothing falls due, and no time is lost."""
        before = self.deadlines()
        self.harness.run(self.harness.services.departures.bot_left(GUILD))
        matches_before = Invariants(self.harness.everything_stored()).table("matches")
        self.harness.pass_time(time)
        assert Invariants(self.harness.everything_stored()).table("matches") == matches_before
        self.harness.run(self.harness.services.departures.bot_returned(GUILD))
        assert self.deadlines() == {match_id: deadline + time for match_id, deadline in before.items()}
        self.tally["bot removed"] += 1

    # What time does, and what becomes of the bot

    @rule(time=TIMES)
    def time_passes(self, time: timedelta) -> None:
        """Let time pass without actions; due work is done."""
        self.harness.pass_time(time)
        self.tally["time"] += 1

    @rule(days=st.integers(1, 4), **DRAWN["claim"].fields)
    def claim_after(self, days: int, **fields: Any) -> None:
        """Some days pass, and a person who waits for a move claims what they can."""
        self.harness.pass_time(timedelta(days=days))
        self.attempt(Claim(**fields))

    @rule(how=st.sampled_from(BotEnd), downtime=TIMES)
    def bot_ends(self, how: BotEnd, downtime: timedelta) -> None:
        """The bot stops or is killed, and is started again later."""
        self.end(how, downtime)
        self.tally[how.name] += 1

    @rule(action=actions(), iterations=st.integers(0, 40), downtime=TIMES)
    def bot_killed_during(self, action: Action, iterations: int, downtime: timedelta) -> None:
        """The bot is killed after so many iterations of its event loop since something was begun."""
        self.begin(action, iterations)
        self.end(BotEnd.KILLED, downtime)
        self.tally["killed during an action"] += 1

    @invariant()
    def invariants_hold(self) -> None:
        """Everything that must be true at any moment."""
        Invariants(self.harness.everything_stored()).check()
        assert self.harness.run(audit(self.harness.database)) == []


def rule_of(name: str, drawn: Drawn) -> Any:
    """Return the rule by which a person does something that is drawn, where there is anything to do it to."""

    kind: Any = drawn.action

    def step(life: Life, **fields: Any) -> Any:
        action = kind(**fields)
        return life.attempt(action) if drawn.creates is None else life.creating(drawn.creates, action)

    step.__name__ = name
    target: Any = {} if drawn.creates is None else {"target": BUNDLES[drawn.creates]}
    needed = [of for of in Kind if BUNDLES[of].name in drawn.fields]
    made: Any = rule(**target, **drawn.fields)(step)  # type: ignore[no-untyped-call]
    return precondition(lambda life: all(life.named[of] for of in needed))(made)


for name, drawn in DRAWN.items():
    if not hasattr(Life, name):
        setattr(Life, name, rule_of(name, drawn))
for name, weight in (WEIGHTS | {name: drawn.weight for name, drawn in DRAWN.items()}).items():
    for copy in range(1, weight):
        # Hypothesis draws every rule equally often: one that is to be drawn more often stands there several times.
        setattr(Life, f"{name}_{copy}", getattr(Life, name))


def live(life: type[Life], lives: int, steps: int) -> None:
    """Run so many lives of so many steps, and repeat that until the time asked for is up."""
    life.tally = Counter()
    chosen = settings(
        max_examples=lives,
        stateful_step_count=steps,
        phases=life.phases,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    began = time.monotonic()
    with structlog.testing.capture_logs() as logged, warnings.catch_warnings():
        # A bot that is killed leaves its connections to the garbage collector.
        warnings.filterwarnings("ignore", "The garbage collector is trying to clean up", SAWarning)
        for number in count():
            print(f"seed {SEED + number}")
            run_state_machine_as_test(seed(SEED + number)(life), settings=chosen)
            failures = [line for line in logged if line["log_level"] in ("error", "critical")]
            assert not failures, failures[0]
            logged.clear()
            if time.monotonic() - began >= LONG:
                break
    took = time.monotonic() - began
    tried = f"{life.tally.total()} steps in {life.starts} starts of the bot in {took:.0f} s"
    print(f"{tried}: {dict(life.tally.most_common())}")


@pytest.mark.timeout(LONG + 600)
@pytest.mark.parametrize("lives", [2, pytest.param(8, marks=pytest.mark.slow)])
def test_whatever_happens_the_invariants_hold(lives: int, empty_database: Path) -> None:
    Life.template = empty_database
    live(Life, lives, STEPS)
