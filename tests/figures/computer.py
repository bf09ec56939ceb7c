"""Matches against computer players

The services on SQLite, with thinkers in their own processes, without Discord and without pictures. One person has fifty
matches in which level 5 is to move. Meanwhile another person plays against level 1, and the delay of the event loop is
measured. Then a hundred people play against level 3, and each answers at once.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import structlog
from discord.utils import utcnow

from bot.compute.job import JobSpec, Pool, on_behalf_of
from bot.compute.queue import ComputeQueue
from bot.games import GAMES
from bot.games.game import Position
from bot.matches.background_work import ComputerTurnRunner, ReviewRunner
from bot.matches.model.turn import TurnRequest
from bot.matches.service_context import Limits, ServiceContext, plain_idle
from bot.matches.services import Services, create_services
from bot.matches.services.eligibility import Terms
from bot.opponents import LEVELS, choose
from bot.settings import Settings
from bot.storage.computer_turns import ComputerTurn
from bot.storage.database import Database
from bot.storage.records import First, MatchState, Person
from tests.benchmarks.lag import Lag
from tests.figures import shipped_games, table
from tests.support.at_work import at_work

GUILD, CHANNEL = 1, 2
BUSY, OTHER = Person(1, "Busy"), Person(2, "Other")
MANY, REPLIES, CROWD, SECONDS = 50, 20, 100, 60.0
"""Matches of the busy person, replies timed for the other, people who play at once, and for how long."""
OPENING = Terms("yonmoque", "standard", 2, First.OPPONENT, rated=False)
"""The computer player begins, so that a match that has begun is one that waits for it."""
SHORT = Terms("yonmoque", "standard", 2, First.CHALLENGER, rated=False)


def measure() -> list[str]:
    """Measure fairness, lag, moves a minute, and the memory of a thinker."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    thinkers = Settings(_env_file=None).thinkers
    with TemporaryDirectory() as folder:
        return asyncio.run(_measured(Path(folder), thinkers))


async def _measured(folder: Path, thinkers: int) -> list[str]:
    async with playing(folder / "fair.db", thinkers) as alone:
        quiet = await _replies(alone)
    async with playing(folder / "busy.db", thinkers) as busy:
        lag = Lag()
        for _ in range(MANY):
            await busy.begin(BUSY, 5, OPENING)
        with lag.measured(asyncio.get_running_loop()):
            waited = await _replies(busy)
    async with playing(folder / "crowd.db", thinkers) as crowd:
        moves = await _moves_a_minute(crowd)
    rows = [("alone", *_spread(quiet)), (f"beside {MANY} matches of another at level 5", *_spread(waited))]
    return [
        *table(("Reply at level 1, ms", "median", "worst"), rows),
        "",
        f"Meanwhile a new task on the event loop waited {_spread(lag.seconds)[0]} ms (median), "
        f"{_milliseconds(sorted(lag.seconds)[int(len(lag.seconds) * 0.99)])} ms (99th percentile), with {thinkers} "
        f"thinkers busy. In {CROWD} matches at level 3 the computer made {moves:.0f} moves a minute. A thinker takes "
        f"{await _memory():.0f} MB when it has thought at every level of every game.",
    ]


@dataclass
class Play:
    """The services, the people who play, and who has been replied to."""

    services: Services
    replied: defaultdict[int, asyncio.Event] = field(default_factory=lambda: defaultdict(asyncio.Event))
    """By match: a turn of the computer has been played since a person asked."""
    _interactions: count[int] = field(default_factory=lambda: count(1000))

    async def begin(self, person: Person, level: int, terms: Terms) -> int:
        """Begin a match and return its id."""
        opponents = self.services.computer_opponents
        return await opponents.play(GUILD, CHANNEL, person, level, terms, next(self._interactions))

    def request(self, match_id: int, person: Person) -> TurnRequest:
        """Return a new request of a person about a match."""
        return TurnRequest(GUILD, match_id, person, next(self._interactions), self.services.context.clock())

    async def moved(self, match_id: int, person: Person) -> bool:
        """Have a person make some move and the computer reply; return whether the match goes on."""
        context, queries = self.services.context, self.services.queries
        self.replied[match_id].clear()
        with on_behalf_of(person.id):
            position = (await queries.match_view(GUILD, match_id)).game_state.position
            text = await context.compute(some_move, position, match_id)
            await self.services.turns.play(self.request(match_id, person), text, confirmed=True)
        while True:
            match = (await queries.match_view(GUILD, match_id)).match
            if match.state is MatchState.OVER:
                return False
            if match.movers[0].person.id == person.id:
                return True
            await self.replied[match_id].wait()


class _Runner(ComputerTurnRunner):
    """Plays the turns of computer players, and tells who waits for a reply."""

    def __init__(self, play: Play) -> None:
        super().__init__(play.services, lambda: plain_idle)
        self._play = play

    async def work(self, row: ComputerTurn) -> None:
        """Have a turn played, and say so."""
        await super().work(row)
        self._play.replied[row.match_id].set()


@asynccontextmanager
async def playing(file: Path, thinkers: int, picture_workers: int = 0) -> AsyncIterator[Play]:
    """Open the services on a new database, with computer players and reviews at work."""
    database = Database(f"sqlite+aiosqlite:///{file}")
    await database.open()
    woken: list[Callable[[], None]] = []

    def wake() -> None:
        for each in woken:
            each()

    async with ComputeQueue(picture_workers=picture_workers, thinkers=thinkers) as queue:
        services = create_services(ServiceContext(database, utcnow, queue, wake, Limits(matches=10 * MANY)))
        play = Play(services)
        try:
            async with (
                at_work(_Runner(play)) as runner,
                at_work(ReviewRunner(services, lambda: plain_idle)) as reviewer,
            ):
                woken += [runner.wake, reviewer.wake]
                yield play
        finally:
            await database.close()


async def _replies(play: Play) -> list[float]:
    """Return the seconds from a move to the reply at level 1, again and again."""
    waits: list[float] = []
    match_id = await play.begin(OTHER, LEVELS[0], SHORT)
    while len(waits) < REPLIES:
        begun = time.perf_counter()
        goes_on = await play.moved(match_id, OTHER)
        waits.append(time.perf_counter() - begun)
        if not goes_on:
            match_id = await play.begin(OTHER, LEVELS[0], SHORT)
    return waits[1:]


async def _moves_a_minute(play: Play) -> float:
    """Return how many moves a minute the computer makes where a hundred people wait for it."""
    made = 0

    async def played(person: Person) -> None:
        nonlocal made
        while True:
            match_id = await play.begin(person, 3, SHORT)
            while await play.moved(match_id, person):
                made += 1

    tasks = [asyncio.create_task(played(Person(10 + number, f"Person {number}"))) for number in range(CROWD)]
    await asyncio.sleep(SECONDS)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return made * 60 / SECONDS


async def _memory() -> float:
    """Return the megabytes of a thinker that has thought at every level of every game."""
    spec = JobSpec(Pool.THINKING)
    async with ComputeQueue(thinkers=1, timeout=600) as queue:
        for game in shipped_games():
            for level in LEVELS:
                await queue.run(spec, _Thought(game.key, level))
        return await queue.run(spec, _megabytes)


@dataclass(frozen=True)
class _Thought:
    """A thought about the first position of a game, in whatever process it is called."""

    game: str
    level: int

    def __call__(self) -> str:
        return str(choose(GAMES[self.game].start(), self.level))


def some_move(position: Position, number: int) -> str:
    moves = list(islice(position.legal_moves(), 40))
    return str(moves[number % len(moves)])


def _megabytes() -> float:
    """Return the memory this process has taken at most."""
    import resource  # not on Windows, where no figures are measured

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _spread(seconds: Sequence[float]) -> tuple[str, str]:
    return _milliseconds(median(seconds)), _milliseconds(max(seconds))


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.1f}"
