"""What is left of a person whose data was deleted: PRIVACY.md holds for every byte of the database and of the log."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from tests.operation.conftest import Start
from tests.support.processes.loopback import Loopback
from tests.support.processes.playing import FINISHED, begun, played
from tests.support.processes.processes import Running

REFUSED = "direct message refused"
"""The one event that is logged with the id of a person."""


def forms_of(user_id: int) -> dict[str, bytes]:
    """Return how an id may stand in a file: as text, as an integer in SQLite, and as others write them."""
    varint, rest = bytes([user_id & 0xFF]), user_id >> 8
    for _ in range(8):
        varint, rest = bytes([0x80 | (rest & 0x7F)]) + varint, rest >> 7
    return {
        "decimal": str(user_id).encode(),
        "hexadecimal": f"{user_id:x}".encode(),
        "utf-16": str(user_id).encode("utf-16-le"),
        "record": user_id.to_bytes(8, "big"),
        "little-endian": user_id.to_bytes(8, "little"),
        "row id": varint,
    }


def found_in(file: Path, user_id: int) -> dict[tuple[str, str], int]:
    """Count the places of an id in the database file and its log, by file and form."""
    files = [one for one in file.parent.iterdir() if one.name.startswith(file.name)]
    assert {f"{file.name}-wal", file.name} <= {one.name for one in files}
    contents = {one.name: one.read_bytes() for one in files}
    return {
        (name, form): content.count(written)
        for name, content in contents.items()
        for form, written in forms_of(user_id).items()
        if written in content
    }


def rows_with(file: Path, user_id: int) -> list[tuple[str, str]]:
    """Return the tables and columns in which an id stands, once per row."""
    found = []
    with contextlib.closing(sqlite3.connect(file)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            rows = connection.execute(f'SELECT * FROM "{table}"')
            columns = [column[0] for column in rows.description]
            for row in rows:
                pairs = zip(columns, row, strict=True)
                found += [(table, column) for column, value in pairs if str(user_id) in str(value)]
    return found


def told_of(running: Running, user_id: int) -> set[str]:
    """Return the events whose lines of the log hold an id in any form."""
    texts = [form.decode() for name, form in forms_of(user_id).items() if name in ("decimal", "hexadecimal")]
    assert all(line.startswith("{") for line in running.lines), "every line is looked through"
    return {entry["event"] for entry in running.told(lambda entry: any(text in str(entry) for text in texts))}


async def use_everything(discord: Loopback) -> None:
    """Have Alice leave traces of all kinds: matches, a challenge, a cup, shares, a note, a puzzle, settings, blocks."""
    thread = await begun(discord, rated=True)
    await played(discord, thread, *FINISHED)
    await discord.answered(discord.press(discord.alice, thread, "replay:1"))
    for custom_id in ("share:replay:1", "share-post:replay:1"):
        await discord.answered(discord.press(discord.alice, thread, custom_id))
    running = await begun(discord)
    await played(discord, running, "c3", "a1")
    await discord.answered(discord.ask(discord.alice, running, "match", action="draw"))
    await discord.answered(discord.ask(discord.alice, thread, "match", note="mine alone", match=1))
    for custom_id in ("share:notes:1", "share-post:notes:1"):
        await discord.answered(discord.press(discord.alice, thread, custom_id))
    asked: tuple[tuple[str, dict[str, object]], ...] = (
        ("challenge", {"game": "redo"}),
        ("cup", {"game": "yonmoque", "players": 3}),
        ("preferences", {"theme": "light", "language": "it", "away_days": 2, "digest": 8}),
        ("block", {"person": discord.bob}),
        ("puzzle", {"game": "yonmoque"}),
        ("play", {"game": "yonmoque"}),
        ("profile", {}),
        ("leaderboard", {}),
        ("privacy", {"action": "export"}),
    )
    for command, options in asked:
        await discord.answered(discord.ask(discord.alice, discord.channel, command, **options))


async def delete_everything(discord: Loopback) -> None:
    await discord.answered(discord.ask(discord.alice, discord.channel, "privacy", action="delete"))
    discord.press(discord.alice, discord.channel, "privacy:erase")
    await discord.until(lambda: "privacy:erase" not in discord.controls(discord.channel))


async def test_no_byte_of_database_or_log_holds_the_id_of_who_was_deleted(
    discord: Loopback, start: Start, file: Path
) -> None:
    discord.guild.owner_id = discord.alice.id
    running = await (await start(log_level="DEBUG")).ready()
    await use_everything(discord)
    traces = {table for table, _ in rows_with(file, discord.alice.id)}
    assert {"seats", "ratings", "challenges", "cups", "shares", "people", "blocks", "absences"} <= traces
    assert {"notes", "digests", "visits"} <= traces
    assert found_in(file, discord.alice.id)
    await delete_everything(discord)
    assert rows_with(file, discord.alice.id) == []
    assert found_in(file, discord.alice.id) == {}
    await running.end()
    assert told_of(running, discord.alice.id) == set()


@pytest.mark.slow
async def test_what_is_left_is_the_bar_and_the_block_of_others_and_a_line_about_a_refused_message(
    discord: Loopback, start: Start, file: Path
) -> None:
    running = await (await start(log_level="DEBUG")).ready()
    discord.guild.owner_id = discord.bob.id
    await begun(discord)
    await discord.answered(discord.ask(discord.bob, discord.channel, "block", person=discord.alice))
    fault = {"method": "POST", "path": "/users/@me/channels", "status": 403, "code": 50007, "message": "No", "times": 1}
    discord.backend.faults.append(fault)
    await discord.answered(discord.ask(discord.bob, discord.channel, "manage bar", person=discord.alice))
    await running.logged(REFUSED)
    await delete_everything(discord)
    assert sorted(rows_with(file, discord.alice.id)) == [("bars", "user_id"), ("blocks", "blocked_id")]
    assert {form for _, form in found_in(file, discord.alice.id)} == {"record"}
    await running.end()
    assert told_of(running, discord.alice.id) == {REFUSED}
