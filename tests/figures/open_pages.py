"""A thousand open pages

A bot on SQLite with 500 running matches, and the pages of all thousand people open, each with its socket and session.
Every second one of them moves; another page of that match asks for the position and its picture as soon as it hears of
it. Beside them two people play by `/move` in Discord, first without any page, then with a thousand. Discord and all the
browsers are one other process on the same two cores, and the bot draws in its own. Times are in milliseconds.
"""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import delete

from bot.matches.model.page_links import Purpose
from bot.matches.services import Services
from bot.storage import tables
from bot.storage.database import Database
from bot.storage.records import Person
from bot.web.pages import COOKIE
from tests.figures import table
from tests.matches.conftest import YONMOQUE, crowd_on
from tests.support.processes.loopback import Loopback
from tests.support.processes.playing import FINISHED, begun, moved_on
from tests.support.processes.processes import Running, run_bot
from tests.web.browser import Browser
from tests.web.doors import Doors, doors

MATCHES, SECONDS = 500, 60
FILES = 4096
"""Open files of each process: a thousand sockets are more than the usual limit."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A person with a session, and their match."""

    match_id: int
    cookie: tuple[str, str]


def many_files() -> None:
    """Let this process open as many files as it may."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, most), most))


def measure() -> list[str]:
    """Open the pages, and have people move."""
    many_files()
    with TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder)))


async def _measure(folder: Path) -> list[str]:
    loopback, file = Loopback(), folder / "tavoliere.db"
    await loopback.open()
    url = f"sqlite+aiosqlite:///{file}"
    guests = await _guests(file, url, loopback)
    try:
        async with _bot(loopback, folder, url) as opened, AsyncExitStack() as stack:
            alone = await _discord_moves(loopback)
            before = _resident(opened.bots[0])
            windows = [_window(opened, guest) for guest in guests]
            sockets = [await stack.enter_async_context(window.live(guest.match_id)) for window, guest in windows]
            news = [await _heard(stack, socket) for socket in sockets]
            each = (_resident(opened.bots[0]) - before) / len(sockets)
            page, beside = await asyncio.gather(_page_moves(windows, news), _discord_moves(loopback))
    finally:
        await loopback.close()
    confirmed, shown = zip(*page, strict=True)
    rows = [
        ("move on a page to its answer", *_of(confirmed)),
        ("move on a page to the picture on another one", *_of(shown)),
        ("`/move` to its board, no page open", *_of(alone)),
        (f"`/move` to its board, {len(sockets):,} pages open", *_of(beside)),
    ]
    return [
        f"Memory of the bot for each open page: {each:.0f} kB.",
        "",
        *table(("what", "median", "p95", "most"), rows),
    ]


async def _guests(file: Path, url: str, loopback: Loopback) -> list[Guest]:
    """Begin the matches and sessions in the database; return the two people of each match, the first moves first."""
    database = Database(url)
    await database.open()
    await database.close()
    async with crowd_on(file) as crowd:
        crowd.now = time_of(loopback)
        found = []
        for number in range(MATCHES):
            pair = [Person(10_000 + 2 * number + seat, f"Guest {2 * number + seat}") for seat in range(2)]
            offered = crowd.services.challenges.offer
            challenge = await offered(loopback.guild.id, loopback.channel, pair[0], None, YONMOQUE, crowd.interaction())
            match_id = await crowd.services.challenges.accept(
                loopback.guild.id, challenge, pair[1], crowd.interaction()
            )
            assert match_id is not None
            found += [await _guest(crowd.services, loopback.guild.id, person, match_id) for person in pair]
        async with crowd.database.write() as tx:
            # What was begun long ago has been posted.
            await tx.execute(delete(tables.outbox))
    return found


def time_of(loopback: Loopback) -> Any:
    """Return what a Discord shows as the time."""
    return loopback.backend.clock.now()


async def _guest(services: Services, guild_id: int, person: Person, match_id: int) -> Guest:
    link = await services.page_access.link(person, "en", guild_id, Purpose.MATCH, match_id)
    opened = await services.page_access.redeem(link, _stays)
    return Guest(match_id, (COOKIE.format(guild=guild_id), opened.token))


async def _stays(_guild_id: int, _user_id: int) -> bool:
    return False


@asynccontextmanager
async def _bot(loopback: Loopback, folder: Path, url: str) -> AsyncIterator[Doors]:
    started: list[Running] = []

    async def start(**settings: Any) -> Running:
        started.append(await run_bot(folder, loopback, bound=many_files, **settings))
        return started[-1]

    try:
        async with doors(loopback, start, database_url=url) as opened:
            yield opened
    finally:
        for running in started:
            await running.end()


def _window(opened: Doors, guest: Guest) -> tuple[Browser, Guest]:
    window = opened.window()
    window.cookies = dict([guest.cookie])
    return window, guest


async def _heard(stack: AsyncExitStack, socket: Any) -> asyncio.Queue[Any]:
    """Listen on a socket, as a browser does, which also answers signs of life; return the news after the first."""
    await socket.receive_json()
    heard: asyncio.Queue[Any] = asyncio.Queue()

    async def listen() -> None:
        async for message in socket:
            heard.put_nowait(message)

    stack.callback(asyncio.ensure_future(listen()).cancel)
    return heard


async def _page_moves(
    windows: list[tuple[Browser, Guest]], news: list[asyncio.Queue[Any]]
) -> list[tuple[float, float]]:
    """Have the first person of another match move every second; return how long it took."""
    found = []
    for second in range(SECONDS):
        (mover, guest), (other, _) = windows[2 * second], windows[2 * second + 1]
        began = time.perf_counter()
        shown = asyncio.ensure_future(_shown(other, guest.match_id, news[2 * second + 1]))
        answer = await mover.move("c3", ply=0, match=guest.match_id)
        confirmed = time.perf_counter()
        assert answer["came"] == "done", answer
        found.append(((confirmed - began) * 1000, (await shown - began) * 1000))
        await asyncio.sleep(max(0.0, began + 1 - time.perf_counter()))
    return found


async def _shown(window: Browser, match_id: int, news: asyncio.Queue[Any]) -> float:
    """Wait for news, ask for what a page asks for then, and return when all of it is there."""
    await news.get()
    board = (await window.state(match_id))["board"]
    picture = f"/api/match/{match_id}/picture?width={board['width']}&flip=0&v={board['key']}&ply=1"
    assert (await window.get(picture)).content_type == "image/png"
    return time.perf_counter()


async def _discord_moves(loopback: Loopback) -> list[float]:
    """Have Alice and Bob type a move every second, in one match after the other; return how long the boards took."""
    found: list[float] = []
    while len(found) < SECONDS:
        thread = await begun(loopback, pace=86400)
        match_id = (await loopback.control(thread, r"play:(\d+):0"))[1]
        for ply, move in enumerate(FINISHED[: SECONDS - len(found)]):
            began = time.perf_counter()
            mover = (loopback.alice, loopback.bob)[ply % 2]
            await loopback.answered(loopback.ask(mover, thread, "move", move=move))
            await moved_on(loopback, thread, match_id, ply + 1)
            found.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(max(0.0, began + 1 - time.perf_counter()))
    return found


def _resident(running: Running) -> float:
    """Return the memory of a process in kB."""
    lines = Path(f"/proc/{running.process.pid}/status").read_text().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("VmRSS")))


def _of(times: Any) -> tuple[str, str, str]:
    return f"{median(times):.0f}", f"{quantiles(times, n=20)[-1]:.0f}", f"{max(times):.0f}"
