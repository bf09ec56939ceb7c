"""Several bots, one PostgreSQL database, one Discord: one is active, and the others stand in for it."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import time
from functools import partial
from pathlib import Path

import pytest

from bot.compute.job import WorkerLost
from bot.matches.services.computer_players import ComputerPlayers
from bot.storage.computer_turns import ComputerTurn
from tests.operation.conftest import Start, impatient, standing_by
from tests.support.ports import free_port
from tests.support.postgresql import needs_postgresql
from tests.support.processes.health_page import page
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import FINISHED, begun, played
from tests.support.processes.processes import Running, bot, command
from tests.support.waiting import until

pytestmark = [needs_postgresql, pytest.mark.slow]


async def until_page(port: int, wanted: tuple[int, str]) -> None:
    """Wait until a process tells its status on its page for machines."""
    found: tuple[int, str] | None = None
    async with asyncio.timeout(120):
        while found != wanted:
            code, told = await page(port, "ready")
            found = code, json.loads(told)["status"]


async def test_a_bot_that_takes_over_on_the_same_port_serves_people_at_once_and_the_page_once_the_port_is_free(
    discord: Loopback, bots: Start, server: str, port: int
) -> None:
    web = free_port()
    first = await (await bots(web_port=web)).ready()
    second = await standing_by(bots(web_port=web, metrics_port=port))
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
    third = await standing_by(bots(web_port=web))
    await second.end(signal.SIGKILL)
    await third.logged("board page served")
    await third.ready()
    await played(discord, place, "a5", begin=1)
    assert await third.end() == 0


async def test_a_match_goes_on_whichever_of_its_bots_is_killed_stopped_or_frozen(
    discord: Loopback, bots: Start, tmp_path: Path, server: str, port: int
) -> None:
    first = await (await bots()).ready()
    second = await standing_by(bots(metrics_port=port))
    told = partial(page, port, "health")
    assert await told() == (200, '{"status": "standing by"}')
    # A spare with too few connections left is not ready until Discord allows more.
    discord.connections_left = 50
    await until_page(port, (503, "standing by, but only 50 connections to Discord left today: too few to take over"))
    assert (await page(port, "live"))[0] == 200
    discord.connections_left = 1000
    await until_page(port, (200, "standing by"))
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
    third = await standing_by(bots())
    assert await second.end() == 0
    await third.ready()
    await played(discord, thread, *FINISHED[4:6], begin=4)
    # Frozen: the stand-in comes, and the one that wakes up finds itself replaced, and stands by.
    fourth = await standing_by(bots())
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


async def test_a_bot_without_thinkers_leaves_thinking_to_processes_that_do_nothing_else_and_each_tells_of_its_clock(
    discord: Loopback, bots: Start, tmp_path: Path, server: str
) -> None:
    ports = {"well": free_port(), "thinking": free_port()}
    running = await (await bots(bound=ahead, thinkers=0, metrics_port=ports["well"])).ready()
    environment = {"database_url": server, "thinkers": 0, "log_format": "json", "metrics_port": ports["thinking"]}
    thinker = await Running.start(command(tmp_path, "think", bound=ahead, **environment))
    await thinker.logged("thinking")
    for doing, port in ports.items():
        # An answer that is late makes it a second less.
        clock = r"the clock of this machine is \d+ seconds ahead of the database\'s: set both by NTP, [^\"]+"
        told = re.compile(rf'\{{"status": "{doing}", "warnings": \["{clock}"\]\}}')

        async def warned(port: int = port, told: re.Pattern[str] = told) -> bool:
            status, text = await page(port, "ready")
            return status == 200 and told.fullmatch(text) is not None

        await until(warned, "a warning on the page")
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


def broken() -> None:
    """Have a thinker lose its worker in every thought."""
    impatient()

    async def lost(_players: ComputerPlayers, _due: ComputerTurn) -> None:
        raise WorkerLost

    ComputerPlayers.play = lost  # type: ignore[method-assign, assignment]


async def test_a_thinker_whose_workers_die_gives_its_turns_back_and_says_so(
    discord: Loopback, bots: Start, tmp_path: Path, server: str, port: int
) -> None:
    await (await bots(thinkers=0)).ready()
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
