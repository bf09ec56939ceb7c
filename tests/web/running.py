"""A running bot with the board page, in real time: its Discord is that of the demo, its page a port of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

from bot.client import Tavoliere, create_bot
from bot.demo import front_page
from bot.demo.discord_server import led_to
from bot.games import GAMES
from bot.matches.model.actor import Actor
from bot.matches.model.pace import Pace
from bot.matches.model.page_links import Purpose
from bot.matches.model.typed import DAY
from bot.matches.services import Services
from bot.matches.services.eligibility import Terms
from bot.settings import Settings
from bot.storage.records import First, MatchState, Person
from tests.demo.browser_window import SOON
from tests.support.ports import free_port

DAYS = Pace(3 * DAY)


@dataclass
class Running:
    """A running bot with the board page, in a server with Alice, Bob and Carol."""

    place: front_page.Scenery
    settings: Settings
    bot: Tavoliere
    connected: asyncio.Future[None]

    @property
    def services(self) -> Services:
        """What the bot does."""
        return self.bot.context.services

    @property
    def url(self) -> str:
        """The address of the page, without a slash at the end."""
        return self.settings.web_url

    @property
    def people(self) -> list[Person]:
        """Alice, Bob and Carol."""
        return [Person(user.id, user.global_name or user.name) for user in self.place.people]

    async def match(self, game: str, variant: str = "", seats: Sequence[int] = (0, 1), pace: Pace = DAYS) -> int:
        """Begin a match between some of the people, the first of whom moves first; return its number."""
        players = [self.people[seat] for seat in seats]
        chosen = variant or GAMES[game].variants[0].key
        terms = Terms(game, chosen, len(players), First.CHALLENGER, rated=False).at(pace)
        opponent = players[1] if len(players) == 2 else None
        challenge, begun = await self.services.challenges.offer(self.actor(players[0]), opponent, terms), None
        for other in players[1:]:
            begun = await self.services.challenges.accept(self.actor(other), challenge)
        assert begun is not None
        return begun

    async def computer_match(self, game: str, person: int = 0) -> int:
        """Begin a match against the bot at its first level, in which the person moves first; return its number."""
        terms = Terms(game, GAMES[game].variants[0].key, 2, First.CHALLENGER, rated=False)
        return await self.services.computer_opponents.play(self.actor(self.people[person]), 1, terms)

    def actor(self, person: Person) -> Actor:
        """Return a person who asks for something now."""
        return Actor(self.place.server.guild.id, person, uuid4(), self.services.clock(), self.place.channel_id)

    async def play_on(self, match: int, ply: int, random: Random | None = None) -> None:
        """Play a match on to a ply, with ready-made set-ups and with legal moves, the first or random ones.

        A computer player moves by itself.
        """
        server = self.place.server.guild.id
        while (view := await self.services.queries.match_view(server, match)).match.ply < ply:
            if view.match.state is MatchState.OVER:
                return
            if view.match.mover.person.computer:
                await asyncio.sleep(0.02)
                continue
            position = view.game_state.position
            among = list(islice(position.legal_moves(), 200 if random else 1))
            move = position.ready_made() or (random.choice(among) if random else among[0])
            turn = (self.actor(view.match.mover.person), match, view.match.ply)
            await self.services.turns.play(*turn, str(move), confirmed=True)

    async def link(self, person: int, number: int, purpose: Purpose = Purpose.MATCH) -> str:
        """Return a link to a match or puzzle for a person, as *Open board* gives it."""
        server, access = self.place.server.guild.id, self.services.page_access
        return f"{self.url}/open/{await access.link(self.people[person], 'en', server, purpose, number)}"

    async def restart(self) -> None:
        """Stop the bot and start another one on the same database."""
        await self._stop()
        self.bot = create_bot(self.settings)
        self.connected = await _started(self.bot, self.place.server.token)

    async def _stop(self) -> None:
        await self.bot.close()
        with suppress(asyncio.CancelledError):
            await self.connected


async def _started(bot: Tavoliere, token: str) -> asyncio.Future[None]:
    await bot.login(token)
    connected = asyncio.ensure_future(bot.connect())
    ready = asyncio.ensure_future(bot.wait_until_ready())
    await asyncio.wait((ready, connected), return_when=asyncio.FIRST_COMPLETED)
    if connected.done():
        connected.result()
    # Other tests may keep the machine busy, so a computation may take as long as a browser waits.
    for pool in bot.context.services.queue._pools.values():
        pool._timeout = SOON / 1000
    return connected


@asynccontextmanager
async def running(database: Path, **options: Any) -> AsyncIterator[Running]:
    """Run the bot on a database file, with further settings."""
    port = free_port()
    page = {"web_port": port, "web_url": f"http://localhost:{port}"}
    chosen: dict[str, Any] = {"picture_workers": 0, "thinkers": 0, **page, **options}
    url = f"sqlite+aiosqlite:///{database.as_posix()}"
    settings = Settings(_env_file=None, database_url=url, **chosen)
    place = front_page.make_scenery()
    await place.server.open(0)
    with led_to(place.server.address):
        bot = create_bot(settings)
        begun = Running(place, settings, bot, await _started(bot, place.server.token))
        try:
            yield begun
        finally:
            await begun._stop()
            await place.server.close()
