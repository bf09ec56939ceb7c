"""Actions of two people in a harness, in a line each."""

from __future__ import annotations

from datetime import timedelta

from bot.matches.audit import audit
from bot.matches.services.eligibility import Terms
from bot.storage import matches
from bot.storage.records import First, Match, Person
from tests.lifecycle.fake_discord import PostedMessage
from tests.lifecycle.harness import Harness
from tests.lifecycle.invariants import Invariants

ALICE, BOB = Person(1, "Alice"), Person(2, "Bob")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def begin(harness: Harness, pace: timedelta | None = DAY) -> int:
    """Have Alice and Bob begin a match of Yonmoque in which she is to move; return its number."""
    seconds = None if pace is None else int(pace.total_seconds())
    terms = Terms("yonmoque", "standard", 2, First.CHALLENGER, True, seconds)
    offer, accept = harness.services.challenges.offer, harness.services.challenges.accept
    number = harness.run(offer(harness.actor(ALICE), BOB, terms))
    begun = harness.run(accept(harness.actor(BOB), number))
    assert begun is not None
    harness.deliver()
    return begun


def play(harness: Harness, number: int, person: Person, move: str) -> None:
    harness.run(harness.services.turns.play(*harness.request(number, person), move))


def match_of(harness: Harness, number: int) -> Match:
    match = harness.run(harness.services.read(matches.get, number))
    assert match is not None
    return match


def reminders(harness: Harness, number: int, ply: int) -> list[PostedMessage]:
    return harness.discord.posted_with(f"play:{number}:{ply}:reminder")


def late_notices(harness: Harness, number: int, ply: int) -> list[PostedMessage]:
    return harness.discord.posted_with(f"claim:{number}:{ply}")


def check(harness: Harness) -> None:
    """Deliver what is left and check that the invariants hold and every message was posted once."""
    harness.deliver()
    assert harness.run(audit(harness.database)) == []
    invariants = Invariants(harness.everything_stored())
    invariants.check()
    invariants.check_posted(harness.discord, {})
