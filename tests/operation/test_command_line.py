"""The command line itself: its help is there at once, and what cannot be is said in a sentence."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bot.matches.model.match_record import LARGEST_RECORD
from bot.storage.records import MatchState
from tests.matches.conftest import ALICE, BOB, Crowd
from tests.support.processes.processes import ROOT, Outcome, bot

HEAVY = {"aiohttp", "alembic", "asyncio", "bot.games", "bot.settings", "discord", "PIL", "pydantic", "sqlalchemy"}
TOO_LARGE = 2**63


def test_the_help_imports_nothing_that_only_commands_need() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "bot", "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "moderate" not in done.stdout
    assert "Void a match" in done.stdout
    imported = {line.rsplit("|", 1)[1].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert imported & HEAVY == set()
    assert "bot.operation.command_line" in imported


@pytest.mark.parametrize("arguments", [("void", TOO_LARGE), ("bar", TOO_LARGE), ("bar", 1, "--server", TOO_LARGE)])
async def test_a_number_that_no_database_stores_is_refused_in_a_sentence(
    tmp_path: Path, crowd: Crowd, arguments: tuple[object, ...]
) -> None:
    refused = await bot(tmp_path, *arguments)
    assert refused.code == 2
    assert f"should be less than or equal to {TOO_LARGE - 1}" in " ".join(refused.text.replace("│", " ").split())
    assert "Traceback" not in refused.text


async def test_what_is_no_file_of_text_is_not_imported_and_the_others_are(tmp_path: Path, crowd: Crowd) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "noise.txt").write_bytes(bytes(range(256)))
    endless = tmp_path / "endless.txt"
    with endless.open("wb") as file:
        file.truncate(10**10)
    match_id = await crowd.begin()
    await crowd.resign(match_id, BOB)
    assert (await bot(tmp_path, "export", "records")).code == 0
    record = f"records/yonmoque-{match_id}.txt"
    told = await bot(tmp_path, "import", "pipe", "/dev/zero", "noise.txt", "endless.txt", "nowhere", "records", record)
    assert told.text.splitlines() == [
        "pipe: is no file",
        "/dev/zero: is no file",
        "noise.txt: is not a text file",
        f"endless.txt: the record is longer than {LARGEST_RECORD} characters",
        "nowhere: No such file or directory",
        "records: Is a directory",
        f"{record}: this match is already stored here",
    ]
    assert told.code == 1


async def test_an_operator_erases_a_person_who_cannot_use_the_command(tmp_path: Path, crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.move_twice(match_id)
    asked = await bot(tmp_path, "erase", ALICE.id)
    assert (asked.code, "This cannot be undone." in asked.text) == (1, True)
    assert (await crowd.match(match_id)).seats[0].person.id == ALICE.id
    erased: Outcome = await bot(tmp_path, "erase", ALICE.id, "--yes", log_level="ERROR")
    assert erased.text == f"Everything about {ALICE.id} is deleted; a bar stays. 1 running match was resigned."
    match = await crowd.match(match_id)
    assert match.state is MatchState.OVER
    assert {seat.person.id for seat in match.seats if seat.person.id > 0} == {BOB.id}
    assert "somebody who left" in {seat.person.name for seat in match.seats}


async def test_a_copy_that_fails_before_its_first_row_leaves_nothing_behind(tmp_path: Path, crowd: Crowd) -> None:
    await crowd.begin()
    await crowd.database.close()
    with sqlite3.connect(tmp_path / "data" / "tavoliere.db") as connection:
        connection.execute("ALTER TABLE absences RENAME TO elsewhere")
    failed = await bot(tmp_path, "copy", "data/tavoliere.db", "copy.db")
    assert failed.code == 1
    assert failed.text.startswith("The copy is not finished: ")
    assert list(tmp_path.glob("copy.db*")) == []
