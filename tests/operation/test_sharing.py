"""Several bots, one PostgreSQL database, one Discord: one is active, and the others stand in for it."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import time
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from bot.cluster import gateway
from bot.compute.job import WorkerLost
from bot.matches.services.computer_players import ComputerPlayers
from bot.storage import computer_turns, registration
from bot.storage.computer_turns import ComputerTurn
from tests.operation.conftest import Start
from tests.support.ports import free_port
from tests.support.postgresql import needs_postgresql
from tests.support.processes.health_page import page
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import FINISHED, begun, played
from tests.support.processes.processes import Running, bot, command
from tests.support.waiting import until

pytestmark = [needs_postgresql, pytest.mark.slow]

QUICK = timedelta(seconds=6)
"""A lease that tests can wait for; on a busy machine a process may stand still for seconds."""


def impatient() -> None:
    """Have a process taken for dead after a moment, instead of the seconds it has in earnest."""
    registration.LEASE = QUICK
    gateway.SPARE_ASKS_EVERY = 1.0


async def until_page(port: int, wanted: tuple[int, str]) -> None:
    """Wait until a process tells its status on its page for machines."""
    found: tuple[int, str] | None = None
    async with asyncio.timeout(120):
        while found != wanted:
            code, told = await page(port, "ready")
            found = code, json.loads(told)["status"]


async def standing_by(start: Start, **settings: object) -> Running:
    """Start a bot where another one is active."""
    running = await start(bound=impatient, **settings)
    await running.logged("standing by: another bot is active")
    return running


async def test_a_bot_that_takes_over_on_the_same_port_serves_people_at_once_and_the_page_once_the_port_is_free(
    discord: Loopback, start: Start, server: str, port: int
) -> None:
    web = free_port()
    first = await (await start(bound=impatient, database_url=server, web_port=web)).ready()
    second = await standing_by(start, database_url=server, web_port=web, metrics_port=port)
    said = f"WEB_PORT {web} on 127.0.0.1 cannot be used: Address already in use. A bot that takes over serves the page"
    status, told = await page(port, "ready")
    assert (status, said in told, said in second.log) == (200, True, True)
    place = await begun(discord)
    # Both have the page's port in their settings, and the first has it until it has gone.
    assert await first.end() == 0
    await second.logged("active, after a handover")
    await second.logged("no board page yet")
    await played(discord, place, "a1")
    await second.logged("board page served")
    assert (await page(web, "", "localhost"))[0] == 200
    assert "warnings" not in (await page(port, "ready"))[1]
    # Killed, a bot leaves its port at once.
    third = await standing_by(start, database_url=server, web_port=web)
    await second.end(signal.SIGKILL)
    await third.logged("board page served")
    await third.ready()
    await played(discord, place, "a5", begin=1)
    assert await third.end() == 0


async def test_a_match_goes_on_whichever_of_its_bots_is_killed_stopped_or_frozen(
    discord: Loopback, start: Start, tmp_path: Path, server: str, port: int
) -> None:
    starting = partial(standing_by, start, database_url=server)
    first = await (await start(bound=impatient, database_url=server)).ready()
    second = await starting(metrics_port=port)
    told = partial(page, port, "health")
    assert await told() == (200, '{"status": "standing by"}')
    shown = await bot(tmp_path, "status", "--json", database_url=server)
    found = json.loads(shown.text)
    assert (found["token"], found["pending"], found["thinkers"], found["computer_turns"]) == (1, 0, [], 0)
    assert list(found["other_bots"].values()) == ["standing by"]
    thread = await begun(discord, pace=86400)
    await played(discord, thread, *FINISHED[:2])
    # Killed: the stand-in comes once the lease has expired.
    await first.end(signal.SIGKILL)
    await second.ready()
    assert await told() == (200, '{"status": "well"}')
    await played(discord, thread, *FINISHED[2:4], begin=2)
    # Stopped in order: the stand-in comes at once.
    third = await starting()
    assert await second.end() == 0
    await third.ready()
    await played(discord, thread, *FINISHED[4:6], begin=4)
    # Frozen: the stand-in comes, and the one that wakes up finds itself replaced, and stands by.
    fourth = await starting()
    third.send(signal.SIGSTOP)
    await fourth.ready()
    await played(discord, thread, *FINISHED[6:8], begin=6)
    third.send(signal.SIGCONT)
    await third.logged("lease lost")
    await discord.until(lambda: len(third.told(lambda line: line["event"].startswith("standing by"))) == 2)
    await played(discord, thread, *FINISHED[8:], begin=8)
    assert all(discord.posted(thread).count(text) == 1 for text in discord.posted(thread))
    assert await third.end() == await fourth.end() == 0
    checked = await bot(tmp_path, "check", database_url=server, discord_token=TOKEN)
    assert checked.code == 0, checked.text


def ahead() -> None:
    """Give a process a clock that is half a minute ahead."""
    impatient()
    of_day = time.time
    time.time = lambda: of_day() + 30


async def test_a_clock_that_differs_from_the_databases_is_a_warning_on_the_page(
    discord: Loopback, start: Start, tmp_path: Path, server: str
) -> None:
    ports = [free_port(), free_port()]
    await (await start(bound=ahead, database_url=server, metrics_port=ports[0])).ready()
    settings = {"database_url": server, "thinkers": 0, "log_format": "json"}
    thinker = await Running.start(command(tmp_path, "think", bound=ahead, metrics_port=ports[1], **settings))
    await thinker.logged("thinking")
    # An answer that is late makes it a second less.
    wanted = (
        r'"warnings": \["the clock of this machine is \d+ seconds ahead of the database\'s: set both by NTP, [^"]+"\]'
    )
    for port in ports:

        async def warned(port: int = port) -> bool:
            status, told = await page(port, "ready")
            return status == 200 and re.search(wanted, told) is not None

        await until(warned, "a warning on the page")
    assert await thinker.end() == 0


async def test_a_bot_that_is_active_but_not_connected_is_told(
    discord: Loopback, start: Start, server: str, port: int
) -> None:
    discord.connections_left = 50
    running = await start(bound=impatient, database_url=server, metrics_port=port)
    await running.logged("too few connections left today")
    status, told = await page(port, "ready")
    assert (status, "only 50 connections to Discord left today, connecting in" in told) == (503, True)
    assert (await page(port, "live"))[0] == 200
    assert await told_by([port], "tavoliere_unserved") == [1.0]


async def test_a_spare_with_too_few_connections_left_is_not_ready_until_discord_allows_more(
    discord: Loopback, start: Start, server: str, port: int
) -> None:
    await (await start(bound=impatient, database_url=server)).ready()
    discord.connections_left = 50
    await standing_by(start, database_url=server, metrics_port=port)
    await until_page(port, (503, "standing by, but only 50 connections to Discord left today: too few to take over"))
    assert (await page(port, "live"))[0] == 200
    discord.connections_left = 51
    await until_page(port, (200, "standing by"))


async def test_a_bot_without_thinkers_leaves_thinking_to_processes_that_do_nothing_else(
    discord: Loopback, start: Start, tmp_path: Path, server: str, port: int
) -> None:
    running = await (await start(bound=impatient, database_url=server, thinkers=0)).ready()
    environment = {"database_url": server, "thinkers": 0, "log_format": "json", "metrics_port": port}
    thinker = await Running.start(command(tmp_path, "think", bound=impatient, **environment))
    await thinker.logged("thinking")
    assert await page(port, "health") == (200, '{"status": "thinking"}')
    against = {"game": "yonmoque", "opponent": discord.backend.bot_user, "level": 1, "first": "opponent"}
    await discord.answered(discord.ask(discord.alice, discord.channel, "challenge", **against))
    await thinker.logged("entry")
    await discord.until(lambda: discord.threads)
    await discord.control(discord.threads[0], "play:1:1")
    assert not running.told(lambda line: line["event"] == "entry")
    # Where none is left the bot thinks itself.
    assert await thinker.end() == 0
    await discord.answered(discord.ask(discord.bob, discord.channel, "challenge", **against))
    await running.logged("entry")
    shown = await bot(tmp_path, "status", database_url=server)
    assert "Thinkers: 0" in shown.text
    refused = await bot(tmp_path, "think")
    assert (refused.code, "An SQLite database is for one bot" in refused.text) == (2, True)


async def test_figures_of_the_whole_database_are_told_by_one_process_only(
    discord: Loopback, start: Start, tmp_path: Path, server: str
) -> None:
    ports = [free_port() for _ in range(3)]
    settings = {"database_url": server, "thinkers": 0, "log_format": "json"}
    first = await (await start(bound=impatient, database_url=server, metrics_port=ports[0])).ready()
    await standing_by(start, database_url=server, metrics_port=ports[1])
    thinker = await Running.start(command(tmp_path, "think", bound=impatient, metrics_port=ports[2], **settings))
    await thinker.logged("thinking")
    await begun(discord)
    assert await told_by(ports, "tavoliere_matches_running") == [1.0]
    assert await told_by(ports, "tavoliere_unserved") == [0.0]
    assert await told_by(ports, "tavoliere_outbox_oldest_seconds") == [0.0]
    # The next one tells them when that has gone.
    await first.end(signal.SIGKILL)
    async with asyncio.timeout(60):
        while await told_by(ports[1:], "tavoliere_matches_running") != [1.0]:
            await asyncio.sleep(0.2)
    assert await thinker.end() == 0


async def told_by(ports: list[int], name: str) -> list[float]:
    """Return what the processes on some ports tell of a metric."""
    pages = [(await page(port, "metrics"))[1] for port in ports]
    return [float(value) for text in pages for value in re.findall(rf"^{name} (\S+)$", text, re.MULTILINE)]


def broken() -> None:
    """Have a thinker lose its worker in every thought."""
    impatient()

    async def lost(_players: ComputerPlayers, _due: ComputerTurn) -> None:
        raise WorkerLost

    ComputerPlayers.play = lost  # type: ignore[method-assign, assignment]


async def test_a_thinker_whose_workers_die_gives_its_turns_back_and_says_so(
    discord: Loopback, start: Start, tmp_path: Path, server: str, port: int
) -> None:
    await (await start(bound=impatient, database_url=server, thinkers=0)).ready()
    settings = {"database_url": server, "thinkers": 0, "log_format": "json"}
    failing = await Running.start(command(tmp_path, "think", bound=broken, metrics_port=port, **settings))
    await failing.logged("thinking")
    against = {"game": "yonmoque", "opponent": discord.backend.bot_user, "level": 1, "first": "opponent"}
    for person in (discord.alice, discord.bob):
        await discord.answered(discord.ask(person, discord.channel, "challenge", **against))
    await failing.logged("computer turn failed, will be tried again")
    healthy = await Running.start(command(tmp_path, "think", bound=impatient, **settings))
    await healthy.logged("thinking")
    await failing.logged("computer turn given back to the other processes")
    await until(lambda: matches_moved_by(healthy) == {1, 2}, "a move in both matches", lambda: healthy.log)
    status, told = await page(port, "ready")
    assert status == 503
    assert re.fullmatch(r'\{"status": "the last \d+ attempts at a computer turn failed"\}', told)
    assert (await page(port, "live"))[0] == 200
    assert await healthy.end() == await failing.end() == 0


def matches_moved_by(running: Running) -> set[int]:
    """Return the matches in which a process has played a move."""
    return {line["match"] for line in running.told(lambda line: line["event"] == "entry")}


def hanging() -> None:
    """Have a thinker never come to the end of a thought."""
    impatient()

    async def hang(_players: ComputerPlayers, _due: ComputerTurn) -> None:
        await asyncio.Event().wait()

    ComputerPlayers.play = hang  # type: ignore[method-assign, assignment]


def eager() -> None:
    """Have a thinker take over what another one has claimed for some seconds."""
    impatient()
    computer_turns.CLAIMED_FOR = timedelta(seconds=4)


async def test_a_turn_that_a_living_process_has_claimed_for_long_is_free_for_others(
    discord: Loopback, start: Start, tmp_path: Path, server: str
) -> None:
    await (await start(bound=impatient, database_url=server, thinkers=0)).ready()
    settings = {"database_url": server, "thinkers": 0, "log_format": "json"}
    stuck = await Running.start(command(tmp_path, "think", bound=hanging, **settings))
    await stuck.logged("thinking")
    against = {"game": "yonmoque", "opponent": discord.backend.bot_user, "level": 1, "first": "opponent"}
    for person in (discord.alice, discord.bob):
        await discord.answered(discord.ask(person, discord.channel, "challenge", **against))
    await discord.until(lambda: len(discord.threads) == 2)
    healthy = await Running.start(command(tmp_path, "think", bound=eager, **settings))
    await until(lambda: matches_moved_by(healthy) == {1, 2}, "a move in both matches", lambda: healthy.log)
    assert await healthy.end() == await stuck.end() == 0
