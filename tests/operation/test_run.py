"""``run``: what it says when it cannot, and how it ends."""

from __future__ import annotations

import contextlib
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.operation.conftest import Start
from tests.support.processes.health_page import page
from tests.support.processes.locking import HELD, impatient, locked
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import begun, played
from tests.support.processes.processes import Running, bot, command, executed
from tests.support.processes.rights import bound_by_rights, needs_rights
from tests.support.sampled import sampled


@pytest.mark.slow
def test_without_a_token_it_says_how_to_get_one_and_names_the_demo(tmp_path: Path) -> None:
    told = executed(command(tmp_path, "run"))
    assert told.returncode == 2
    assert "DISCORD_TOKEN is not set" in told.stdout
    assert "python -m bot demo" in told.stdout
    assert "\n\n" not in told.stdout
    assert list(tmp_path.iterdir()) == []


async def test_every_wrong_setting_is_named_with_what_would_be_right(tmp_path: Path) -> None:
    told = await bot(
        tmp_path,
        "run",
        discord_token=TOKEN,
        database_url="mysql://me:hush@host/tavoliere",
        log_level="loud",
        log_format="xml",
        threads="perhaps",
        challenge_days=31,
        max_matches="many",
        max_challenges=0,
        heartbeat=1.5,
        workers=0,
        slots=2,
        metrics_port=70000,
    )
    assert told.code == 2
    assert told.text.splitlines() == [
        "DATABASE_URL must be an address that begins with sqlite+aiosqlite:// or postgresql+asyncpg://.",
        "LOG_LEVEL is 'LOUD', but must be one of DEBUG, INFO, WARNING, ERROR.",
        "LOG_FORMAT is 'xml', but must be one of console, json.",
        "THREADS is 'perhaps', but must be true or false.",
        "CHALLENGE_DAYS is '31', but must be a whole number from 1 to 30.",
        "MAX_MATCHES is 'many', but must be a whole number from 1 upwards.",
        "MAX_CHALLENGES is '0', but must be a whole number from 1 upwards.",
        "HEARTBEAT is '1.5', but must be a whole number from 1 upwards.",
        "WORKERS is '0', but must be a whole number from 1 to 32.",
        "SLOTS is '2', but must be left out: one bot serves all servers. Let the other processes stand by for it "
        "with the same settings, or think (`think`), as docs/scaling.md tells.",
        "METRICS_PORT is '70000', but must be a whole number from 1 to 65535.",
    ]


async def test_a_settings_file_in_another_encoding_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes("SOURCE_URL=http://bücher.example".encode("latin-1"))
    told = await bot(tmp_path, "run")
    assert told.code == 2
    assert told.text.startswith("The file .env cannot be read: ")
    assert "Traceback" not in told.text


async def test_a_wrong_token_ends_it_with_a_sentence(start: Start) -> None:
    wrong = await start(discord_token="MTIz.wrong.token")
    assert await wrong.ended() == 2
    assert "Discord does not accept this DISCORD_TOKEN." in wrong.lines[-1]
    assert "Traceback" not in wrong.log
    assert "MTIz.wrong.token" not in wrong.log


async def test_an_unreachable_discord_ends_it_with_a_sentence(discord: Loopback, start: Start) -> None:
    await discord.close()
    lonely = await start()
    assert await lonely.ended() == 1
    assert lonely.lines[-1].startswith("Discord cannot be reached: ")
    assert "Traceback" not in lonely.log


async def test_a_refusal_of_discord_ends_it_with_a_sentence(discord: Loopback, start: Start) -> None:
    fault = {"method": "GET", "path": "/users/@me", "status": 403, "code": 40333, "message": "no", "times": None}
    discord.backend.faults.append(fault)
    refused = await start()
    assert await refused.ended() == 1
    assert refused.lines[-1].startswith("Discord refuses to let the bot in: 403")


@pytest.mark.parametrize(
    ("code", "exit_code", "sentence"),
    sampled(
        [
            (4004, 2, "Discord does not accept this DISCORD_TOKEN."),
            (4010, 2, "Discord has closed the connection for good (code 4010): SHARDS does not fit this bot"),
            (4011, 2, "Discord has closed the connection for good (code 4011): a connection has too many servers"),
            (4012, 2, "Discord has closed the connection for good (code 4012): this version"),
            (4013, 2, "Discord has closed the connection for good (code 4013): the intents"),
            (4014, 2, "Discord asks for an intent that is not switched on for this bot in the developer portal."),
        ],
        every=4,
    ),
)
async def test_a_gateway_that_closes_for_good_ends_it_with_a_sentence(
    discord: Loopback, start: Start, code: int, exit_code: int, sentence: str
) -> None:
    discord.closes, discord.shards, discord.max_concurrency = code, 16, 1
    closed = await start()
    assert await closed.ended() == exit_code
    assert any(line.startswith(sentence) for line in closed.lines)
    assert "Traceback" not in closed.log
    assert discord.identified == [0]


async def test_a_start_leaves_the_last_fifty_connections_of_a_day_to_those_that_break(
    discord: Loopback, start: Start, port: int
) -> None:
    discord.connections_left = 50
    waiting = await start(metrics_port=port)
    assert (await waiting.logged("too few connections left today"))["remaining"] == 50
    assert await page(port, "live") == (200, '{"status": "live"}')
    status, told = await page(port, "ready")
    assert status == 503
    assert "only 50 connections to Discord left today" in told
    assert discord.identified == []
    assert await waiting.end() == 0


@pytest.mark.slow
async def test_one_process_connects_as_many_shards_as_discord_recommends(discord: Loopback, start: Start) -> None:
    discord.shards = 2
    running = await (await start()).ready()
    assert discord.identified == [0, 1]
    await played(discord, await begun(discord), "c3")
    assert await running.end() == 0


async def test_what_is_no_database_ends_it_with_a_sentence_and_stays_as_it_is(start: Start, file: Path) -> None:
    file.parent.mkdir()
    file.write_text("Dear diary, " * 1000)
    refused = await start()
    assert await refused.ended() == 2
    assert "data/tavoliere.db is not an SQLite database." in refused.lines[-1]
    assert "Traceback" not in refused.log
    assert file.read_text() == "Dear diary, " * 1000


@needs_rights
@pytest.mark.parametrize(
    ("rights", "sentence"),
    [
        (0o400, "cannot be written: this user may only read it, or its folder."),
        pytest.param(0o000, "cannot be opened: ", marks=pytest.mark.slow),
    ],
)
async def test_a_database_without_the_rights_to_it_ends_it_with_a_sentence(
    tmp_path: Path, file: Path, rights: int, sentence: str
) -> None:
    assert (await bot(tmp_path, "import", "nowhere.txt")).code == 1
    file.chmod(rights)
    file.parent.chmod(0o500)
    try:
        refused = executed(command(tmp_path, "export", "records", bound=bound_by_rights))
    finally:
        file.parent.chmod(0o700)
    assert refused.returncode == 1
    assert f"data/tavoliere.db {sentence}" in refused.stdout
    assert "Traceback" not in refused.stdout


async def test_a_second_bot_on_the_same_database_is_refused_by_any_name_of_it_and_the_first_plays_on(
    discord: Loopback, start: Start, tmp_path: Path, file: Path
) -> None:
    first = await (await start()).ready()
    (tmp_path / "link.db").symlink_to(file)
    (tmp_path / "folder").symlink_to(file.parent)
    for way in ("data/tavoliere.db", "link.db", "folder/tavoliere.db"):
        second = await start(database_url=f"sqlite+aiosqlite:///{way}")
        assert await second.ended() == 1
        assert f"Another bot is running on the database {way}." in second.log
    await played(discord, await begun(discord), "c3")
    assert await first.end() == 0


async def test_a_database_held_by_another_program_ends_it_with_a_sentence(
    discord: Loopback, start: Start, tmp_path: Path, file: Path
) -> None:
    assert await (await (await start()).ready()).end() == 0
    with locked(file):
        refused = await Running.start(command(tmp_path, "run", discord_token=TOKEN, bound=impatient), discord)
        assert await refused.ended() == 1
    assert f"The database data/tavoliere.db {HELD}" in refused.lines
    assert "Traceback" not in refused.log


def full_disk() -> None:
    """Let this process write only as far into a file as SQLite needs to read one, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**15, 2**15))


@contextlib.contextmanager
def filled_log(file: Path) -> Iterator[None]:
    """Keep so much in the write-ahead log of a database while the block runs that no more fits on a full disk."""
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA wal_autocheckpoint = 0")
        other.execute("CREATE TABLE filling AS SELECT zeroblob(100000) AS content")
        other.execute("DROP TABLE filling")
        yield


@pytest.mark.slow
@pytest.mark.parametrize("ran_before", sampled([True, False], every=2))
async def test_a_full_disk_ends_it_with_a_sentence(
    discord: Loopback, start: Start, tmp_path: Path, file: Path, ran_before: bool
) -> None:
    if ran_before:
        await (await (await start()).ready()).end(signal.SIGKILL)
    with filled_log(file) if ran_before else contextlib.nullcontext():
        refused = await Running.start(command(tmp_path, "run", discord_token=TOKEN, bound=full_disk), discord)
        assert await refused.ended() == 1
    assert any(line.startswith("The database data/tavoliere.db cannot be ") for line in refused.lines), refused.log
    assert "Traceback" not in refused.log


@pytest.mark.parametrize("number", sampled([signal.SIGTERM, signal.SIGINT], every=2))
async def test_a_turn_under_way_is_finished_before_the_end(
    discord: Loopback, start: Start, file: Path, number: int
) -> None:
    running = await (await start()).ready()
    thread = await begun(discord)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    turn = discord.ask(discord.alice, thread, "move", move="c3")
    await discord.until(lambda: discord.backend.interactions[turn].responded)
    running.send(number)
    await running.logged("stopping, what was begun is finished")
    other.execute("COMMIT")
    assert "You played **c3**" in await discord.answered(turn)
    assert await running.ended() == 0
    assert other.execute("SELECT text FROM moves").fetchall() == [("c3",)]
    other.close()


async def test_a_signal_while_it_still_logs_in_ends_it_cleanly(discord: Loopback, start: Start) -> None:
    with discord.held("GET /users/@me"):
        early = await start()
        await early.logged("logging in using static token")
        assert await early.end() == 0
    assert "Traceback" not in early.log


async def test_a_port_of_the_board_page_that_is_taken_ends_it_with_a_sentence(start: Start, port: int) -> None:
    with socket.create_server(("127.0.0.1", port)):
        refused = await start(web_port=port, web_url="http://localhost")
        assert await refused.ended() == 2
    assert refused.lines[-1].startswith(f"WEB_PORT is {port} and WEB_HOST 127.0.0.1, but that address cannot be used")
    assert "Traceback" not in refused.log


def test_ctrl_c_while_modules_are_loaded_ends_a_command_without_a_traceback() -> None:
    interrupted = (
        "import builtins, sys\n"
        "load = builtins.__import__\n"
        "def interrupted(name, *given, **options):\n"
        "    if name == 'bot.operation':\n"
        "        raise KeyboardInterrupt\n"
        "    return load(name, *given, **options)\n"
        "builtins.__import__ = interrupted\n"
        "from bot.__main__ import main\n"
        "main()\n"
    )
    ended = subprocess.run([sys.executable, "-c", interrupted], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
