"""A server full of running matches, and a stopwatch at the door between the bot and Discord.

Times are taken where the bot cannot help being honest: when an interaction reaches it, and when its calls leave it.
The simulation waits for nothing while the watch runs, so that looking for its end takes no time from the bot.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simcord._runtime import _CallbackRecord
from simcord.actors import MemberActor
from simcord.backend import Backend
from simcord.builders import ChannelHandle, GuildHandle
from simcord.env import Env
from simcord.http import router
from simcord.results import ResponseMessage, to_discord_message

from bot.client import create_bot
from bot.matches.services.match_queries import MatchView
from bot.settings import Settings
from bot.single_client import Tavoliere
from bot.storage import match_lists
from bot.storage.database import Database
from bot.storage.records import MatchState, Person
from bot.views.permissions import PERMISSIONS
from tests.support.acting import build, custom_ids
from tests.support.crowds.filling import Server, crowd, fill
from tests.support.crowds.matches import Scenario
from tests.support.simulated_discord import grant

# The simulation finds what it has scheduled by comparing records field by field, which under load takes longer than the
# bot; each record is one of a kind.
_CallbackRecord.__eq__ = object.__eq__  # type: ignore[method-assign]

SETTLE_SECONDS = 60.0
_ACKNOWLEDGEMENT = re.compile(r"/interactions/(\d+)/[^/]+/callback")
_ANSWER = re.compile(r"/webhooks/\d+/[^/]+/messages/@original")
_MESSAGE = re.compile(r"/channels/(\d+)/messages")


@dataclass
class Stopwatch:
    """Notes, in seconds of ``perf_counter``, when a person clicked in a place, was acknowledged, and saw a board.

    ``computed`` is what the process has computed from a click to its board, which other processes do not add to.
    ``answered`` is when the last answer left the bot, and ``simulating`` how long the simulation took over its calls.
    """

    clicked: dict[int, float] = field(default_factory=dict)
    acknowledged: dict[int, float] = field(default_factory=dict)
    posted: dict[int, float] = field(default_factory=dict)
    computed: dict[int, float] = field(default_factory=dict)
    answered: float = 0.0
    simulating: float = 0.0
    _places: dict[int, int] = field(default_factory=dict)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def click(self, interaction: Any) -> None:
        """Note that an interaction is about to reach the bot."""
        self._places[interaction.id] = interaction.channel_id
        self.computed[interaction.channel_id] = -time.process_time()
        self.clicked[interaction.channel_id] = time.perf_counter()

    def call(self, method: str, path: str) -> None:
        """Note that a call has left the bot."""
        now = time.perf_counter()
        if method == "PATCH" and _ANSWER.fullmatch(path) is not None:
            self.answered = now
            self._news.set()
        if method != "POST":
            return
        if (answer := _ACKNOWLEDGEMENT.fullmatch(path)) is not None:
            self.acknowledged[self._places[int(answer[1])]] = now
            self._news.set()
        elif (message := _MESSAGE.fullmatch(path)) is not None and int(message[1]) in self.clicked:
            self.posted[int(message[1])] = now
            self.computed[int(message[1])] += time.process_time()
            self._news.set()

    async def all_posted(self) -> None:
        """Wait until every click has led to a message where it was made."""
        async with asyncio.timeout(SETTLE_SECONDS):
            while self.posted.keys() != self.clicked.keys():
                self._news.clear()
                await self._news.wait()

    async def posted_in(self, place: int) -> None:
        """Wait until there is a message in a place."""
        async with asyncio.timeout(SETTLE_SECONDS):
            while place not in self.posted:
                self._news.clear()
                await self._news.wait()

    async def answer(self, *, suggestions: bool = False) -> float:
        """Wait for the answer to the only click so far, and return the seconds it took; suggestions come at once."""
        ((place, begun),) = self.clicked.items()
        async with asyncio.timeout(SETTLE_SECONDS):
            while not (self.acknowledged.get(place) if suggestions else self.answered):
                self._news.clear()
                await self._news.wait()
        return (self.acknowledged[place] if suggestions else self.answered) - begun

    @property
    def waits(self) -> list[tuple[float, float]]:
        """The seconds to acknowledgement and to the board, click by click."""
        return [(self.acknowledged[place] - begun, self.posted[place] - begun) for place, begun in self.clicked.items()]


@dataclass(frozen=True, slots=True)
class Turn:
    """A person's turn: who, in which thread, and a legal move."""

    mover: MemberActor
    place: ChannelHandle
    move: str


class Crowd:
    """Servers full of people and matches. In the first of them some matches are played in threads that are there."""

    def __init__(self, folder: Path, running: int, *, watched: int, picture_workers: int = 0) -> None:
        url = f"sqlite+aiosqlite:///{folder / 'tavoliere.db'}"
        self.settings = Settings(
            _env_file=None, database_url=url, max_matches=1000, heartbeat=864000, picture_workers=picture_workers
        )
        self.file = folder / "tavoliere.db"
        self.running = running
        self.bot: Tavoliere = create_bot(self.settings)
        self.env = Env(self.bot, settle_timeout=600)
        self.bot.idle = self.env.external_wait
        self.servers = [self._server(number) for number in range(1 + running // 500)]
        self.guild, self.channel = self.servers[0]
        self.people = {person.id: person for person in map(self._member, range(min(400, 60 + running // 4)))}
        self.visitor = self._member(len(self.people))
        self.threads = [self._thread(number) for number in range(watched)]

    def _server(self, number: int) -> tuple[GuildHandle, ChannelHandle]:
        guild = self.env.create_guild(f"A full house, {number}")
        grant(guild, PERMISSIONS)
        return guild, guild.create_text_channel("games")

    def _member(self, number: int) -> MemberActor:
        return self.guild.add_member(self.env.create_user(f"player{number}", global_name=f"player{number}"))

    def _thread(self, number: int) -> int:
        backend = self.env.backend
        return backend.create_thread(self.channel.id, f"A match, {number}", backend.bot_user.id, broadcast=False).id

    def fill(self, *wanted: Scenario) -> None:
        """Write the matches into the database: as many again are over. Those ``wanted`` are the first to be watched."""
        here = tuple(Person(person.id, person.name) for person in self.people.values())
        full = Server(self.guild.id, (self.channel.id,), here, tuple(self.threads))
        others = [
            Server(guild.id, (channel.id,), tuple(crowd(len(here), number)))
            for number, (guild, channel) in enumerate(self.servers[1:], 1)
        ]
        fill(self.file, [full, *others], running=self.running, finished=self.running, now=self.env.now(), wanted=wanted)

    async def open(self) -> float:
        """Start the bot, wait until it has sent what was pending, and return the seconds until it was ready."""
        ready, on_ready = 0.0, self.bot.on_ready

        async def noted() -> None:
            nonlocal ready
            await on_ready()
            ready = time.perf_counter()

        self.bot.on_ready = noted  # type: ignore[method-assign]
        settle = self.env._settle_internal
        # The simulation allows a start five seconds, whatever it has been told.
        self.env._settle_internal = lambda **options: settle(**{**options, "timeout": 600})  # type: ignore[method-assign]
        begun = time.perf_counter()
        try:
            await self.env.start()
        finally:
            del self.env._settle_internal
        await self.env.settle()
        return ready - begun

    async def watched(self) -> list[int]:
        """Return the matches that are played in threads that are there, and still run."""
        async with self.database.read() as tx:
            found = [await match_lists.in_place(tx, self.guild.id, thread) for thread in self.threads]
        return [match.id for (match,) in found if match.state is MatchState.RUNNING]

    @property
    def database(self) -> Database:
        """The bot's open database."""
        return self.bot.context.services.context.database

    async def close(self) -> None:
        """Stop everything."""
        await self.bot.close()
        await self.env.shutdown()

    async def match_view(self, match_id: int) -> MatchView:
        """Return where a match stands."""
        return await self.bot.context.services.queries.match_view(self.guild.id, match_id)

    def forget_positions(self) -> None:
        """Leave the bot as after a start: no position is known, only lists of moves."""
        self.bot.context.services.game_states.forget()

    async def turn(self, match_id: int) -> Turn:
        """Return who is to move in a match, where, and their first legal move that needs no confirmation."""
        match_view = await self.match_view(match_id)
        position = match_view.game_state.position
        move = str(next(move for move in position.legal_moves() if position.question(move) is None))
        place = self.env.backend.get_channel(match_view.match.place_id)
        return Turn(self.people[match_view.match.movers[0].person.id], ChannelHandle(self.env, self.guild, place), move)

    async def builder(self, turn: Turn) -> tuple[ResponseMessage, str]:
        """Have a person put their move together; return the builder and its last button."""
        await turn.mover.slash(turn.place, "preferences", confirm=True)
        stored = list(self.env.backend.messages[turn.place.id].values())
        board = next(message for message in reversed(stored) if not message.is_ephemeral)
        builder = (await turn.mover.click(to_discord_message(self.env, board), label="Play")).response
        assert builder is not None
        await build(turn.mover, builder, turn.move, confirm=False)
        (last,) = [control for control in custom_ids(builder.message) if control.startswith("b-play:")]
        return builder, last

    @contextmanager
    def timed(self) -> Iterator[Stopwatch]:
        """Run the watch; people do not wait for the bot meanwhile, and the simulation forgets what came before."""
        self.env.backend.http_requests.clear()
        self.env.backend.transcript.clear()
        watch, dispatch = Stopwatch(), router.dispatch
        forget = self.env._register_dispatch_observer(watch.click)

        def watched(backend: Backend, method: str, path: str, **options: Any) -> Any:
            watch.call(method, path)
            begun = time.perf_counter()
            try:
                return dispatch(backend, method, path, **options)
            finally:
                watch.simulating += time.perf_counter() - begun

        async def at_once(**_options: object) -> None:
            pass

        self.env._settle_internal, router.dispatch = at_once, watched  # type: ignore[method-assign]
        try:
            yield watch
        finally:
            router.dispatch = dispatch
            del self.env._settle_internal
            forget()
