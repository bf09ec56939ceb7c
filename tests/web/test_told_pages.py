"""What happens anywhere reaches every open page: from Discord, and from other windows.

The bot is a process of its own. Its sockets do not look again by themselves, so only the news can have told them.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import discord as library
import pytest
import pytest_asyncio
from simcord.backend.models import User

from bot.web import live
from tests.operation.conftest import Start, discord, start
from tests.support.processes.loopback import TEST_SECONDS, Loopback
from tests.support.processes.playing import begun
from tests.web.browser import Browser
from tests.web.doors import Doors, doors

__all__ = ["discord", "start"]
pytestmark = pytest.mark.slow


def only_by_news() -> None:
    """Never compare versions without news."""
    live.LOOK_AGAIN = 1e9


@dataclass
class Watcher:
    """An open page with its socket."""

    window: Browser
    match_id: int
    socket: aiohttp.ClientWebSocketResponse[Any]

    async def shows(self, *moves: str) -> None:
        """Wait for news, as the page does, until the page shows these moves."""
        while [move["text"] for move in (await self.window.state(self.match_id))["moves"]] != list(moves):
            async with asyncio.timeout(TEST_SECONDS):
                await self.socket.receive_json()

    async def ended(self) -> None:
        """Wait until the socket is closed because the session has ended."""
        async with asyncio.timeout(TEST_SECONDS):
            while (said := await self.socket.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
        assert (said.type, said.data) == (aiohttp.WSMsgType.CLOSE, live.ENDED)
        assert (await self.window.get(f"/api/match/{self.match_id}")).status == 401


@dataclass
class Place:
    """A bot with the page, and a match between Alice and Bob."""

    doors: Doors
    stack: AsyncExitStack
    thread: int = 0

    async def watchers(self, person: User, match_id: int = 1, thread: int = 0) -> list[Watcher]:
        """Return two open pages of a person."""
        found = []
        for _ in range(2):
            window = await self.doors.opened(person, thread or self.thread, match_id)
            socket = await self.stack.enter_async_context(window.live(match_id))
            found.append(Watcher(window, match_id, socket))
        return found


@pytest_asyncio.fixture
async def place(discord: Loopback, start: Start, tmp_path: Path, empty_database: Path) -> AsyncIterator[Place]:
    """A bot with the page, and a match."""
    url = f"sqlite+aiosqlite:///{shutil.copy(empty_database, tmp_path)}"
    async with (
        doors(discord, start, database_url=url, bound=only_by_news) as opened,
        AsyncExitStack() as stack,
    ):
        yield Place(opened, stack, await begun(discord))


async def all_of(watchers: list[Watcher], do: Callable[[Watcher], Awaitable[None]]) -> None:
    """Do something with each watcher at once."""
    await asyncio.gather(*map(do, watchers))


async def test_a_move_made_anywhere_is_shown_on_every_page(place: Place, discord: Loopback) -> None:
    bob, alice = await place.watchers(discord.bob), await place.watchers(discord.alice)
    # A button in Discord.
    opened = discord.press(discord.alice, place.thread, "play:1:0")
    await discord.answered(opened)
    await place.doors.pressed(discord.alice, place.doors.answer(opened), "b-play:1:0:0:a1")
    await all_of(bob + alice, lambda page: page.shows("a1"))
    # A command.
    await discord.answered(discord.ask(discord.bob, place.thread, "move", move="a5"))
    await all_of(bob + alice, lambda page: page.shows("a1", "a5"))
    # Another window.
    await alice[0].window.move("b1", ply=2)
    await all_of(bob + alice, lambda page: page.shows("a1", "a5", "b1"))
    await bob[-1].window.move("b5", ply=3)
    await all_of(bob + alice, lambda page: page.shows("a1", "a5", "b1", "b5"))


async def test_the_move_of_a_computer_player_is_shown_on_every_page(place: Place, discord: Loopback) -> None:
    thread = await against_the_bot(discord)
    pages = await place.watchers(discord.alice, 2, thread)
    await pages[0].window.move("c3", ply=0, match=2)
    for page in pages:
        while len((await page.window.state(2))["moves"]) < 2:
            async with asyncio.timeout(TEST_SECONDS):
                await page.socket.receive_json()


async def against_the_bot(discord: Loopback) -> int:
    """Have Alice begin a match against the bot, in which she moves first; return its thread."""
    threads = set(discord.threads)
    against = {"game": "yonmoque", "opponent": discord.backend.bot_user, "level": 1, "first": "challenger"}
    await discord.answered(discord.ask(discord.alice, discord.channel, "challenge", **against))
    (thread,) = await discord.until(lambda: set(discord.threads) - threads)
    await discord.control(thread, r"play:2:0")
    return thread


async def test_whatever_ends_a_session_closes_its_sockets(place: Place, discord: Loopback) -> None:
    bob = await place.watchers(discord.bob)

    async def signed_out() -> None:
        listed = discord.ask(discord.alice, place.thread, "privacy", action="sessions")
        await discord.answered(listed)
        await place.doors.pressed(discord.alice, place.doors.answer(listed), "session:all")

    async def barred() -> None:
        role = discord.backend.create_role(
            discord.guild.id, "Managers", permissions=library.Permissions(manage_guild=True).value
        )
        discord.backend.add_member_role(discord.guild.id, discord.bob.id, role.id)
        await discord.answered(discord.ask(discord.bob, place.thread, "manage bar", person=discord.alice))

    async def unbarred() -> None:
        await discord.answered(discord.ask(discord.bob, place.thread, "manage unbar", person=discord.alice))

    async def deleted() -> None:
        asked = discord.ask(discord.alice, place.thread, "privacy", action="delete")
        await discord.answered(asked)
        await place.doors.pressed(discord.alice, place.doors.answer(asked), "privacy:erase")

    for ending in (signed_out, barred, deleted):
        alice = await place.watchers(discord.alice)
        await ending()
        await all_of(alice, Watcher.ended)
        if ending is barred:
            await unbarred()
    # Bob's are open still, until the bot is removed from the server.
    assert [(await page.window.get("/match/1")).status for page in bob] == [200] * len(bob)
    discord.backend.emit("GUILD_DELETE", {"id": str(discord.guild.id)})
    await all_of(bob, Watcher.ended)
