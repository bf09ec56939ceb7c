"""The whole life of many matches, played at random: whatever people, time and accidents do, the invariants hold.

``TAVOLIERE_LONG_LIFE=<minutes>`` goes on for that long, ``TAVOLIERE_SEED=<number>`` begins with that seed.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from datetime import timedelta
from itertools import count
from pathlib import Path
from random import SystemRandom
from typing import Any

import pytest
import structlog
from hypothesis import HealthCheck, seed, settings
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

from bot.matches.audit import audit
from tests.lifecycle.actions import (
    Accept,
    Action,
    Answer,
    AskRematch,
    AskTakeback,
    Cancel,
    ChangeSettings,
    Claim,
    ComeBack,
    Decline,
    DeleteEverything,
    GoAway,
    Interaction,
    Leave,
    OfferChallenge,
    OfferDraw,
    Play,
    PostAgain,
    Rename,
    Resign,
    Start,
)
from tests.lifecycle.computer_actions import PlayComputer, Reseat, TakeUp
from tests.lifecycle.fake_discord import Trouble
from tests.lifecycle.harness import GUILD
from tests.lifecycle.invariants import Invariants
from tests.lifecycle.life import BotEnd, MatchesMachine
from tests.lifecycle.strategies import (
    CHALLENGES,
    CHOICE,
    DRAWN,
    MATCHES,
    OFFERS,
    OPENING,
    RUNNING_MATCH,
    TIMES,
    actions,
)
from tests.lifecycle.world import Kind, Ref, Role

LONG = 60 * float(os.environ.get("TAVOLIERE_LONG_LIFE", "0"))
SEED = int(os.environ.get("TAVOLIERE_SEED") or SystemRandom().randrange(2**31))
LIVES, STEPS = 15, 45
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
"""How many times as often as others those things happen that are not one action of somebody."""

with_challenge = precondition(lambda life: bool(life.named[Kind.CHALLENGE]))
with_offer = precondition(lambda life: bool(life.named[Kind.OFFER]))


class Life(MatchesMachine):
    """People, a clock, a Discord that fails, and a bot that dies."""

    @initialize(target=MATCHES, challenges=st.lists(st.builds(OfferChallenge, **OPENING), min_size=1, max_size=4))
    def begin_matches(self, challenges: list[OfferChallenge]) -> MultipleResults[Ref]:
        """Have some matches running from the start."""
        begun: list[Ref] = []
        for challenge in challenges:
            self.attempt(challenge)
            begun += self.creating(Kind.MATCH, Accept(self.world.refs(Kind.CHALLENGE)[-1], Role.INVITED))
        assert len(begun) == len(challenges)
        return multiple(*begun)

    # What people do

    @rule(target=CHALLENGES, **DRAWN["challenge"].fields)
    def challenge(self, **fields: Any) -> MultipleResults[Ref]:
        return self.creating(Kind.CHALLENGE, OfferChallenge(**fields))

    @rule(target=CHALLENGES, **DRAWN["open_lobby"].fields)
    def open_lobby(self, **fields: Any) -> MultipleResults[Ref]:
        return self.creating(Kind.CHALLENGE, OfferChallenge(**fields))

    @with_challenge
    @rule(target=MATCHES, **DRAWN["accept"].fields)
    def accept(self, **fields: Any) -> MultipleResults[Ref]:
        return self.creating(Kind.MATCH, Accept(**fields))

    @with_challenge
    @rule(target=MATCHES, **DRAWN["start"].fields)
    def start(self, **fields: Any) -> MultipleResults[Ref]:
        return self.creating(Kind.MATCH, Start(**fields))

    @rule(target=MATCHES, **DRAWN["play_computer"].fields)
    def play_computer(self, **fields: Any) -> MultipleResults[Ref]:
        return self.creating(Kind.MATCH, PlayComputer(**fields))

    @with_challenge
    @rule(target=MATCHES, **DRAWN["take_up"].fields)
    def take_up(self, **fields: Any) -> MultipleResults[Ref]:
        return self.creating(Kind.MATCH, TakeUp(**fields))

    @with_challenge
    @rule(target=MATCHES, **DRAWN["reseat"].fields)
    def reseat(self, **fields: Any) -> MultipleResults[Ref]:
        return self.creating(Kind.MATCH, Reseat(**fields))

    @rule()
    def computers_move(self) -> None:
        """Computer players take the turns that are theirs."""
        self.let_computers_move()
        self.tally["computers move"] += 1

    @with_challenge
    @rule(**DRAWN["decline"].fields)
    def decline(self, **fields: Any) -> None:
        self.attempt(Decline(**fields))

    @with_challenge
    @rule(**DRAWN["cancel"].fields)
    def cancel(self, **fields: Any) -> None:
        self.attempt(Cancel(**fields))

    @with_challenge
    @rule(**DRAWN["leave"].fields)
    def leave(self, **fields: Any) -> None:
        self.attempt(Leave(**fields))

    @rule(match=RUNNING_MATCH, moves=st.lists(CHOICE, min_size=1, max_size=12), plies_off=st.sampled_from([None, 0]))
    def play(self, match: Ref, moves: list[int], plies_off: int | None) -> None:
        """Play some legal moves, by whoever is to move."""
        for number, move in enumerate(moves):
            if number:
                self.let_computers_move()
            self.attempt(Play(match, Role.MOVER, move, plies_off))
            if not match.is_open:
                break

    @rule(**DRAWN["play_wrongly"].fields)
    def play_wrongly(self, **fields: Any) -> None:
        self.attempt(Play(**fields))

    @rule(**DRAWN["resign"].fields)
    def resign(self, **fields: Any) -> None:
        self.attempt(Resign(**fields))

    @rule(**DRAWN["claim"].fields)
    def claim(self, **fields: Any) -> None:
        self.attempt(Claim(**fields))

    @rule(**DRAWN["post_again"].fields)
    def post_again(self, **fields: Any) -> None:
        self.attempt(PostAgain(**fields))

    @rule(target=OFFERS, **DRAWN["offer_draw"].fields)
    def offer_draw(self, **fields: Any) -> MultipleResults[Ref]:
        return self.creating(Kind.OFFER, OfferDraw(**fields))

    @rule(target=OFFERS, **DRAWN["ask_takeback"].fields)
    def ask_takeback(self, **fields: Any) -> MultipleResults[Ref]:
        return self.creating(Kind.OFFER, AskTakeback(**fields))

    @with_offer
    @rule(**DRAWN["answer"].fields)
    def answer(self, **fields: Any) -> None:
        self.attempt(Answer(**fields))

    @rule(target=CHALLENGES, **DRAWN["ask_rematch"].fields)
    def ask_rematch(self, **fields: Any) -> MultipleResults[Ref]:
        return self.creating(Kind.CHALLENGE, AskRematch(**fields))

    @rule(**DRAWN["go_away"].fields)
    def go_away(self, **fields: Any) -> None:
        self.attempt(GoAway(**fields))

    @rule(**DRAWN["come_back"].fields)
    def come_back(self, **fields: Any) -> None:
        self.attempt(ComeBack(**fields))

    @rule(**DRAWN["change_settings"].fields)
    def change_settings(self, **fields: Any) -> None:
        self.attempt(ChangeSettings(**fields))

    @rule(**DRAWN["rename"].fields)
    def rename(self, **fields: Any) -> None:
        self.attempt(Rename(**fields))

    @rule(**DRAWN["delete_everything"].fields)
    def delete_everything(self, **fields: Any) -> None:
        self.attempt(DeleteEverything(**fields))

    # What was begun where nobody waited for it: at once with something else, or while the bot died

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
        """Somebody tries it from another server."""
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
        self.harness.run(self.harness.services.membership.bot_left(GUILD))
        matches_before = Invariants(self.harness.everything_stored()).table("matches")
        self.harness.pass_time(time)
        assert Invariants(self.harness.everything_stored()).table("matches") == matches_before
        self.harness.run(self.harness.services.membership.bot_returned(GUILD))
        assert self.deadlines() == {match_id: deadline + time for match_id, deadline in before.items()}
        self.tally["bot removed"] += 1

    # What time does, and what becomes of the bot

    @rule(time=TIMES)
    def time_passes(self, time: timedelta) -> None:
        """Nobody does anything for a while; what falls due is done."""
        self.harness.pass_time(time)
        self.tally["time"] += 1

    @rule(days=st.integers(1, 4), **DRAWN["claim"].fields)
    def claim_after(self, days: int, **fields: Any) -> None:
        """Some days pass, and somebody who waits for a move claims what they can."""
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


for name, weight in (WEIGHTS | {name: drawn.weight for name, drawn in DRAWN.items()}).items():
    for copy in range(1, weight):
        # Hypothesis draws every rule equally often: one that is to be drawn more often stands there several times.
        setattr(Life, f"{name}_{copy}", getattr(Life, name))


@pytest.mark.timeout(LONG + 600)
@pytest.mark.filterwarnings("ignore:The garbage collector is trying to clean up:sqlalchemy.exc.SAWarning")
def test_whatever_happens_the_invariants_hold(empty_database: Path) -> None:
    Life.template, Life.tally = empty_database, Counter()
    chosen = settings(
        max_examples=LIVES, stateful_step_count=STEPS, deadline=None, suppress_health_check=list(HealthCheck)
    )
    began = time.monotonic()
    with structlog.testing.capture_logs() as logged:
        for number in count():
            print(f"seed {SEED + number}")
            run_state_machine_as_test(seed(SEED + number)(Life), settings=chosen)
            failures = [line for line in logged if line["log_level"] in ("error", "critical")]
            assert not failures, failures[0]
            logged.clear()
            if time.monotonic() - began >= LONG:
                break
    took = time.monotonic() - began
    tried = f"{Life.tally.total()} steps in {Life.starts} starts of the bot in {took:.0f} s"
    print(f"{tried}: {dict(Life.tally.most_common())}")
