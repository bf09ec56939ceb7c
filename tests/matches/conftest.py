"""The services on a real database file, without Discord, with a clock that the test sets."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest_asyncio
from sqlalchemy import Select, select, update

from bot.compute.queue import ComputeQueue
from bot.matches.model.actor import Actor
from bot.matches.model.pace import is_live
from bot.matches.model.policies.clocks import FIRST_MINUTE
from bot.matches.service_context import (
    CreditMissed,
    HasLeft,
    PlayLimits,
    ServiceContext,
    never_gone,
    none_under_way,
    nothing_missed,
)
from bot.matches.services import Services, create_services
from bot.matches.services.agreements import Answer
from bot.matches.services.eligibility import Terms
from bot.storage import challenges, matches, ratings, tables
from bot.storage.challenges import Challenge
from bot.storage.database import Database
from bot.storage.leaderboards import Part
from bot.storage.matches import Offer
from bot.storage.rating_records import Rating
from bot.storage.records import OPERATOR, Entry, First, Match, MatchState, Person, RequestId

GUILD, CHANNEL = 10, 20
WORKERS = 2
ALICE, BOB, CAROL = Person(1, "Alice"), Person(2, "Bob"), Person(3, "Carol")
YONMOQUE = Terms("yonmoque", "standard", 2, First.CHALLENGER)


async def everybody_left(_guild_id: int, _user_id: int) -> bool:
    return True


@dataclass
class Crowd:
    """The services, their database, and a clock that moves only when the test moves it."""

    database: Database
    queue: ComputeQueue
    now: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    services: Services = field(init=False)
    _interactions: Iterator[int] = field(default_factory=lambda: count(1000))

    def __post_init__(self) -> None:
        self.open()

    def open(
        self,
        limits: PlayLimits = PlayLimits(),  # noqa: B008
        credit_missed: CreditMissed = nothing_missed,
        requests_done: Callable[[], Awaitable[None]] = none_under_way,
        has_left: HasLeft = never_gone,
    ) -> None:
        """Build the services again, as after a restart."""
        context = ServiceContext(
            self.database,
            lambda: self.now,
            self.queue,
            limits=limits,
            random=Random(1),
            credit_missed=credit_missed,
            requests_done=requests_done,
            has_left=has_left,
        )
        self.services = create_services(context)

    def interaction(self) -> int:
        """Return the id of a new interaction."""
        return next(self._interactions)

    def actor(
        self,
        person: Person,
        *,
        guild_id: int = GUILD,
        channel_id: int = CHANNEL,
        parent_id: int | None = None,
        can_manage_server: bool = False,
        interaction_id: RequestId | None = None,
    ) -> Actor:
        """Return a person who asks for something now."""
        asked = self.interaction() if interaction_id is None else interaction_id
        return Actor(guild_id, person, asked, self.now, channel_id, parent_id, can_manage_server)

    def request(self, match_id: int, person: Person, ply: int | None = None) -> tuple[Actor, int, int | None]:
        """Return a person's request in a match, made now at the ply they see."""
        return (Actor(GUILD, person, self.interaction(), self.now), match_id, ply)

    def later(self, **time: float) -> None:
        """Let time pass."""
        self.now += timedelta(**time)

    async def offer(self, *, by: Person = ALICE, to: Person | None = None, terms: Terms = YONMOQUE) -> int:
        """Offer a challenge and return its id."""
        return await self.services.challenges.offer(self.actor(by), to, terms)

    async def begin(self, *others: Person, by: Person = ALICE, to: Person = BOB, terms: Terms = YONMOQUE) -> int:
        """Begin a match, of several if there are ``others``, and return its id.

        The first minute of a live one, in which no clock runs, passes.
        """
        challenge_id = await self.offer(by=by, terms=terms)
        for person in (to, *others):
            match_id = await self.services.challenges.accept(self.actor(person), challenge_id)
        assert match_id is not None
        if is_live(terms.pace):
            self.later(seconds=FIRST_MINUTE.total_seconds())
        return match_id

    async def play(self, match_id: int, *moves: str, players: tuple[Person, ...] = (ALICE, BOB)) -> None:
        """Play moves in turn."""
        for at, move in enumerate(moves):
            mover = players[at % len(players)]
            await self.services.turns.play(*self.request(match_id, mover), move)

    async def move_twice(self, match_id: int) -> None:
        """Have each player move twice, so that the match counts, without ending it."""
        for _ in range(2 * len((await self.match(match_id)).seats)):
            match = await self.match(match_id)
            position = (await self.services.game_states.of(match)).position
            move = next(move for move in position.legal_moves() if position.play(move).result is None)
            await self.services.turns.play(*self.request(match_id, match.mover.person), str(move))

    async def resign(self, match_id: int, person: Person) -> None:
        """Resign a match for a person."""
        await self.services.forfeits.resign(*self.request(match_id, person))

    async def void(self, match_id: int, by: int = OPERATOR) -> None:
        """Void a match, and have the ratings follow."""
        guild_id = await self.services.voiding.void(GUILD, match_id, by, self.interaction())
        if guild_id is not None:
            await self.services.voiding.rate_again(guild_id)

    async def leaderboard(self, game: str = ratings.OVERALL, guild_id: int = GUILD) -> list[Rating]:
        """Return the ratings of the first page, best first."""
        found = await self.services.queries.leaderboard(guild_id, game, Part(0, 10, 0))
        return [placed.rating for placed in found.listed if placed.rating is not None]

    async def winners(self, game: str = ratings.OVERALL) -> list[tuple[int, int]]:
        """Return who has won how often this month."""
        found = await self.services.queries.winners(GUILD, game, Part(0, 10, 0))
        return [(placed.user_id, placed.value) for placed in found.listed]

    async def rewrite(self, match_id: int, text: str) -> None:
        """Overwrite every stored move of a match, and empty the cache of game states, as after a restart."""
        async with self.database.write() as tx:
            await tx.execute(update(tables.moves).where(tables.moves.c.match_id == match_id).values(text=text))
        self.services.game_states.forget()

    async def match(self, match_id: int) -> Match:
        """Return a stored match."""
        match = await self.services.read(matches.get, match_id)
        assert match is not None
        return match

    async def running(self, person: Person) -> list[int]:
        """Return the matches that a person has running, the first one first."""
        seated = select(tables.seats.c.match_id).where(tables.seats.c.user_id == person.id)
        of_person = select(tables.matches.c.id).where(tables.matches.c.id.in_(seated))
        running = of_person.where(tables.matches.c.state == MatchState.RUNNING).order_by(tables.matches.c.id)
        return await self.column(running)

    async def challenge(self, challenge_id: int) -> Challenge:
        """Return a stored challenge."""
        challenge = await self.services.read(challenges.get, challenge_id)
        assert challenge is not None
        return challenge

    async def open_offers(self, match_id: int) -> list[Offer]:
        """Return the offers in a match that wait for an answer."""
        return await self.services.read(matches.open_offers, match_id)

    async def take_back(self, match_id: int, by: Person, agrees: Person) -> None:
        """Have a person take their last move back with the consent of another."""
        await self.services.agreements.ask_takeback(*self.request(match_id, by))
        (offer,) = await self.open_offers(match_id)
        await self.services.agreements.answer(self.actor(agrees), offer.id, Answer.ACCEPT)

    async def queued(self, *kinds: str) -> list[dict[str, Any]]:
        """Return what is stored of messages of some kinds, whether sent or not, the oldest first."""
        query = select(tables.outbox.c.payload).where(tables.outbox.c.kind.in_(kinds)).order_by(tables.outbox.c.id)
        return await self.column(query)

    async def column(self, query: Select[Any]) -> list[Any]:
        """Return the only column that a query finds."""
        async with self.database.read() as tx:
            return list((await tx.execute(query)).scalars())

    async def moves(self, match_id: int) -> list[Entry]:
        """Return the list of moves of a match."""
        return await self.services.read(matches.moves_of, match_id)


@asynccontextmanager
async def crowd_at(address: str, *, new: bool = True) -> AsyncIterator[Crowd]:
    """Yield the services on the database at an address, which gets its tables if it is ``new``."""
    database = Database(address)
    if new:
        await database.open()
    async with ComputeQueue() as queue:
        try:
            yield Crowd(database, queue)
        finally:
            await database.close()


@asynccontextmanager
async def crowd_on(file: Path) -> AsyncIterator[Crowd]:
    """Yield the services on a database file."""
    async with crowd_at(f"sqlite+aiosqlite:///{file}", new=False) as crowd:
        yield crowd


@pytest_asyncio.fixture
async def crowd(tmp_path: Path, empty_database: Path) -> AsyncIterator[Crowd]:
    """The services on a database of the test's own."""
    async with crowd_on(Path(shutil.copy(empty_database, tmp_path))) as one:
        yield one
