"""People who challenge each other and play, whatever becomes of the bots: a person without an answer tries again.

They see what is posted in Discord. What the rules allow in a position they know from the list of moves.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, TypeVar

from simcord.backend.models import Interaction, User
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.demo.interactions import NotPossible
from bot.games import GAMES
from bot.matches.model.game_state import replay
from bot.messages import custom_ids
from bot.storage import matches
from bot.storage.records import ChallengeState, Match, MatchState
from bot.storage.tables import challenge_players, challenges, seats
from bot.storage.tables import matches as match_table
from tests.scale.crowded_discord import PATIENCE, CrowdedDiscord, Posted, Room

T = TypeVar("T")

GAMES_PLAYED = ("yonmoque", "rectangles")
"""Games whose moves can all be listed quickly."""
PACE_SECONDS = 86400
LONGEST_ANSWER = 15.0
"""Seconds a person waits for what follows from an interaction that was acknowledged."""
EVERY = 0.5
"""Seconds after which a person looks again."""


@dataclass
class Table:
    """Two people who are to play one match, or one person and a computer player."""

    number: int
    room: Room
    channel: int
    one: User
    other: User | None
    plies: int
    """After how many plies a person resigns, unless the game has ended."""
    resigns: bool
    match: int = 0
    """The match they play, or the last one."""


@dataclass
class Crowd:
    """Everybody who plays, and what they have asked for."""

    discord: CrowdedDiscord
    url: str
    tables: list[Table]
    sent: dict[tuple[int, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    """Which moves were sent for each ply of each match."""
    sent_by: dict[int, tuple[int, int, str]] = field(default_factory=dict)
    """Match, ply and text of the move that was sent with each interaction."""
    enough: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when nobody begins another match."""

    def __post_init__(self) -> None:
        self._engine: AsyncEngine = create_async_engine(self.url, pool_pre_ping=True, pool_size=10, max_overflow=0)
        self._ready = asyncio.Semaphore(64)

    async def play(self) -> None:
        """Have everybody play one match after the other until it is enough."""
        async with asyncio.TaskGroup() as tasks:
            for table in self.tables:
                tasks.create_task(self._play(table))

    async def close(self) -> None:
        """Leave."""
        await self._engine.dispose()

    async def look(self, question: Callable[[AsyncConnection], Any]) -> Any:
        """Ask the database, however often it is not there."""
        while True:
            try:
                async with self._engine.connect() as tx:
                    return await question(tx)
            except (SQLAlchemyError, OSError):
                await asyncio.sleep(EVERY)

    async def _play(self, table: Table) -> None:
        while True:
            table.match = await self._begun(table)
            await self._play_match(table)
            if self.enough.is_set():
                break

    async def _play_match(self, table: Table) -> None:
        chance = Random(table.number)
        while (board := await self._next_board(table)) is not None:
            assert board.ply is not None
            match, played = await self.look(lambda tx: _played(tx, table.match))
            if match.ply != board.ply or match.state is not MatchState.RUNNING:
                await self.discord.changed(EVERY)
                continue
            mover = table.one if match.mover.person.id == table.one.id else table.other
            if mover is None:
                await self.discord.changed(EVERY)
                continue
            state = replay(GAMES[match.game], match.variant, len(match.seats), played)
            if board.ply >= table.plies and table.resigns:
                await self.answered(partial(table.room.command, mover, board.place, "match", action="resign"))
                wanted = custom_ids.RESIGN(verb="yes", match=table.match, ply=board.ply)
                await self._then(table, board, mover, wanted)
                continue
            if board.ply >= table.plies and self.enough.is_set():
                break
            listed = [move for move in state.position.legal_moves() if state.position.question(move) is None]
            text = str(chance.choice(listed))
            self.sent[table.match, board.ply + 1].add(text)
            record = await self.answered(partial(table.room.command, mover, board.place, "move", move=text))
            if record is not None:
                self.sent_by[record.id] = table.match, board.ply + 1, text
            await self._after(table, board)

    async def _begun(self, table: Table) -> int:
        """Have a match begun, and return its number."""
        while True:
            found = await self.look(lambda tx: _match_of(tx, table))
            if found is not None:
                return int(found)
            challenge = None if table.other is None else await self.look(lambda tx: _challenge_of(tx, table))
            if table.other is None or challenge is None:
                await self.answered(partial(self._challenge, table))
            elif challenge.message_id is None:
                await self.discord.changed(EVERY)
            else:
                accept = custom_ids.CHALLENGE(verb="accept", challenge=challenge.id)
                press = partial(table.room.press, table.other, table.channel, challenge.message_id, accept)
                await self.answered(press)

    def _challenge(self, table: Table) -> Interaction:
        game = GAMES_PLAYED[table.number % len(GAMES_PLAYED)]
        options: dict[str, Any] = {"game": game, "first": "challenger"}
        if table.other is None:
            options |= {"opponent": self.discord.backend.bot_user, "level": 1}
        else:
            options |= {"opponent": table.other, "pace": str(PACE_SECONDS)}
        return table.room.command(table.one, table.channel, "challenge", **options)

    async def _next_board(self, table: Table) -> Posted | None:
        """Return the newest board of a match, once there is one; None when it says that the match is over."""
        while not (boards := self.discord.boards.get(table.match)):
            await self.discord.changed(EVERY)
        return None if boards[-1].ply is None else boards[-1]

    async def _after(self, table: Table, board: Posted) -> bool:
        """Wait for the board after another, if one comes; return whether it has come."""
        until = time.monotonic() + LONGEST_ANSWER
        while (moved_on := self.discord.boards[table.match][-1] is board) and time.monotonic() < until:
            await self.discord.changed(EVERY)
        return not moved_on

    async def answered(self, act: Callable[[], Interaction]) -> Interaction | None:
        """Ask the bot for something, and wait until it has answered or never will; return what was sent, if it was."""
        async with self._ready:
            try:
                record = act()
            except NotPossible:
                # The commands are not registered yet, or the message has changed.
                await asyncio.sleep(EVERY)
                return None
            until = time.monotonic() + PATIENCE.total_seconds()
            while not record.responded and time.monotonic() < until:
                await self.discord.changed(EVERY)
            until = time.monotonic() + LONGEST_ANSWER
            while record.responded and record.loading and time.monotonic() < until:
                await self.discord.changed(EVERY)
            return record

    async def _then(self, table: Table, board: Posted, person: User, wanted: str) -> None:
        """Say yes to a question by the button that is wanted, if it was asked, and wait for the board after that."""
        for message in reversed(list(self.discord.backend.messages[board.place].values())):
            if message.is_ephemeral and wanted in str(message.components):
                await self.answered(partial(table.room.press, person, board.place, message.id, wanted))
                await self._after(table, board)
                return


async def _played(tx: AsyncConnection, match_id: int) -> tuple[Match, Any]:
    match = await matches.get(tx, match_id)
    assert match is not None
    played = await matches.moves_of(tx, match_id)
    return match, [move for move in played if move.ply <= match.ply]


async def _match_of(tx: AsyncConnection, table: Table) -> int | None:
    """Return the first match after the last one of two people who play together, or of a person and the computer."""
    other = seats.alias()
    opposite = other.c.level.is_not(None) if table.other is None else other.c.user_id == table.other.id
    query = (
        select(match_table.c.id)
        .join(seats, seats.c.match_id == match_table.c.id)
        .join(other, other.c.match_id == match_table.c.id)
        .where(seats.c.user_id == table.one.id, opposite, match_table.c.guild_id == table.room.guild.id)
        .where(match_table.c.id > table.match)
        .order_by(match_table.c.id)
        .limit(1)
    )
    return (await tx.execute(query)).scalar_one_or_none()


async def _challenge_of(tx: AsyncConnection, table: Table) -> Any:
    assert table.other is not None
    query = (
        select(challenges)
        .join(challenge_players, challenge_players.c.challenge_id == challenges.c.id)
        .where(
            challenges.c.challenger_id == table.one.id,
            challenges.c.opponent_id == table.other.id,
            challenges.c.state == ChallengeState.OPEN,
        )
        .order_by(challenges.c.id)
        .limit(1)
    )
    return (await tx.execute(query)).first()
