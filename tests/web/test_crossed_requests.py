"""Random requests, doubled, replayed, stale and crossed, through the page and Discord at once: each ply is stored once.

The bots are processes of their own, and so are both doors: HTTP with a session that a link from Discord began, and the
gateway with answers over HTTP. On PostgreSQL two bots serve the page, and windows reach either.
"""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from simcord.backend.models import Message

from bot.compute import rate_limit
from bot.games import GAMES
from bot.games.game import Position, split_text
from bot.storage import matches, patience
from bot.storage.database import Database
from bot.storage.records import Entry
from renderers import image
from tests.crash.bot_process import BLANK
from tests.operation.conftest import Start, discord, start
from tests.support.postgresql import needs_postgresql
from tests.support.processes.loopback import Loopback
from tests.support.processes.playing import moved_on
from tests.web.browser import Browser
from tests.web.doors import Doors, doors

__all__ = ["discord", "start"]
PAIRS = 3
"""How many pairs of people play at the same time."""
QUICK, SLOW = 30, 1000
"""Requests of the quick test, and of the slow one on each database."""
Ask = Callable[[int, str], Coroutine[Any, Any, str | None]]
"""Asks for a move for a seat; returns the move that the answer says is played, if any."""


def generous() -> None:
    """Let people ask for as much as they like, and wait for long; draw nothing, which takes time and stores nothing."""
    rate_limit.BUDGET = 1e9
    patience.PERSON = patience.VISITOR = patience.WORK
    image.png = lambda *_, **__: BLANK


@dataclass
class Pair:
    """Two people with a channel of their own, who play one match after the other."""

    discord: Loopback
    number: int
    random: Random
    asked: int = 0
    """Requests made so far."""
    match_id: int = 0
    line: list[str] = field(default_factory=list)
    """The moves of this match."""
    posted: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    """What was sent from the page in this match and carried out: the seat, and the body."""
    commands: list[tuple[int, str]] = field(default_factory=list)
    """The commands of this match that were carried out: the interaction, and the move."""
    builders: list[Message] = field(default_factory=list)
    """An open builder of each person."""

    def __post_init__(self) -> None:
        self.people = [self.discord.add_person(f"p{self.number}{side}", f"P {self.number} {side}") for side in "ab"]
        self.place = self.discord.backend.create_channel(self.discord.guild.id, f"games-{self.number}").id
        self.windows: list[list[Browser]] = [[], []]

    async def play(self, doors: Doors, database: Database, enough: int) -> None:
        """Play matches with crossed requests until these are enough."""
        self.doors, self.database = doors, database
        while self.asked < enough:
            await self._begin()
            game = GAMES["yonmoque"]
            position, own = game.start(players=2), ["", ""]
            while self.asked < enough and position.result is None:
                ply = len(self.line)
                await moved_on(self.discord, self.place, str(self.match_id), ply)
                text = await self._ply(position, ply, own[ply % 2])
                position, own[ply % 2] = position.play(position.parse(text)), text
            await moved_on(self.discord, self.place, str(self.match_id), len(self.line))
            boards = rf"Yonmoque · match {self.match_id}\b"
            found = [text for text in self.discord.posted(self.place) if re.search(boards, text)]
            assert len(found) == 1 + len(self.line), f"a board for each ply of {self.line}: {found}"

    async def stored(self) -> list[Entry]:
        """Return the moves of the match as they are stored."""
        async with self.database.read() as tx:
            return await matches.moves_of(tx, self.match_id)

    async def _begin(self) -> None:
        """Begin a match in Discord, and open windows of both."""
        server, (one, other) = self.discord, self.people
        earlier = server.controls(self.place)
        asked = server.ask(one, self.place, "challenge", game="yonmoque", opponent=other, first="challenger")
        await server.answered(asked)
        card = await server.control(self.place, r"challenge:accept:\d+", but=earlier)
        await server.answered(server.press(other, self.place, card[0]))
        board = await server.control(self.place, r"play:(\d+):0", but=earlier)
        self.match_id, self.line, self.posted, self.commands, self.builders = int(board[1]), [], [], [], []
        if not self.windows[0]:
            for seat, person in enumerate(self.people):
                for _ in range(2):
                    self.windows[seat].append(await self.doors.opened(person, self.place, self.match_id))

    async def _ply(self, position: Position, ply: int, before: str) -> str:
        """Send everything at once that may come at a ply; return the move that was played.

        Each request that may be carried out is for another move, so that the move says which one was. ``before`` is
        the last move of the player.
        """
        random, mover, waiting = self.random, ply % 2, 1 - ply % 2
        if ply < 2:
            opened = self.discord.press(self.people[mover], self.place, f"play:{self.match_id}:{ply}")
            await self.discord.answered(opened)
            self.builders.append(self.doors.answer(opened))
        moves = [str(move) for move in position.legal_moves()]
        texts = random.sample(moves, random.randint(1, min(4, len(moves))))
        back = "-".join(reversed(before.split("-")))
        if before != back and back in moves:
            # Where the piece goes back to where it was, an earlier command is legal once more.
            texts = [back]
        valid: list[Ask] = [self._ask, partial(self._press, ply), partial(self._post_new, ply)]
        valid.append(partial(self._post_thrice, ply))
        commands = [interaction for interaction, text in self.commands if text not in texts]
        late = next((move for move in moves if move not in self.line), None)
        wanted: list[Coroutine[Any, Any, str | None]] = [
            *(way(mover, text) for way, text in zip(random.sample(valid, len(texts)), texts, strict=True)),
            *(self._post_new(ply, waiting, text) for text in random.choices(moves, k=3)),
            *(self._repeat(*one) for one in random.choices(self.posted, k=8 if self.posted else 0)),
            *(self._deliver_again(one) for one in random.sample(commands, min(3, len(commands)))),
        ]
        if ply and late is not None:
            wanted += [self._post_new(at, random.choice((0, 1)), late) for at in random.choices(range(ply), k=8)]
            wanted.append(self._press(ply - 1, waiting, late))
        random.shuffle(wanted)
        told = await asyncio.gather(*wanted)
        entries = await self.stored()
        assert len(entries) == ply + 1, f"{len(entries)} moves are stored after ply {ply}: {entries}"
        last = entries[-1].text
        assert last in texts
        assert set(told) - {None} == {last}, f"{told} was said, {last} is stored"
        self.asked += len(wanted)
        self.line.append(last)
        return last

    def _body(self, ply: int, text: str) -> dict[str, Any]:
        return {"request": str(uuid4()), "keys": list(split_text(text)), "ply": ply, "confirmed": True}

    async def _post_new(self, ply: int, seat: int, text: str) -> str | None:
        return await self._post(seat, self._body(ply, text))

    async def _post_thrice(self, ply: int, seat: int, text: str) -> str | None:
        """Send one request from several windows at once."""
        body = self._body(ply, text)
        self.asked += 2
        said = await asyncio.gather(*(self._sent(seat, body) for _ in range(3)))
        came = sorted(one["came"] for one in said)
        assert came in (["done", "repeated", "repeated"], ["refused"] * 3), said
        return next((one["played"] for one in said if one["came"] == "done"), None)

    async def _post(self, seat: int, body: dict[str, Any]) -> str | None:
        """Send a move from one of the windows of a person; return the move that the answer says is played, if any."""
        said = await self._sent(seat, body)
        return str(said["played"]) if said["came"] == "done" else None

    async def _sent(self, seat: int, body: dict[str, Any]) -> dict[str, Any]:
        """Send a move from one of the windows of a person; return the answer."""
        answer = await self.random.choice(self.windows[seat]).post(f"/api/match/{self.match_id}/move", body)
        said: dict[str, Any] = await answer.json()
        came = said["came"]
        assert (answer.status, came) in ((200, "done"), (200, "repeated"), (409, "refused")), said
        if came == "done":
            self.posted.append((seat, body))
        return said

    async def _repeat(self, seat: int, body: dict[str, Any]) -> None:
        """Send a request again that was carried out: the answer says so, and denies nothing."""
        window = self.random.choice(self.windows[seat])
        said = await (await window.post(f"/api/match/{self.match_id}/move", body)).json()
        assert said.keys() == {"came", "now"}
        assert said["came"] == "repeated"

    async def _ask(self, seat: int, text: str) -> str | None:
        """Type a move into ``/move``, which Discord delivers twice; return the move that the answer says is played."""
        await self._wait()
        interaction = self.discord.ask(self.people[seat], self.place, "move", move=text)
        self.doors.deliver_again(interaction)
        said = played(await self.discord.answered(interaction))
        if said is not None:
            self.commands.append((interaction, text))
        return said

    async def _press(self, ply: int, seat: int, text: str) -> str | None:
        """Press *Play it* in a builder; return the move that the builder says is played."""
        await self._wait()
        custom_id = f"b-play:{self.match_id}:{ply}:0:{text}"
        return played(await self.doors.pressed(self.people[seat], self.builders[seat], custom_id))

    async def _wait(self) -> None:
        """Let requests of the page begin: with a session to be looked up, they would never be the first."""
        await asyncio.sleep(self.random.choice((0, 0.01, 0.02)))

    async def _deliver_again(self, interaction: int) -> None:
        """Have Discord deliver an earlier command once more, which the bot leaves unanswered."""
        self.doors.deliver_again(interaction)


def played(said: str) -> str | None:
    """Return the move that a sentence says was played."""
    found = re.search(r"You played \*\*([^*]+)\*\*", said)
    return None if found is None else found[1]


@pytest.mark.parametrize("requests", [QUICK, pytest.param(SLOW, marks=pytest.mark.slow)])
async def test_no_ply_is_lost_and_none_is_doubled_on_sqlite(
    discord: Loopback, start: Start, tmp_path: Path, empty_database: Path, requests: int
) -> None:
    await crossed(discord, start, f"sqlite+aiosqlite:///{shutil.copy(empty_database, tmp_path)}", requests)


@needs_postgresql
@pytest.mark.slow
async def test_no_ply_is_lost_and_none_is_doubled_on_postgresql(discord: Loopback, start: Start, server: str) -> None:
    await crossed(discord, start, server, SLOW)


async def crossed(discord: Loopback, start: Start, url: str, requests: int) -> None:
    """Have pairs of people play with crossed requests, which are that many together."""
    settings = {"database_url": url, "threads": "false", "bound": generous}
    pairs = [Pair(discord, number, Random(number)) for number in range(PAIRS)]
    database = Database(url)
    try:
        async with doors(discord, start, **settings) as opened, asyncio.TaskGroup() as playing:
            for pair in pairs:
                playing.create_task(pair.play(opened, database, requests // PAIRS + 1))
    finally:
        await database.close()
