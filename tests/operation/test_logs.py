"""The log: the events of a match, and nothing private."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from tests.operation.conftest import Start
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import FINISHED, begun, played

PRIVATE = (TOKEN, "Private-Name", "alice", "my diary")


async def test_the_lines_of_a_match_tell_its_story_without_names_texts_and_tokens_even_at_their_most_talkative(
    discord: Loopback, start: Start, file: Path
) -> None:
    running = await (await start(log_level="DEBUG")).ready()
    await begun(discord)
    # In the second match there is everything that can happen but an accident.
    thread = await begun(discord, pace=86400)
    await played(discord, thread, FINISHED[0])
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE matches SET remind_at = datetime('now', '-1 hour')")
    await discord.answered(discord.ask(discord.alice, thread, "match", action="draw"))
    await discord.control(thread, "play:2:1:reminder")
    await discord.control(thread, r"offer:accept:\d+")
    await discord.answered(discord.ask(discord.bob, thread, "move", move="my diary of 2026"))
    await played(discord, thread, *FINISHED[1:], begin=1)
    await running.end()
    scenario = running.told(lambda line: line.get("match") == 2)
    assert (scenario[0]["event"], scenario[0]["challenge"], scenario[0]["game"]) == ("accepted", 2, "yonmoque")
    assert running.told(lambda line: line["event"] == "challenged" and line["challenge"] == 2)
    entries = [line for line in scenario if line["event"] == "entry"]
    assert [(line["text"], line["ply"]) for line in entries] == list(zip(FINISHED, range(1, 10), strict=True))
    sent = [line["outbox_message"] for line in scenario if line["event"] == "outbox message sent"]
    assert [key for key in sent if key.startswith("board")] == [f"board:2:{ply}" for ply in range(10)]
    assert {"thread:2", "reminder:2:1"} <= set(sent)
    assert ("draw", "open") in [(line["kind"], line["state"]) for line in scenario if line["event"] == "offer"]
    (over,) = [line for line in scenario if line["event"] == "over"]
    assert (over["winners"], over["reason"]) == ([0], "four in a row")
    tokens = [record.token for record in discord.backend.interactions.values()]
    assert not [private for private in (*PRIVATE, *tokens) if private in running.log]
