"""The log: the events of a match, one useful line for each error, and nothing private."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from functools import partial
from pathlib import Path

import pytest

from tests.operation.conftest import Start
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import FINISHED, begun, played
from tests.support.processes.processes import Running

PRIVATE = (TOKEN, "Private-Name", "alice", "my diary")


def change(file: Path, statement: str) -> None:
    """Change the database behind the bot's back."""
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement)


async def whole_match(discord: Loopback, file: Path) -> int:
    """Have a match played with everything that can happen in it but an accident; return its thread."""
    thread = await begun(discord, pace=86400)
    await played(discord, thread, FINISHED[0])
    change(file, "UPDATE matches SET remind_at = datetime('now', '-1 hour')")
    await discord.answered(discord.ask(discord.alice, thread, "match", action="draw"))
    await discord.control(thread, r"play:\d+:1:reminder")
    await discord.control(thread, r"offer:accept:\d+")
    await discord.answered(discord.ask(discord.bob, thread, "move", move="my diary of 2026"))
    await played(discord, thread, *FINISHED[1:], begin=1)
    return thread


def _logged(running: Running, text: str) -> bool:
    return text in running.log


@pytest.mark.slow
async def test_the_lines_of_a_match_tell_its_story(discord: Loopback, start: Start, file: Path) -> None:
    running = await (await start()).ready()
    await begun(discord)
    await whole_match(discord, file)
    await running.end()
    scenario = running.told(lambda line: line.get("match") == 2)
    events = [line["event"] for line in scenario]
    assert events[0] == "accepted"
    assert (scenario[0]["challenge"], scenario[0]["game"]) == (2, "yonmoque")
    assert running.told(lambda line: line["event"] == "challenged" and line["challenge"] == 2)
    assert [line["text"] for line in scenario if line["event"] == "entry"] == list(FINISHED)
    assert [line["ply"] for line in scenario if line["event"] == "entry"] == list(range(1, 10))
    sent = [line["outbox_message"] for line in scenario if line["event"] == "outbox message sent"]
    assert [key for key in sent if key.startswith("board")] == [f"board:2:{ply}" for ply in range(10)]
    assert {"thread:2", "reminder:2:1"} <= set(sent)
    assert ("draw", "open") in [(line["kind"], line["state"]) for line in scenario if line["event"] == "offer"]
    (over,) = [line for line in scenario if line["event"] == "over"]
    assert (over["winners"], over["reason"]) == ([0], "four in a row")


@pytest.mark.slow
async def test_grep_finds_the_same_in_lines_for_people(discord: Loopback, start: Start, file: Path) -> None:
    running = await start(log_format="console")
    await discord.until(lambda: "ready" in running.log)
    await whole_match(discord, file)
    await running.end()
    found = [line for line in running.lines if re.search(r"\bmatch=1\b", line)]
    scenario = "\n".join(found)
    for told in (
        "accepted",
        "outbox_message=board:1:0",
        "text=a1",
        "outbox_message=reminder:1:1",
        "kind=draw",
        "text=e2-d1",
        "over",
    ):
        assert told in scenario
    assert not [private for private in PRIVATE if private in running.log]


async def test_names_texts_and_tokens_are_not_in_it_even_at_its_most_talkative(
    discord: Loopback, start: Start, file: Path
) -> None:
    running = await (await start(log_level="DEBUG")).ready()
    await whole_match(discord, file)
    await running.end()
    assert "four in a row" in running.log
    assert not [private for private in PRIVATE if private in running.log]
    tokens = [record.token for record in discord.backend.interactions.values()]
    assert not [token for token in tokens if token in running.log]


@pytest.mark.slow
async def test_what_fails_in_a_command_is_one_line_and_the_person_gets_its_reference(
    discord: Loopback, start: Start, file: Path
) -> None:
    first = await (await start()).ready()
    thread = await begun(discord)
    await played(discord, thread, "c3")
    await first.end()
    change(file, "UPDATE matches SET state = 'strange'")
    for log_format in ("json", "console"):
        running = await start(log_format=log_format)
        await discord.until(partial(_logged, running, "ready"))
        told = await discord.answered(discord.ask(discord.bob, thread, "move", move="my diary"))
        reference = re.search(r"run this bot: `(\w+)`", told)
        assert reference is not None, told
        await running.end()
        assert running.log.count(reference[1]) == 1
        assert "request failed" in running.log
        assert "'strange' is not a valid MatchState" in running.log, "the reason"
        assert "storage/matches.py" in running.log, "where"
        assert not [private for private in PRIVATE if private in running.log]


@pytest.mark.slow
async def test_what_discord_does_not_take_is_one_line_and_holds_up_nothing(discord: Loopback, start: Start) -> None:
    for log_format in ("json", "console"):
        running = await start(log_format=log_format)
        await discord.until(partial(_logged, running, "ready"))
        thread = await begun(discord)
        path = f"/channels/{thread}/messages"
        fault = {"method": "POST", "path": path, "status": 400, "code": 50035, "message": "Invalid", "times": 1}
        discord.backend.faults.append(fault)
        await discord.answered(discord.ask(discord.alice, thread, "move", move="c3"))
        await discord.until(partial(_logged, running, "outbox message dropped"))
        await played(discord, thread, "a1", begin=1)
        await running.end()
        assert running.log.count("outbox message dropped: Discord rejected it (400 ") == 1
        assert "Invalid" in running.log
        assert not [private for private in PRIVATE if private in running.log]


@pytest.mark.slow
async def test_a_database_that_fails_is_told_to_the_person_and_logged(
    discord: Loopback, start: Start, file: Path
) -> None:
    running = await (await start()).ready()
    thread = await begun(discord)
    change(file, "ALTER TABLE interactions RENAME TO gone")
    told = await discord.answered(discord.ask(discord.alice, thread, "move", move="c3"))
    assert told.strip() == (
        "I can't save anything right now, so nothing was changed. Please try again in a few minutes."
    )
    change(file, "ALTER TABLE gone RENAME TO interactions")
    (line,) = _errors(running)
    assert line["event"] == "storage unavailable"
    assert "no such table: interactions" in str(line["exception"])
    await played(discord, thread, "c3")


def _errors(running: Running) -> list[dict[str, object]]:
    return running.told(lambda line: line["level"] == "error")
