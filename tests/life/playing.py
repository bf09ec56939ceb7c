"""What two people do in a world, in a line each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from typing import Any

from bot.matches.audit import audit
from bot.matches.challenges import Terms
from bot.matches.refusals import Refusal
from bot.storage.queries import matches
from bot.storage.records import First, Match, Person
from tests.life.books import Books
from tests.life.pinboard import Pin
from tests.life.world import World

GUILD, CHANNEL = 10, 20
ALICE, BOB = Person(1, "Alice"), Person(2, "Bob")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def begin(world: World, pace: timedelta | None = DAY) -> int:
    """Have Alice and Bob begin a match of Yonmoque in which she is to move; return its number."""
    seconds = None if pace is None else int(pace.total_seconds())
    terms = Terms("yonmoque", "standard", 2, First.CHALLENGER, True, seconds)
    offer, accept = world.services.challenges.offer, world.services.challenges.accept
    number = world.run(offer(GUILD, CHANNEL, ALICE, BOB, terms, world.interaction()))
    begun = world.run(accept(GUILD, number, BOB, world.interaction()))
    assert begun is not None
    world.deliver()
    return begun


def play(world: World, number: int, person: Person, move: str) -> None:
    world.run(moving(world, number, person, move))


def moving(world: World, number: int, person: Person, move: str) -> Awaitable[Any]:
    return world.services.turns.play(GUILD, number, person, move, world.interaction())


def claiming(world: World, number: int, person: Person) -> Awaitable[Any]:
    return world.services.leaving.claim(GUILD, number, person, world.interaction())


def match_of(world: World, number: int) -> Match:
    async def read() -> Match | None:
        async with world.database.read() as tx:
            return await matches.get(tx, number)

    match = world.run(read())
    assert match is not None
    return match


def at_once(world: World, *deeds: Awaitable[Any]) -> list[Any]:
    """Have several things begun at the same instant; return what came of each, refusals included."""

    async def together() -> list[Any]:
        return await asyncio.gather(*deeds, return_exceptions=True)

    results = world.run(together())
    assert not [one for one in results if isinstance(one, BaseException) and not isinstance(one, Refusal)]
    return results


def reminders(world: World, number: int, ply: int) -> list[Pin]:
    return world.board.posted_with(f"play:{number}:{ply}:reminder")


def late_notices(world: World, number: int, ply: int) -> list[Pin]:
    return world.board.posted_with(f"claim:{number}:{ply}")


def check(world: World) -> None:
    """Deliver what is left and look whether the books are in order and everything was said once."""
    world.deliver()
    assert world.run(audit(world.database)) == []
    books = Books(world.everything_stored())
    books.check()
    books.check_said(world.board, {})
