"""No command holds the event loop much longer where 10,000 people are rated and the person has 10,000 matches behind
them than where it is 100 of each.
"""

from __future__ import annotations

import math
import shutil
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from discord import app_commands
from sqlalchemy import Table

from bot.settings import Settings
from bot.storage import tables
from tests.support import settling
from tests.support.acting import FINISHED, answer, challenge, challenge_accepted, itself, play
from tests.support.loop_steps import longest_step
from tests.support.simulated_discord import SimulatedDiscord, give_management, simulated_discord

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

FEW, MANY = 100, 10_000
MOST = 3.0
"""How much longer the longest step may be than that of the same command, or of the usual one, in the small server."""
TRIES = 3
"""How often a command is given that takes longer; the fastest counts."""
FAR = 10**18
"""The first id of people who are only in the database."""


async def test_no_command_holds_the_loop_longer_where_people_and_matches_are_many(
    settings: Settings,
    tmp_path: Path,
    empty_database: Path,
    drawn_once: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # An export of so many matches takes its time.
    monkeypatch.setattr(settling, "PATIENCE", 500.0)
    found = []
    limits: dict[str, float] = {}
    for size in (FEW, MANY):
        file = shutil.copy(empty_database, tmp_path / f"{size}.db")
        own = settings.model_copy(update={"database_url": f"sqlite+aiosqlite:///{file}"})
        async with simulated_discord(own) as sim:
            await _fill(sim, Path(file), size)
            found.append(await _longest_steps(sim, size, limits))
        usual = median(found[0].values())
        limits = {name: MOST * max(usual, seconds) for name, seconds in found[0].items()}
    assert len(limits) > 50
    assert {name: f"{seconds / limits[name]:.1f}" for name, seconds in found[1].items() if seconds > limits[name]} == {}


def _options(sim: SimulatedDiscord, size: int) -> Mapping[str, Mapping[str, Any]]:
    """Return the options of commands that need or want some. The first match is over, and two later ones run."""
    over, running = 1, size + 2
    return {
        "challenge": {"game": "redo"},
        "play": {"game": "yonmoque", "level": 1},
        "move": {"move": "a1", "match": running},
        "games": {"game": "redo"},
        "cup": {"game": "yonmoque"},
        "matches": {"finished": True},
        "match": {"pace": "2 days", "match": running},
        "manage void": {"match": over},
        "manage bar": {"person": sim.carol},
        "manage unbar": {"person": sim.carol},
        "manage remove": {"person": sim.carol},
    }


async def _longest_steps(sim: SimulatedDiscord, size: int, limits: Mapping[str, float]) -> dict[str, float]:
    """Return the loop's longest step for every command, every suggestion, and the deletion of everything."""
    found: dict[str, float] = {}
    options = _options(sim, size)

    async def measure(name: str, give: Callable[[], Awaitable[object]]) -> None:
        for _ in range(TRIES):
            # The person's budget is full again.
            sim.bot._rate_limit._accounts.clear()
            with longest_step() as longest:
                await give()
            found[name] = min(longest.seconds, found.get(name, longest.seconds))
            if found[name] <= limits.get(name, math.inf):
                return

    for command in sim.bot.tree.walk_commands():
        if isinstance(command, app_commands.Command):
            name = command.qualified_name
            await measure(f"/{name}", partial(sim.alice.slash, sim.channel, name, **options.get(name, {})))
            for option in command.parameters:
                if option.autocomplete:
                    given = {"game": "redo"} if option.name == "variant" else {}
                    typing = partial(sim.alice.autocomplete, sim.channel, name, option.name, "", **given)
                    await measure(f"/{name} {option.name}:", typing)
    for action, match in (("review", 1), ("replay", 1), ("export", 1), ("hint", size + 3)):
        looking = partial(sim.alice.slash, sim.channel, "match", action=action, match=match)
        await measure(f"/match {action}", looking)
    slash = sim.alice.slash
    await measure("/matches running", partial(slash, sim.channel, "matches"))
    await measure("/matches with one", partial(slash, sim.channel, "matches", finished=True, opponent=sim.bob))
    await measure("/leaderboard won", partial(slash, sim.channel, "leaderboard", by="month"))
    await measure("/profile of another", partial(sim.bob.slash, sim.channel, "profile", person=sim.alice))
    await measure("Challenge", partial(sim.alice.context_menu, sim.channel, "Challenge", sim.bob))
    question = answer(await sim.alice.slash(sim.channel, "privacy", action="delete"))
    with longest_step() as longest:
        await sim.alice.click(question, label="Delete everything")
    found["deletion"] = longest.seconds
    return found


async def _fill(sim: SimulatedDiscord, file: Path, size: int) -> None:
    """Have Alice win a match against Bob, store that match against so many others, too, and begin some matches."""
    give_management(sim, sim.alice)
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    with closing(sqlite3.connect(file)) as database, database:
        _multiply(database, size, sim.bob.id)
    await challenge_accepted(sim)
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=itself(sim), level=1, first="opponent")
    await challenge(sim, opponent=None)


def _multiply(database: sqlite3.Connection, size: int, opponent: int) -> None:
    """Store the match again and again with other numbers, and with another person in the place of an opponent."""
    other = f"CASE user_id WHEN {opponent} THEN {FAR} + i ELSE user_id END"
    of_match = {"match_id": "match_id + i"}
    copied: Mapping[Table, Mapping[str, str]] = {
        tables.matches: {"id": "id + i", "thread_id": "thread_id + i", "finish": "finish + i"},
        tables.seats: {**of_match, "user_id": other, "name": "name || i"},
        tables.moves: of_match,
        tables.rating_changes: {**of_match, "user_id": other},
        tables.ratings: {"user_id": f"{FAR} + i"},
        tables.challenges: {"id": "id + i", **of_match},
        tables.challenge_players: {"challenge_id": "challenge_id + i"},
    }
    for table, changed in copied.items():
        columns = [column.name for column in table.columns]
        values = [changed.get(name, f'"{name}"') for name in columns]
        some = f"WHERE user_id = {opponent}" if table is tables.ratings else ""
        names = ", ".join(f'"{name}"' for name in columns)
        database.execute(
            f"WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < {size}) "
            f"INSERT INTO {table.name} ({names}) SELECT {', '.join(values)} FROM {table.name}, numbers {some}"
        )
