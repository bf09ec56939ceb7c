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
from itertools import count, islice
from pathlib import Path
from typing import Any

from simcord._runtime import _CallbackRecord
from simcord.actors import MemberActor
from simcord.backend import Backend
from simcord.builders import ChannelHandle
from simcord.env import Env
from simcord.http import router
from simcord.results import ResponseMessage, to_discord_message

from bot.client import Tavoliere, create_bot
from bot.games import GAMES
from bot.invitation import PERMISSIONS
from bot.matches.challenges import Terms
from bot.matches.overview import Table
from bot.settings import Settings
from bot.storage.records import First, Person
from tests.conftest import grant
from tests.discord_flow.acting import custom_ids, items

# The simulation finds what it has scheduled by comparing records field by field, which under load takes longer than the
# bot; each record is one of a kind.
_CallbackRecord.__eq__ = object.__eq__  # type: ignore[method-assign, assignment]

PEOPLE = 40
PATIENCE = 60.0
_ACKNOWLEDGEMENT = re.compile(r"/interactions/(\d+)/[^/]+/callback")
_MESSAGE = re.compile(r"/channels/(\d+)/messages")


@dataclass
class Stopwatch:
    """Notes, in seconds of ``perf_counter``, when somebody clicked in a place, was acknowledged, and saw a board."""

    clicked: dict[int, float] = field(default_factory=dict)
    acknowledged: dict[int, float] = field(default_factory=dict)
    posted: dict[int, float] = field(default_factory=dict)
    _places: dict[int, int] = field(default_factory=dict)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def click(self, interaction: Any) -> None:
        """Note that an interaction is about to reach the bot."""
        self._places[interaction.id] = interaction.channel_id
        self.clicked[interaction.channel_id] = time.perf_counter()

    def call(self, method: str, path: str) -> None:
        """Note that a call has left the bot."""
        if method != "POST":
            return
        now = time.perf_counter()
        if (answer := _ACKNOWLEDGEMENT.fullmatch(path)) is not None:
            self.acknowledged[self._places[int(answer[1])]] = now
        elif (message := _MESSAGE.fullmatch(path)) is not None and int(message[1]) in self.clicked:
            self.posted[int(message[1])] = now
            self._news.set()

    async def all_posted(self) -> None:
        """Wait until every click has led to a message where it was made."""
        async with asyncio.timeout(PATIENCE):
            while self.posted.keys() != self.clicked.keys():
                self._news.clear()
                await self._news.wait()

    @property
    def waits(self) -> list[tuple[float, float]]:
        """The seconds to acknowledgement and to the board, click by click."""
        return [(self.acknowledged[place] - begun, self.posted[place] - begun) for place, begun in self.clicked.items()]


@dataclass(frozen=True, slots=True)
class Turn:
    """Somebody's turn: who, in which thread, and a legal move."""

    mover: MemberActor
    place: ChannelHandle
    move: str


class Hall:
    """Running matches between forty people, each in a thread of its own, all games in turn."""

    def __init__(self, folder: Path) -> None:
        url = f"sqlite+aiosqlite:///{folder / 'tavoliere.db'}"
        self.settings = Settings(_env_file=None, database_url=url, max_matches=1000, heartbeat=864000)  # type: ignore[call-arg]
        self.bot: Tavoliere = create_bot(self.settings)
        self.env = Env(self.bot, settle_timeout=600)
        self.bot.idle = self.env.external_wait
        self.guild = self.env.create_guild("A full house")
        grant(self.guild, PERMISSIONS)
        self.channel = self.guild.create_text_channel("games")
        names = [f"player{number}" for number in range(PEOPLE)]
        self.people = {person.id: person for person in map(self._member, names)}
        self._numbers = count(1)

    def _member(self, name: str) -> MemberActor:
        return self.guild.add_member(self.env.create_user(name, global_name=name))

    async def open(self, matches: int) -> None:
        """Start the bot and so many matches, and wait until all first boards are there."""
        await self.env.start()
        people = list(self.people.values())
        for number, game in islice(enumerate(list(GAMES) * matches), matches):
            first, second = people[number % PEOPLE], people[(number * 7 + 1 + number // PEOPLE) % PEOPLE]
            with self.env.time_context():
                await self._begin(game, first, second if second is not first else people[(number + 1) % PEOPLE])
        await self.env.settle()

    async def _begin(self, game: str, first: MemberActor, second: MemberActor) -> None:
        service = self.bot.host.services.challenges
        challenger, opponent = Person(first.id, first.name), Person(second.id, second.name)
        terms = Terms(game, GAMES[game].variants[0].key, 2, First.CHALLENGER)
        place = self.guild.id, self.channel.id
        offered = await service.offer(*place, challenger, opponent, terms, next(self._numbers))
        await service.accept(self.guild.id, offered, opponent, next(self._numbers))

    async def close(self) -> None:
        """Stop everything."""
        await self.bot.close()
        await self.env.shutdown()

    async def table(self, match_id: int) -> Table:
        """Return where a match stands."""
        return await self.bot.host.services.overview.table(self.guild.id, match_id)

    async def turn(self, match_id: int) -> Turn:
        """Return who is to move in a match, where, and his first legal move."""
        table = await self.table(match_id)
        move = str(next(iter(table.standing.position.legal_moves())))
        place = self.env.backend.get_channel(table.match.place_id)
        return Turn(self.people[table.match.movers[0].person.id], ChannelHandle(self.env, self.guild, place), move)

    async def builder(self, turn: Turn) -> tuple[ResponseMessage, str]:
        """Have somebody put a move together, whichever comes first; return the builder and its last button."""
        stored = list(self.env.backend.messages[turn.place.id].values())
        board = next(message for message in reversed(stored) if not message.is_ephemeral)
        builder = (await turn.mover.click(to_discord_message(self.env, board), label="Play")).response
        assert builder is not None
        while True:
            controls = {control.partition(":")[0]: control for control in custom_ids(builder.message)}
            if "b-play" in controls:
                return builder, controls["b-play"]
            select = next(
                item for item in items(builder.message) if getattr(item, "custom_id", None) == controls["b-choose"]
            )
            await turn.mover.select(builder, [select.options[0].value], custom_id=select.custom_id)

    @contextmanager
    def timed(self) -> Iterator[Stopwatch]:
        """Run the watch; people do not wait for the bot meanwhile."""
        watch, dispatch = Stopwatch(), router.dispatch
        forget = self.env._register_dispatch_observer(watch.click)

        def watched(backend: Backend, method: str, path: str, **options: Any) -> Any:
            watch.call(method, path)
            return dispatch(backend, method, path, **options)

        async def at_once(**_options: object) -> None:
            pass

        self.env._settle_internal, router.dispatch = at_once, watched  # type: ignore[method-assign, assignment]
        try:
            yield watch
        finally:
            router.dispatch = dispatch
            del self.env._settle_internal  # type: ignore[method-assign]
            forget()
