"""Moves while one changes many boards

A bot on SQLite with 10,000 running matches and two processes for pictures; Discord is another process, reached by HTTP
and gateway, that limits nothing itself, so that the bot's own limit of calls a second holds. A person with 50 timed
matches and ten open challenges does something that concerns all of them, while other people move, three times a second.
Three people do each of it, one after the other. Calls are those that the bot makes from then on until twelve moves are
answered, those of the moves included. Milliseconds from the moment at which Discord has passed a move on to the one at
which the bot begins to post the board; of the first board after the act the median of the three.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, cycle, islice
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from aiohttp.web import WebSocketResponse
from discord.http import HTTPClient, Route
from simcord.backend.models import User

from bot.games import GAMES
from tests.figures import table
from tests.figures.crowd import crowded_bot
from tests.support.processes.loopback import TEST_SECONDS, Loopback
from tests.support.processes.processes import Running

RUNNING, MATCHES, CHALLENGES, PARTNERS = 10_000, 50, 10, 5
PEOPLE, MOVERS, MOVES, PLIES = 3, 8, 12, 110
"""People who do each thing, pairs who move, their moves after each time, and the most in a match."""
MOVES_A_SECOND = 3
IN_MEMORY = Path("/dev/shm")
"""Where Linux keeps files in memory."""


def note_posts() -> None:
    """Have the bot of this process print where it begins to post a message, and when."""
    request = HTTPClient.request

    def noted(client: HTTPClient, route: Route, **options: Any) -> Coroutine[Any, Any, Any]:
        if route.method == "POST" and route.path == "/channels/{channel_id}/messages":
            print("posts", route.channel_id, time.monotonic())
        return request(client, route, **options)

    HTTPClient.request = noted  # type: ignore[assignment,method-assign]


class Door(Loopback):
    """A Discord that counts the bot's calls, and notes when it has passed an interaction on and a message is posted."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.arrivals: dict[int, asyncio.Future[None]] = {}
        self.passed_on: dict[int, float] = {}
        """By interaction."""

    async def _send(self, gateway: WebSocketResponse, event: str, payload: Mapping[str, Any]) -> None:
        await super()._send(gateway, event, payload)
        if event == "INTERACTION_CREATE":
            self.passed_on[int(payload["id"])] = time.monotonic()

    async def admit(self, call: str) -> None:
        """Count a call, and note a message."""
        self.calls += 1
        found = re.fullmatch(r"POST /channels/(\d+)/messages", call)
        if found is not None and (posted := self.arrivals.pop(int(found[1]), None)) is not None:
            posted.set_result(None)
        await super().admit(call)


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


Act = Callable[[Door, User], Awaitable[str]]


def prefer(**options: object) -> Act:
    """Return an act that sets preferences."""

    async def act(discord: Door, person: User) -> str:
        return await discord.answered(discord.ask(person, discord.channel, "preferences", **options))

    return act


async def block(discord: Door, person: User) -> str:
    """Block the first of the person's partners."""
    partner = next(one for one in discord.backend.users.values() if one.name == f"{person.name}0")
    return await discord.answered(discord.ask(person, discord.channel, "block", person=partner))


async def delete_everything(discord: Door, person: User) -> str:
    """Ask for the deletion of everything, and mean it."""
    asked = discord.ask(person, discord.channel, "privacy", action="delete")
    await discord.answered(asked)
    discord.press(person, discord.channel, "privacy:erase")
    await discord.until(lambda: "privacy:erase" not in discord.controls(discord.channel))
    return discord.said(discord.channel, discord.backend.interactions[asked].message_id or 0)


async def nothing(_discord: Door, _person: User) -> str:
    """Do nothing."""
    return ""


ACTS: Mapping[str, tuple[Act, str]] = {
    "nothing": (nothing, ""),
    "go away": (prefer(away_days=1), "Away: **until"),
    "come back": (prefer(away_days=0), "Away: **no**"),
    "a weekly rest": (prefer(rest="Saturday Sunday", zone="Europe/Rome"), "Weekly rest: **Sat"),
    "another theme": (prefer(theme="light"), "Theme: **Light**"),
    "block a partner": (block, "can no longer challenge you"),
    "delete everything": (delete_everything, "has been deleted"),
}
"""What people do, and words of the answer when it is done."""


def measure() -> list[str]:
    """Have people do each thing, and others move at once."""
    with TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        rows = asyncio.run(_measured(Path(folder)))
    usual = median(rows[0][2])
    return table(
        ("What a person does", "calls", "first board", "of that without", "all boards, median", "at most"),
        [
            (
                what,
                calls,
                f"{median(first):.0f}",
                f"{median(first) / usual:.2f}",
                f"{median(waits):.0f}",
                f"{max(waits):.0f}",
            )
            for what, calls, first, waits in rows
        ],
    )


async def _measured(folder: Path) -> list[tuple[str, int, list[float], list[float]]]:
    discord = Door()
    rows = []
    async with crowded_bot(folder, discord, RUNNING, 0, picture_workers=2, bound=note_posts) as crowded:
        moving = [await _begin_match(discord, number) for number in range(MOVERS)]
        owners = [await _owner(discord, f"owner{number}") for number in range(PEOPLE)]
        turns = cycle(moving)
        for what, (act, words) in ACTS.items():
            calls, first, every = [], [], []
            for owner in owners:
                await _moves(turns)
                before = discord.calls
                if words not in (answer := await act(discord, owner)):
                    raise RuntimeError(f"{what}: {answer!r}")
                made = await _moves(turns)
                calls.append(discord.calls - before)
                waits = _waits(discord, crowded.running, made)
                first.append(waits[0])
                every += waits
            rows.append((what, round(median(calls)), first, every))
    return rows


def _waits(discord: Door, running: Running, moves: Iterable[tuple[int, int]]) -> list[float]:
    """Return for each move, a place and an interaction, the milliseconds until the bot began to post a board there."""
    posted: dict[int, list[float]] = {}
    for line in running.lines:
        if line.startswith("posts "):
            _, place, at = line.split()
            posted.setdefault(int(place), []).append(float(at))
    begun = ((place, discord.passed_on[asked]) for place, asked in moves)
    return [1000 * next(at - passed_on for at in posted[place] if at >= passed_on) for place, passed_on in begun]


async def _moves(turns: Iterator[Match]) -> list[tuple[int, int]]:
    """Have some of the people move, one after the other; return where, and the interactions."""
    moves = []
    for match in islice(turns, MOVES):
        moves.append((match.place, asyncio.create_task(match.move())))
        await asyncio.sleep(1 / MOVES_A_SECOND)
    return [(place, await move) for place, move in moves]


async def _owner(discord: Door, name: str) -> User:
    """Return a person with matches against a few partners, and with open challenges."""
    owner = discord.add_person(name, name.title())
    partners = [discord.add_person(f"{name}{number}", f"{name} {number}".title()) for number in range(PARTNERS)]
    terms = {"game": "yonmoque", "pace": "3 days"}
    for _ in range(CHALLENGES):
        await _challenge(discord, owner, terms)
    for number in range(MATCHES):
        earlier = discord.controls(discord.channel)
        await _challenge(discord, partners[number % PARTNERS], {**terms, "opponent": owner})
        card = await discord.control(discord.channel, r"challenge:accept:\d+", but=earlier)
        await discord.answered(discord.press(owner, discord.channel, card[0]))
    return owner


async def _challenge(discord: Door, person: User, terms: Mapping[str, object]) -> None:
    answer = await discord.answered(discord.ask(person, discord.channel, "challenge", **terms))
    if "Challenge sent" not in answer:
        raise RuntimeError(answer)


async def _begin_match(discord: Door, number: int) -> Match:
    """Begin a match between two people of its own."""
    one, other = (discord.add_person(f"m{number}{side}", f"Mover {number} {side}") for side in "ab")
    # The bot plays a forced pass by itself: people's moves would alternate no longer.
    moves = next(found for seed in count(number, MOVERS) if "pass" not in (found := _game(seed)))
    match = Match(discord, (one, other), moves)
    await match.begin()
    return match


def _game(seed: int) -> list[str]:
    random, position, moves = Random(seed), GAMES["redo"].start(players=2), list[str]()
    while len(moves) < PLIES:
        legal = [move for move in position.legal_moves() if position.question(move) is None]
        move = random.choice([move for move in legal if position.play(move).result is None])
        position = position.play(move)
        moves.append(str(move))
    return moves
