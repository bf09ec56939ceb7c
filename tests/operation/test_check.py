"""``check``: nothing to say of what is in order, a line and an exit code for everything that is not."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from bot.operation.checks import check_all
from bot.settings import Settings
from bot.storage.migrations import known_revisions
from tests.matches.conftest import ALICE, Crowd
from tests.support.next_version import NEXT
from tests.support.processes.loopback import TOKEN
from tests.support.processes.playing import FINISHED
from tests.support.processes.processes import ROOT, bot, command, executed
from tests.support.processes.rights import bound_by_rights, needs_rights

NEWEST = max(known_revisions())


def change(file: Path, *statements: str) -> None:
    """Change a database behind the bot's back."""
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


async def test_everything_in_order_is_said_line_by_line(tmp_path: Path, crowd: Crowd) -> None:
    await crowd.play(await crowd.begin(), *FINISHED)
    await crowd.play(await crowd.begin(), "c3")
    checked = await bot(tmp_path, "check", discord_token=TOKEN)
    assert checked.text.splitlines() == [
        "settings: fine",
        "database: fine",
        "migrations: fine",
        "matches and ratings: fine",
        "games: fine",
        "fonts and pictures: fine",
        "languages: fine",
        "commands: fine",
    ]
    assert checked.code == 0


async def test_on_a_bare_machine_it_says_what_will_be_and_makes_nothing(tmp_path: Path) -> None:
    checked = await bot(tmp_path, "check", discord_token=TOKEN)
    assert checked.code == 0
    assert "database: none yet, `run` makes data/tavoliere.db" in checked.text.splitlines()
    assert list(tmp_path.iterdir()) == []


@needs_rights
def test_a_database_that_cannot_be_made_is_named_before_it_is_tried(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    checked = executed(command(tmp_path, "check", discord_token=TOKEN, bound=bound_by_rights))
    tmp_path.chmod(0o700)
    assert checked.returncode == 1
    assert f"data/tavoliere.db does not exist and cannot be made: {tmp_path} cannot be written" in checked.stdout


async def test_a_missing_token_and_wrong_settings_are_named(tmp_path: Path) -> None:
    missing = await bot(tmp_path, "check")
    assert missing.code == 1
    assert "settings: DISCORD_TOKEN is not set; `run` needs it, `demo` does not" in missing.text
    wrong = await bot(tmp_path, "check", workers="many")
    assert wrong.code == 2
    assert wrong.text == "WORKERS is 'many', but must be a whole number from 1 to 32."


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        (
            "UPDATE alembic_version SET version_num = '0002'",
            "was made before the first release of Tavoliere: it is at 0002, this version begins at 0023. Export",
        ),
        ("UPDATE alembic_version SET version_num = '9999'", "belongs to a newer version of Tavoliere: it is at 9999"),
        (
            "UPDATE ratings SET mu = mu + 0.001 WHERE user_id = 2 AND game = ''",
            "matches and ratings: rating of 2 in all games in server 10: not what its matches lead to",
        ),
        ("UPDATE moves SET text = 'f9' WHERE ply = 1", "matches and ratings: match 1: its moves cannot be played"),
        ("DELETE FROM moves WHERE ply = 9", "match 1: at ply 9, but its moves lead to ply 8"),
        ("UPDATE seats SET won = 1 - won", "match 1: the result stored is not the one its moves lead to"),
        ("UPDATE matches SET state = 'lost'", "match 1: its stored data cannot be read: 'lost' is not"),
    ],
)
async def test_what_is_wrong_in_the_database_is_named(tmp_path: Path, crowd: Crowd, statement: str, line: str) -> None:
    await crowd.play(await crowd.begin(), *FINISHED)
    change(Path(str(crowd.database.url.database)), statement)
    checked = await bot(tmp_path, "check", discord_token=TOKEN)
    assert line in checked.text
    assert "Traceback" not in checked.text
    assert checked.code == 1


@pytest.mark.usefixtures("next_version")
async def test_a_database_that_lacks_a_migration_is_named(tmp_path: Path, empty_database: Path) -> None:
    file = Path(shutil.copy(empty_database, tmp_path / "behind.db"))
    findings = await check_all(Settings(database_url=f"sqlite+aiosqlite:///{file}"))
    behind = f"the database is at {NEWEST}, this version needs {NEXT}: make a backup, then `run` sees to it"
    assert behind in [finding.problem for finding in findings]


async def test_a_damaged_file_is_named(tmp_path: Path, crowd: Crowd, file: Path) -> None:
    await crowd.play(await crowd.begin(), *FINISHED)
    await crowd.database.close()
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    file.write_bytes(content)
    checked = await bot(tmp_path, "check", discord_token=TOKEN)
    assert "database: The database data/tavoliere.db is damaged." in checked.text
    assert checked.code == 1


async def test_it_changes_nothing(tmp_path: Path, crowd: Crowd, file: Path) -> None:
    await crowd.resign(await crowd.begin(), ALICE)
    await crowd.database.close()
    change(file, "UPDATE alembic_version SET version_num = '0002'")
    before = file.read_bytes()
    await bot(tmp_path, "check")
    assert file.read_bytes() == before


@pytest.mark.parametrize("address", ["me:hush-hush@127.0.0.1:1/tavoliere", "127.0.0.1:1/t?user=me&password=hush-hush"])
async def test_no_secret_is_shown_when_the_database_does_not_answer(tmp_path: Path, address: str) -> None:
    checked = await bot(tmp_path, "check", discord_token=TOKEN, database_url=f"postgresql+asyncpg://{address}")
    assert checked.code == 1
    assert "database: The database t" in checked.text
    assert "hush-hush" not in checked.text
    assert TOKEN not in checked.text


@pytest.mark.slow
def test_a_missing_font_for_other_scripts_is_named(tmp_path: Path) -> None:
    for package in ("bot", "renderers"):
        ignored = shutil.ignore_patterns("NotoSansThai*", "__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    wanted = command(tmp_path, "check", discord_token=TOKEN)
    checked = executed(replace(wanted, environment={**wanted.environment, "PYTHONPATH": str(tmp_path)}))
    assert checked.returncode == 1
    assert "NotoSansThaiUI-Regular.ttf" in checked.stdout


@pytest.mark.slow
def test_missing_fonts_and_commands_beyond_discords_limits_are_named(tmp_path: Path) -> None:
    for package in ("bot", "renderers"):
        ignored = shutil.ignore_patterns("*.otf", "__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    playing = tmp_path / "bot" / "cogs" / "play.py"
    playing.write_text(playing.read_text().replace("Make a move by typing it", "Make a move " + 100 * "!"))
    wanted = command(tmp_path, "check", discord_token=TOKEN)
    checked = executed(replace(wanted, environment={**wanted.environment, "PYTHONPATH": str(tmp_path)}))
    assert checked.returncode == 1
    assert "Inter-" in checked.stdout
    assert ".otf: No such file or directory" in checked.stdout
    assert "commands: move: description of 112 characters" in checked.stdout


async def test_looking_at_a_database_that_is_not_there_makes_none(tmp_path: Path) -> None:
    looked = await bot(tmp_path, "status", database_url="sqlite+aiosqlite:///none.db")
    assert (looked.code, looked.text) == (1, "There is no database at none.db: `run` makes it.")
    assert not list(tmp_path.iterdir())
