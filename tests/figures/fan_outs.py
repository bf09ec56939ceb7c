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
from collections.abc import Awaitable, Callable, Iterator, Mapping
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from simcord.backend.models import User

from tests.figures import table
from tests.figures.crowd import crowded_bot
from tests.figures.fairness import IN_MEMORY, MOVES_A_SECOND, Crowd, Door, Match, begin_match, note_posts

RUNNING, MATCHES, CHALLENGES, PARTNERS = 10_000, 50, 10, 5
PEOPLE, MOVERS, MOVES = 3, 8, 12
"""People who do each thing, pairs who move, and their moves after each time."""

Act = Callable[[Door, User], Awaitable[str]]


class CountingDoor(Door):
    """A Discord that counts the bot's calls."""

    calls = 0

    async def admit(self, call: str) -> None:
        """Count a call."""
        self.calls += 1
        await super().admit(call)


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
    discord = CountingDoor()
    rows = []
    async with crowded_bot(folder, discord, RUNNING, 0, picture_workers=2, bound=note_posts) as crowded:
        moving = [await begin_match(discord, number) for number in range(MOVERS)]
        crowd = Crowd(discord, crowded.running, crowded.people, moving, [], [])
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
                waits = [1000 * wait for wait in crowd.waits(made)]
                first.append(waits[0])
                every += waits
            rows.append((what, round(median(calls)), first, every))
    return rows


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
