"""The page for machines: true figures, and unwell when something is."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot import __version__
from bot.cluster import gateway
from bot.matches.due_scheduler import DueScheduler
from bot.operation import WRONG_SETTINGS
from tests.operation.conftest import Start
from tests.support.processes.health_page import page
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import FINISHED, begun, played
from tests.support.processes.processes import bot


async def figures(port: int) -> dict[str, float]:
    """Return the figures of the bot by name and labels."""
    status, text = await page(port, "metrics")
    assert status == 200
    return {name: float(value) for name, value in re.findall(r"^(tavoliere_\S+) (\S+)$", text, re.MULTILINE)}


async def test_the_figures_are_those_of_what_was_played_and_of_connections_database_and_loop(
    discord: Loopback, start: Start, port: int
) -> None:
    await (await start(metrics_port=port)).ready()
    assert await page(port, "health") == (200, '{"status": "well"}')
    first = await begun(discord)
    await begun(discord)
    told = await figures(port)
    assert told["tavoliere_matches_running"] == 2
    await played(discord, first, *FINISHED)
    refused = discord.ask(discord.alice, first, "move", move="c3", match=1)
    assert "This match is over." in await discord.answered(refused)
    discord.news.clear()
    while (told := await figures(port))["tavoliere_outbox_pending"]:
        await discord.news.wait()
        discord.news.clear()
    assert told["tavoliere_matches_running"] == 1
    assert told['tavoliere_outbox_messages_total{kind="board",outcome="sent"}'] == 2 + len(FINISHED)
    assert told['tavoliere_outbox_messages_total{kind="thread",outcome="sent"}'] == 2
    answers = 'tavoliere_answers_total{command="%s",outcome="%s"}'
    assert told[answers % ("challenge", "done")] == 2 * 2
    assert told[answers % ("move", "done")] == told['tavoliere_moves_total{game="yonmoque"}'] == len(FINISHED)
    assert told[answers % ("move", "refused")] == 1
    assert told['tavoliere_answer_seconds_count{command="move"}'] == len(FINISHED) + 1
    assert told['tavoliere_matches_over_total{game="yonmoque"}'] == 1
    assert told["tavoliere_acknowledgement_seconds_count"] == 2 * 2 + len(FINISHED) + 1
    assert told["tavoliere_shards"] == told["tavoliere_shards_connected"] == told['tavoliere_servers{shard="0"}'] == 1
    assert told["tavoliere_unserved"] == told["tavoliere_leases_lost_total"] == 0
    assert told['tavoliere_database_seconds_count{kind="write"}'] > 0
    assert told["tavoliere_database_wait_seconds_count"] > 0
    assert 'tavoliere_database_connections{state="in use"}' in (await page(port, "metrics"))[1]
    assert told[f'tavoliere_build_info{{version="{__version__}"}}'] == 1
    async with asyncio.timeout(30):
        while not (await figures(port))["tavoliere_event_loop_lag_seconds_count"]:
            await asyncio.sleep(0.1)


def crowded() -> None:
    """Have one server be many."""
    gateway.MANY_SERVERS = 1


async def test_a_shard_with_too_many_servers_is_told_before_discord_refuses_it(
    discord: Loopback, start: Start, port: int, tmp_path: Path
) -> None:
    discord.connections_left = 51
    running = await (await start(metrics_port=port, bound=crowded, heartbeat=1)).ready()
    status, text = await page(port, "ready")
    told = json.loads(text)
    assert (status, told["status"]) == (200, "well")
    assert told["warnings"][0].startswith(
        "a shard has 1 servers, and Discord connects none with more than 2500: restart"
    )
    assert running.told(lambda line: line["level"] == "warning" and line["event"] == told["warnings"][0])
    # The connection of this start has been used.
    assert told["warnings"][1:] == []
    assert (await figures(port))["tavoliere_identifies_left"] == 50
    async with asyncio.timeout(30):
        while '"servers_of_fullest_shard": 1' not in (shown := await bot(tmp_path, "status", "--json")).text:
            assert shown.code == 0


async def test_it_is_unwell_until_it_is_connected_and_while_the_gateway_is_lost(
    discord: Loopback, start: Start, port: int
) -> None:
    away = (503, '{"status": "not connected to Discord"}')
    with discord.held("GET /gateway"):
        running = await start(metrics_port=port)
        await discord.until(lambda: discord.waiting)
        assert await page(port, "health") == away
    await running.ready()
    assert (await page(port, "health"))[0] == 200
    with discord.held("GET /gateway"):
        await discord.hang_up()
        await discord.until(lambda: len(discord.waiting) > 1)
        assert await page(port, "health") == away
    await running.logged("Shard ID 0 has successfully RESUMED session loopback-0.")
    assert (await page(port, "health"))[0] == 200
    await played(discord, await begun(discord), "c3")


@contextlib.contextmanager
def overwritten(file: Path, table: str) -> Iterator[None]:
    """Overwrite the first page of a table in the block."""
    with contextlib.closing(sqlite3.connect(file)) as connection:
        # What the bot has stored goes from the log into the file, and the bot reads it from there.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        ((size,), (root,)) = (
            connection.execute("PRAGMA page_size").fetchone(),
            connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone(),
        )
    place = slice((root - 1) * size, root * size)
    whole = file.read_bytes()
    with file.open("r+b") as pages:
        pages.seek(place.start)
        pages.write(b"\xff" * size)
    yield
    with file.open("r+b") as pages:
        pages.seek(place.start)
        pages.write(whole[place])


@pytest.mark.slow
async def test_a_page_that_is_damaged_before_the_start_is_found_though_nobody_plays(
    discord: Loopback, start: Start, port: int, file: Path, tmp_path: Path
) -> None:
    first = await (await start()).ready()
    await played(discord, await begun(discord), "c3")
    assert await first.end() == 0
    with overwritten(file, "ratings"):
        running = await (await start(metrics_port=port)).ready()
        line = await running.logged("the database is damaged: stop the bot, and restore a backup")
        assert line["level"] == "error"
        assert await page(port, "ready") == (503, json.dumps({"status": line["event"]}))
        assert (await page(port, "live"))[0] == 200
        assert (await figures(port))['tavoliere_storage_failures_total{kind="damage"}'] == 1
        checked = await bot(tmp_path, "check", discord_token=TOKEN)
        assert (checked.code, "database: it is damaged: " in checked.text) == (1, True)
        assert await running.end() == 0


@pytest.mark.slow
async def test_a_page_that_is_damaged_while_it_runs_makes_it_unwell_once_a_move_fails(
    discord: Loopback, start: Start, port: int, file: Path
) -> None:
    await (await start(metrics_port=port)).ready()
    thread = await begun(discord)
    assert await page(port, "ready") == (200, '{"status": "well"}')
    with overwritten(file, "moves"):
        said = await discord.answered(discord.ask(discord.alice, thread, "move", move="c3"))
        assert "can't save anything right now" in said
        damaged = json.dumps({"status": "the database is damaged: stop the bot, and restore a backup"})
        assert await page(port, "ready") == (503, damaged)


def unscheduled() -> None:
    """Have the work that sees to deadlines end by an error."""

    async def end(_scheduler: DueScheduler) -> None:
        raise AssertionError("nothing falls due any more")

    DueScheduler.run = end  # type: ignore[method-assign, assignment]


async def test_it_is_not_live_once_work_has_ended_that_only_a_restart_begins_again(start: Start, port: int) -> None:
    await (await start(metrics_port=port, bound=unscheduled)).ready()
    assert await page(port, "live") == (503, '{"status": "scheduler has ended"}')


async def test_a_port_in_use_ends_it_with_a_sentence(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = await start(metrics_port=port)
        assert await refused.ended() == WRONG_SETTINGS
    assert f"METRICS_PORT is {port}, but that port cannot be used: " in refused.log
    assert "Choose another one." in refused.log
    assert "Traceback" not in refused.log
