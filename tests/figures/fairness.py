"""Moves while a person floods the bot

A bot on SQLite with 10,000 running matches and two processes for pictures; Discord is another process, reached by HTTP
and gateway. One person sends sixty requests at once and then twenty a second, all of one expensive kind. Meanwhile
other people move three times a second. The kinds take turns, a few seconds and another person each, so that what else
the machine does falls on all of them alike. A turn ends when everything it asked for is answered. The database lies in
memory, where the system lets files lie there, so that no pause of a disk counts. Milliseconds from the moment at which
Discord has passed a move on to the one at which the bot begins to post the board, both by the clock of the machine, so
that what the simulated Discord itself is busy with does not count.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import count, cycle, islice
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

from aiohttp.web import WebSocketResponse
from discord.http import HTTPClient, Route
from simcord.backend.models import User

from bot.demo import interactions
from bot.games import GAMES
from tests.figures import table
from tests.figures.crowd import crowded_bot
from tests.support.crowds.matches import standing_at
from tests.support.processes.loopback import TEST_SECONDS, Loopback
from tests.support.processes.processes import Running

RUNNING, LONG = 10_000, 8
"""Matches in the database, and long ones among them to be replayed one after the other."""
PAIRS, PLIES = 32, 110
"""Pairs of people who move, each in one match, and how long such a match can go on."""
ROUNDS, MOVES, MOVES_A_SECOND = 6, 50, 3
"""How often each kind of flood has its turn, and the moves in each."""
IN_MEMORY = Path("/dev/shm")
"""Where Linux keeps files in memory."""
BURST, RATE = 60, 20
"""Requests of a flood at once, and in each second after that."""


def note_posts() -> None:
    """Have the bot of this process print where it begins to post a message, and when."""
    request = HTTPClient.request

    def noted(client: HTTPClient, route: Route, **options: Any) -> Coroutine[Any, Any, Any]:
        if route.method == "POST" and route.path == "/channels/{channel_id}/messages":
            print("posts", route.channel_id, time.monotonic())
        return request(client, route, **options)

    HTTPClient.request = noted  # type: ignore[assignment,method-assign]


class Door(Loopback):
    """A Discord that notes when it has passed an interaction on, and when a message is posted in a place."""

    def __init__(self) -> None:
        super().__init__()
        self.arrivals: dict[int, asyncio.Future[None]] = {}
        self.passed_on: dict[int, float] = {}
        """By interaction."""

    async def _send(self, gateway: WebSocketResponse, event: str, payload: Mapping[str, Any]) -> None:
        await super()._send(gateway, event, payload)
        if event == "INTERACTION_CREATE":
            self.passed_on[int(payload["id"])] = time.monotonic()

    async def admit(self, call: str) -> None:
        """Note a message."""
        found = re.fullmatch(r"POST /channels/(\d+)/messages", call)
        if found is not None and (posted := self.arrivals.pop(int(found[1]), None)) is not None:
            posted.set_result(None)
        await super().admit(call)

    def awaits_answer(self, interaction_id: int) -> bool:
        """Return whether an interaction can still be answered, and is not."""
        record = self.backend.interactions[interaction_id]
        if record.responded:
            return record.loading
        until = record.initial_response_deadline
        return until is not None and self.backend.clock.now() <= datetime.fromisoformat(until)


@dataclass
class Match:
    """A match of two people who type their moves."""

    discord: Door
    people: tuple[User, User]
    moves: Sequence[str]
    place: int = 0
    ply: int = 0

    async def begin(self) -> None:
        """Begin it, and wait for its first board."""
        wanted = {"game": "redo", "opponent": self.people[1], "first": "challenger"}
        discord, earlier = self.discord, self.discord.controls(self.discord.channel)
        await discord.answered(discord.ask(self.people[0], discord.channel, "challenge", **wanted))
        card = await discord.control(discord.channel, r"challenge:accept:\d+", but=earlier)
        threads = set(discord.threads)
        await discord.answered(discord.press(self.people[1], discord.channel, card[0]))
        await discord.until(lambda: set(discord.threads) - threads)
        (self.place,) = set(discord.threads) - threads
        await discord.control(self.place, r"play:\d+:0")

    async def move(self) -> int:
        """Have the next move typed, and wait for its board; return the interaction.

        Raises ``RuntimeError`` with the bot's answer if it is not played.
        """
        posted = self.discord.arrivals[self.place] = asyncio.get_running_loop().create_future()
        asked = self.discord.ask(self.people[self.ply % 2], self.place, "move", move=self.moves[self.ply])
        self.ply += 1
        with suppress(TimeoutError):
            async with asyncio.timeout(TEST_SECONDS):
                await posted
        answer = await self.discord.answered(asked)
        if not posted.done() or "You played" not in answer:
            raise RuntimeError(f"move {self.ply} of the match in {self.place}: {answer!r}")
        return asked


@dataclass
class Crowd:
    """The people of the first server: those who may flood the bot, and the matches of those who move."""

    discord: Door
    running: Running
    people: Sequence[User]
    matches: list[Match]
    long: list[int]
    """The numbers of long matches."""
    crowded: list[tuple[int, int]]
    """Threads of matches with many moves to choose from, and who is to move there."""

    def flooding(self, kind: str, turn: int) -> Callable[[int], int]:
        """Return what sends the n-th request of a flood, and returns its id. Another person sends it in each turn."""
        discord, place, person = self.discord, self.discord.channel, self.people[-1 - turn]
        if kind == "suggestions of moves":
            thread, mover = self.crowded[turn % len(self.crowded)]
            return lambda number: (
                interactions.suggestions(
                    discord, mover, thread, ["move"], {"move": f"{'abcdef'[number % 6]}{number}"}, "move"
                ).id
            )
        games = [*GAMES, "all"]
        send: dict[str, Callable[[int], dict[str, object]]] = {
            "/match": lambda number: {"action": "replay", "match": self.long[number % LONG]},
            "/profile": lambda number: {"person": self.people[number % len(self.people)]},
            "/leaderboard": lambda number: {"game": games[number % 6], "by": ("rating", "month")[number % 2]},
            "/games": lambda number: {"game": games[number % 5]},
            "/privacy": lambda number: {"action": "export"},
        }
        return lambda number: discord.ask(person, place, kind[1:], **send[kind](number))

    def waits(self, moves: Iterable[tuple[int, int]]) -> list[float]:
        """Return for each move, a place and an interaction, the seconds until the bot began to post a board there."""
        posted: dict[int, list[float]] = {}
        for line in self.running.lines:
            if line.startswith("posts "):
                _, place, at = line.split()
                posted.setdefault(int(place), []).append(float(at))
        begun = ((place, self.discord.passed_on[asked]) for place, asked in moves)
        return [next(at for at in posted[place] if at >= passed_on) - passed_on for place, passed_on in begun]

    async def flood(self, kind: str, turn: int) -> None:
        """Send a burst, and then request after request until cancelled; then wait until all are answered."""
        if kind == "nobody":
            return
        send, sent = self.flooding(kind, turn), list[int]()
        with suppress(asyncio.CancelledError):
            for number in count():
                sent.append(send(number))
                if number >= BURST:
                    await asyncio.sleep(1 / RATE)
        await self.discord.until(lambda: not any(map(self.discord.awaits_answer, sent)))


KINDS = ("nobody", "/match", "suggestions of moves", "/profile", "/leaderboard", "/games", "/privacy")


def measure() -> list[str]:
    """Flood the bot with each kind in turn."""
    with TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        waits = asyncio.run(_measured(Path(folder)))
    spreads = {kind: (1000 * median(found), 1000 * quantiles(found, n=100)[98]) for kind, found in waits.items()}
    rows = [
        (kind, len(waits[kind]), f"{middle:.1f}", f"{worst:.1f}", f"{worst / spreads['nobody'][1]:.2f}")
        for kind, (middle, worst) in spreads.items()
    ]
    return table(("Flood of", "moves", "median", "99th percentile", "of that without"), rows)


async def _measured(folder: Path) -> dict[str, list[float]]:
    made: dict[str, list[tuple[int, int]]] = {kind: [] for kind in KINDS}
    async with _crowd(folder) as crowd:
        moving = cycle(crowd.matches)
        for turn in range(ROUNDS * len(KINDS)):
            kind = KINDS[turn % len(KINDS)]
            flood = asyncio.create_task(crowd.flood(kind, turn))
            moves = []
            for match in islice(moving, MOVES):
                moves.append((match.place, asyncio.create_task(match.move())))
                await asyncio.sleep(1 / MOVES_A_SECOND)
            made[kind] += [(place, await move) for place, move in moves]
            flood.cancel()
            await asyncio.gather(flood)
        return {kind: crowd.waits(moves) for kind, moves in made.items()}


@asynccontextmanager
async def _crowd(folder: Path) -> AsyncIterator[Crowd]:
    """Run a bot, and have everybody begin their matches."""
    discord = Door()
    wanted = [standing_at("gyges", "classic", 10)] * ROUNDS + [standing_at("redo", "standard", 290)] * LONG
    async with crowded_bot(folder, discord, RUNNING, ROUNDS, wanted, picture_workers=2, bound=note_posts) as crowded:
        with closing(sqlite3.connect(crowded.file)) as found:
            first = "SELECT thread_id, user_id FROM matches m JOIN seats s ON s.match_id = m.id AND s.seat = m.to_move"
            movers = found.execute(f"{first} WHERE thread_id IN ({','.join(map(str, crowded.threads))})").fetchall()
            longest = "SELECT id FROM matches WHERE guild_id = ? AND game = 'redo' ORDER BY ply DESC LIMIT ?"
            numbers = [number for (number,) in found.execute(longest, (discord.guild.id, LONG))]
        matches = [await begin_match(discord, number) for number in range(PAIRS)]
        yield Crowd(discord, crowded.running, crowded.people, matches, numbers, movers)


async def begin_match(discord: Door, number: int) -> Match:
    """Begin a match between two people of its own."""
    one, other = (discord.add_person(f"m{number}{side}", f"Mover {number} {side}") for side in "ab")
    # The bot plays a forced pass by itself: people's moves would alternate no longer.
    moves = next(found for seed in count(number, PAIRS) if "pass" not in (found := _moves(seed)))
    match = Match(discord, (one, other), moves)
    await match.begin()
    return match


def _moves(seed: int) -> list[str]:
    random, position, moves = Random(seed), GAMES["redo"].start(players=2), list[str]()
    while len(moves) < PLIES:
        legal = [move for move in position.legal_moves() if position.question(move) is None]
        move = random.choice([move for move in legal if position.play(move).result is None])
        position = position.play(move)
        moves.append(str(move))
    return moves
