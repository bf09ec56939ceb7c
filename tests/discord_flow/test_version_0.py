"""The database and the messages of an earlier version: every control on them works, and people play on."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from simcord.backend.models import Channel, Message, ThreadMetadata
from simcord.results import InteractionResult, ResponseMessage
from sqlalchemy import create_engine

from bot.settings import Settings
from bot.storage import people
from bot.storage.migrations import upgrade
from bot.storage.people import Preferences
from bot.storage.records import MatchState
from bot.storage.tables import metadata
from tests.support.acting import answer, board_of, boards, build, custom_ids, play, pressed, told
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord, simulated_discord
from tests.support.stored import stored

LEFT_BEHIND = Path(__file__).parents[1] / "fixtures" / "version_0"
USUAL = Preferences("dark", coordinates=True, confirm=True, text_boards=False, reminders=True)
"""The row of a person who had chosen nothing."""
ACTS = re.compile(r"(challenge|rematch|offer|claim|b-play|resign:yes|privacy:erase)\b.*")


@dataclass(frozen=True, slots=True)
class PostedControl:
    """A control on a message, a person who may press it, and their choice in a menu."""

    place: int
    message: int
    custom_id: str
    person: str
    choice: str | None = None

    def __str__(self) -> str:
        return f"{self.custom_id} on {self.message}"


@cache
def discord_json() -> dict[str, Any]:
    """Return the recorded messages."""
    content: dict[str, Any] = json.loads((LEFT_BEHIND / "discord.json").read_text(encoding="utf-8"))
    return content


def stored_sql() -> str:
    """Return the statements that fill the recorded database."""
    return (LEFT_BEHIND / "tavoliere.sql").read_text(encoding="utf-8")


CONTROLS = [PostedControl(**control) for control in discord_json()["controls"]]
ACTING = [control for control in CONTROLS if ACTS.fullmatch(control.custom_id)]
SHOWING = [control for control in CONTROLS if control not in ACTING]


def settle_in(sim: SimulatedDiscord) -> None:
    """Put the recorded messages into Discord under the same ids, and give no recorded id to anything new."""
    backend, left = sim.env.backend, discord_json()
    assert [sim.guild.id, sim.channel.id] == [left["guild"], left["channel"]]
    assert [sim.alice.id, sim.bob.id, sim.carol.id] == left["people"]
    backend.clock.advance(left["elapsed"])
    processed = re.findall(r"^INSERT INTO interactions .* VALUES \((\d+)", stored_sql(), re.MULTILINE)
    assert processed
    for taken in {posted["id"] for posted in (*left["threads"], *left["messages"])} | set(map(int, processed)):
        backend.reserve_id(taken)
    for thread in left["threads"]:
        metadata = ThreadMetadata(**thread["thread_metadata"])
        backend.channels[thread["id"]] = Channel(**thread | {"thread_metadata": metadata, "thread_members": {}})
    for message in left["messages"]:
        backend.messages.setdefault(message["channel_id"], {})[message["id"]] = Message(**message)


def leave_behind(settings: Settings) -> None:
    """Put the database of version 0 where the bot looks for its own."""
    file = Path(settings.database_url.partition("///")[2])
    file.unlink()
    engine = create_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        upgrade(connection, "0035")
    engine.dispose()
    with closing(sqlite3.connect(file)) as rows:
        rows.executescript(stored_sql())


@asynccontextmanager
async def updated(settings: Settings) -> AsyncIterator[SimulatedDiscord]:
    """Start the bot on the recorded database."""
    leave_behind(settings)
    async with simulated_discord(settings, settle_in) as sim:
        await sim.env.settle()
        yield sim


async def everything(sim: SimulatedDiscord) -> dict[str, list[Any]]:
    """Return every row there is."""
    async with sim.bot.context.services.database.read() as tx:
        return {table.name: list(await tx.execute(table.select())) for table in metadata.sorted_tables}


async def press(sim: SimulatedDiscord, control: PostedControl) -> InteractionResult:
    """Press a control on the message it stands on."""
    message = ResponseMessage(sim.env, sim.env.backend.get_message(control.place, control.message))
    return await pressed(sim, getattr(sim, control.person), message, control.custom_id, control.choice)


@pytest.mark.parametrize("control", sampled(ACTING, every=20), ids=str)
async def test_every_posted_control_that_changes_something_does(settings: Settings, control: PostedControl) -> None:
    async with updated(settings) as sim:
        before = await everything(sim)
        result = await press(sim, control)
        assert result.acknowledged
        assert "went wrong" not in told(result)
        assert await everything(sim) != before


@pytest.mark.slow
async def test_every_other_posted_control_shows_something(settings: Settings) -> None:
    async with updated(settings) as sim:
        before = await everything(sim)
        for control in SHOWING:
            result = await press(sim, control)
            assert result.acknowledged, control
            assert "went wrong" not in told(result), control
        after = await everything(sim)
        noted = after.pop("people")  # A press stores the language of the person's Discord, and when it was made.
        del before["visits"], after["visits"]
        assert all(row in noted for row in before.pop("people"))
        assert after == before


async def test_what_was_still_to_be_posted_is_posted_and_people_play_on(settings: Settings) -> None:
    async with updated(settings) as sim:
        place = (await stored(sim, 7)).place_id
        assert [custom_ids(board)[:1] for board in boards(sim, place)] == [[], [], [], ["play:7:3"]]
        builder = answer(await sim.bob.click(board_of(sim, place), label="Play"))
        await build(sim.bob, builder, "a2")
        await play(sim, place, "d3", "a4")
        assert custom_ids(board_of(sim, place))[0] == "play:7:6"
        assert [bool(custom_ids(board)) for board in boards(sim, place)] == [False] * 6 + [True]


async def test_matches_challenges_and_wishes_are_what_they_were(settings: Settings) -> None:
    async with updated(settings) as sim:
        services = sim.bot.context.services
        for custom_id in ("offer:accept:1", "offer:accept:2", "claim:4:0", "challenge:accept:9", "rematch:1"):
            await press(sim, next(control for control in CONTROLS if control.custom_id == custom_id))
        matches = [await stored(sim, number) for number in range(1, 9)]
        over = [match.id for match in matches if match.state is MatchState.OVER]
        assert over == [1, 2, 4]
        assert [match.reason for match in matches[:4:2]] == ["four in a row", None]
        assert (matches[5].ply, matches[5].mover.person.id) == (2, sim.alice.id)
        assert (matches[7].game, {seat.person.id for seat in matches[7].seats}) == ("redo", {sim.bob.id, sim.carol.id})
        assert await services.read(people.preferences, sim.alice.id) == replace(
            USUAL, theme="light", coordinates=False, locale="en"
        )
        assert await services.read(people.preferences, sim.bob.id) == replace(USUAL, text_boards=True, locale="en")
        rated = [row for row in (await everything(sim))["ratings"] if row.game == "yonmoque"]
        games = {row.user_id: row.wins + row.draws + row.losses for row in rated}
        # Matches 2 and 4 end here, before both have moved twice.
        assert games == {sim.alice.id: 1, sim.bob.id: 1}
