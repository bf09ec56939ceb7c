"""``check``: nothing to say of what is in order, a line and an exit code for everything that is not."""

from __future__ import annotations

import contextlib
import re
import shutil
import socket
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from discord import Intents

from bot.demo.discord_server import led_to
from bot.operation.checks import check_all
from bot.operation.discord_check import ask_discord
from bot.operation.settings_check import ports
from bot.settings import Settings
from bot.storage.migrations import known_revisions
from bot.views.permissions import invite_link
from tests.matches.conftest import ALICE, Crowd
from tests.operation.conftest import Start
from tests.support.next_version import NEXT
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import FINISHED
from tests.support.processes.processes import ROOT, Outcome, Running, bot, command, executed
from tests.support.processes.rights import bound_by_rights, needs_rights
from tests.support.sampled import sampled

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


async def test_a_database_that_others_may_read_is_told_of(tmp_path: Path, crowd: Crowd) -> None:
    file = crowd.database.file
    assert file is not None
    file.chmod(0o644)
    (found,) = [
        one
        for one in await check_all(Settings(database_url=f"sqlite+aiosqlite:///{file}"))
        if one.subject == "database"
    ]
    assert found.problem is None
    assert found.praise.endswith(f"chmod 600 {file}")


async def test_on_a_bare_machine_it_says_what_will_be_and_makes_nothing(tmp_path: Path) -> None:
    checked = await bot(tmp_path, "check", discord_token=TOKEN)
    assert checked.code == 0
    assert "database: none yet, `run` makes data/tavoliere.db" in checked.text.splitlines()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@needs_rights
def test_a_database_that_cannot_be_made_is_named_before_it_is_tried(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    checked = executed(command(tmp_path, "check", discord_token=TOKEN, bound=bound_by_rights))
    tmp_path.chmod(0o700)
    assert checked.returncode == 1
    assert f"data/tavoliere.db does not exist and cannot be made: {tmp_path} cannot be written" in checked.stdout


async def test_a_missing_token_is_named(tmp_path: Path) -> None:
    missing = await bot(tmp_path, "check")
    assert missing.code == 1
    assert "settings: DISCORD_TOKEN is not set; `run` needs it, `demo` does not" in missing.text


@pytest.mark.parametrize(
    ("statement", "line"),
    sampled(
        [
            (
                "UPDATE alembic_version SET version_num = '9999'",
                "belongs to a newer version of Tavoliere: it is at 9999",
            ),
            (
                "UPDATE ratings SET mu = mu + 0.001 WHERE user_id = 2 AND game = ''",
                "matches and ratings: rating of 2 in all games in server 10: not what its matches lead to",
            ),
            ("UPDATE moves SET text = 'f9' WHERE ply = 1", "matches and ratings: match 1: its moves cannot be played"),
            ("DELETE FROM moves WHERE ply = 9", "match 1: at ply 9, but its moves lead to ply 8"),
            ("UPDATE seats SET won = 1 - won", "match 1: the result stored is not the one its moves lead to"),
            ("UPDATE matches SET state = 'lost'", "match 1: its stored data cannot be read: 'lost' is not"),
        ],
        every=4,
    ),
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
def test_missing_fonts_and_commands_beyond_discords_limits_are_named(tmp_path: Path) -> None:
    for package in ("bot", "renderers"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    wanted = command(tmp_path, "check", discord_token=TOKEN)
    elsewhere = replace(wanted, environment={**wanted.environment, "PYTHONPATH": str(tmp_path)})
    playing = tmp_path / "bot" / "cogs" / "play.py"
    playing.write_text(playing.read_text().replace("Make a move by typing it", "Make a move " + 100 * "!"))
    for fonts, named in (("NotoSansThai*", "NotoSansThaiUI-Regular.ttf"), ("Inter-*.otf", ".otf: No such file or")):
        for font in tmp_path.rglob(fonts):
            font.unlink()
        checked = executed(elsewhere)
        assert checked.returncode == 1
        assert named in checked.stdout
    assert "commands: move: description of 112 characters" in checked.stdout


async def test_looking_at_a_database_that_is_not_there_makes_none(tmp_path: Path) -> None:
    looked = await bot(tmp_path, "status", database_url="sqlite+aiosqlite:///none.db")
    assert (looked.code, looked.text) == (1, "There is no database at none.db: `run` makes it.")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "token", sampled(["a" * 32, "Bot MTIz.wrong.token", "123.4", "bm8tbnVtYmVy.time.signature", "MTIz..x"], every=5)
)
async def test_a_token_that_cannot_be_one_is_told_without_asking_discord(tmp_path: Path, token: str) -> None:
    checked = await bot(tmp_path, "check", discord_token=token)
    assert checked.code == 1
    assert "settings: DISCORD_TOKEN does not look like a bot's token" in checked.text
    assert token not in checked.text


async def test_settings_that_are_misspelt_or_exclude_each_other_are_told(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOGLEVEL=DEBUG\nlog_format=json\nPOSTGRES_USER=me\n")
    settings = {"web_port": 9460, "metrics_port": 9460, "metric_host": "0.0.0.0"}
    checked = await bot(tmp_path, "check", discord_token=TOKEN, **settings)
    assert checked.code == 1
    said = checked.text.partition("METRICS_PORT: ")[0]
    assert said.splitlines() == [
        "settings: LOGLEVEL is set, but there is no such setting: is LOG_LEVEL meant?",
        "  METRIC_HOST is set, but there is no such setting: is METRICS_HOST meant?",
        "  WEB_PORT and METRICS_PORT are both 9460: choose another one for one of them",
        "  WEB_PORT is set, but WEB_URL is not: set it to the address at which people open the board page",
    ]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (
            {"web_url": "https://a.example"},
            "settings: WEB_URL is set, but WEB_PORT is not: no bot serves the board page",
        ),
        (
            {"web_url": "http://a.example", "web_port": 9},
            "WEB_URL is 'http://a.example', but must be https:// and a host",
        ),
        ({"web_public": True}, "WEB_PUBLIC is on, but WEB_PORT is not set: no bot serves the pages for people without"),
        ({"web_proxies": "proxy"}, "WEB_PROXIES is 'proxy', but must be addresses or networks with commas between"),
        ({"web_proxies": "0.0.0.0/0"}, "must be the addresses of your proxies: with all addresses anybody could claim"),
        ({"web_url": "https://a.example/b", "web_port": 9}, "must be https:// and a host, without a path"),
        ({"web_url": f"https://{'a' * 120}.example", "web_port": 9}, "must be at most 120 characters long"),
    ],
)
async def test_what_the_board_page_lacks_is_told(tmp_path: Path, wrong: dict[str, Any], told: str) -> None:
    checked = await bot(tmp_path, "check", discord_token=TOKEN, **wrong)
    assert checked.code != 0
    assert told in checked.text


@pytest.mark.parametrize(
    ("proxies", "limits"),
    [
        ("10.0.0.1", "limits for each address"),
        ("", "one limit for all who come through a proxy, as WEB_PROXIES is not set"),
    ],
)
async def test_pages_that_are_open_to_anybody_are_told(tmp_path: Path, port: int, proxies: str, limits: str) -> None:
    page = {"web_port": port, "web_url": "https://a.example", "web_public": True, "web_proxies": proxies}
    checked = await bot(tmp_path, "check", discord_token=TOKEN, **page)
    told = f"WEB_PORT: free; /play, /puzzle, /watch and /challenge are open to anybody (WEB_PUBLIC), with {limits}"
    assert (checked.code, told in checked.text) == (0, True)


def test_open_pages_are_told_of_too_while_a_bot_serves_them(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setattr("bot.operation.settings_check._response_of", lambda *_place: "Tavoliere")
    settings = Settings(_env_file=None, web_port=port, web_url="https://a.example", web_public=True)
    with socket.create_server(("127.0.0.1", port)):
        ((_name, wrong, told),) = ports(settings)
    assert wrong is None
    assert "serves there; /play, /puzzle, /watch and /challenge are open to anybody" in told


@pytest.mark.slow
async def test_a_port_that_another_program_uses_is_told_and_one_that_a_bot_uses_is_fine(
    tmp_path: Path, start: Start, port: int
) -> None:
    with socket.create_server(("127.0.0.1", port)):
        taken = await bot(tmp_path, "check", discord_token=TOKEN, metrics_port=port)
    assert taken.code == 1
    assert f"METRICS_PORT: {port} on 127.0.0.1 cannot be used: Address already in use. Choose another" in taken.text
    elsewhere = await bot(tmp_path, "check", discord_token=TOKEN, web_port=port, web_host="192.0.2.1")
    assert f"WEB_PORT: {port} on 192.0.2.1 cannot be used: Cannot assign requested address" in elsewhere.text
    free = await bot(tmp_path, "check", discord_token=TOKEN, metrics_port=port)
    assert (free.code, "METRICS_PORT: free" in free.text) == (0, True)
    await (await start(metrics_port=port)).ready()
    running = await bot(tmp_path, "check", discord_token=TOKEN, metrics_port=port)
    assert (running.code, "METRICS_PORT: a bot that runs already serves there" in running.text) == (0, True)


@pytest.mark.slow
@needs_rights
def test_a_database_that_can_only_be_read_is_told(tmp_path: Path, empty_database: Path) -> None:
    file = Path(shutil.copy(empty_database, tmp_path / "tavoliere.db"))
    file.chmod(0o400)
    address = f"sqlite+aiosqlite:///{file}"
    checked = executed(command(tmp_path, "check", discord_token=TOKEN, database_url=address, bound=bound_by_rights))
    assert checked.returncode == 1
    assert "cannot be written: this user may only read it, or its folder" in checked.stdout


async def online(folder: Path, discord: Loopback, **settings: Any) -> Outcome:
    """Give ``check --online``."""
    running = await Running.start(command(folder, "check", "--online", **settings), discord)
    return Outcome(await running.ended(), running.log)


@pytest.mark.slow
async def test_discord_is_asked_about_token_connections_servers_intents_and_commands(
    tmp_path: Path, discord: Loopback, start: Start
) -> None:
    discord.servers, discord.shards = 4200, 5
    first = await online(tmp_path, discord, discord_token=TOKEN)
    assert first.code == 0, first.text
    told = first.text.splitlines()[-8:]
    assert told[:6] == [
        f"token: that of {discord.backend.bot_user.name}",
        "connections: 1000 left today",
        "servers: about 4200 in 5 shards",
        "intents: none has to be switched on",
        "interactions: sent to this bot",
        "installation: in servers",
    ]
    assert re.fullmatch(r"commands at Discord: (\d+) of \1 not there yet, `run` registers them", told[6])
    assert told[7] == f"invite link: {invite_link(discord.backend.application_id)}"
    # It has begun no connection.
    assert discord.identified == []
    discord.shards = 1
    await (await start()).ready()
    assert "commands at Discord: all there" in (await online(tmp_path, discord, discord_token=TOKEN)).text
    crowded = await online(tmp_path, discord, discord_token=TOKEN, shards=2)
    assert (crowded.code, "servers: a shard has 2100 servers, and Discord connects none" in crowded.text) == (1, True)
    discord.connections_left = 50
    few = await online(tmp_path, discord, discord_token=TOKEN)
    assert (few.code, "connections: only 50 left today: `run` waits until there are 51" in few.text) == (1, True)


async def test_an_intent_that_is_not_switched_on_is_told(discord: Loopback) -> None:
    with led_to(discord.address):
        told = await ask_discord(Settings(), TOKEN, Intents(guilds=True, members=True, message_content=True), set())
    assert {one.subject: one.problem for one in told} == {
        "token": None,
        "connections": None,
        "servers": None,
        "intents": "members, message_content must be switched on in the developer portal",
        "interactions": None,
        "installation": None,
        "commands at Discord": None,
        "invite link": None,
    }


async def test_another_receiver_of_interactions_another_place_to_install_and_a_missing_command_are_told(
    discord: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    dispatched = discord._dispatched

    async def elsewhere(request: Any, path: str) -> Any:
        answer = await dispatched(request, path)
        if path == "/oauth2/applications/@me":
            answer["interactions_endpoint_url"] = "https://else.example/hook"
            answer["integration_types_config"] = {"0": {}, "1": {}}
        return [*answer, {"name": "play"}] if path.endswith("/commands") else answer

    monkeypatch.setattr(discord, "_dispatched", elsewhere)
    with led_to(discord.address):
        told = {one.subject: one for one in await ask_discord(Settings(), TOKEN, Intents.none(), {"play", "move"})}
    assert "https://else.example/hook: Discord sends all commands" in str(told["interactions"].problem)
    assert told["installation"].praise.startswith("in servers, and by people for themselves: https:")
    assert told["commands at Discord"].praise.startswith("1 of 2 not there yet (move): `run` registers them, and if")


async def test_a_token_that_discord_does_not_know_and_a_discord_that_is_away_are_told(
    tmp_path: Path, discord: Loopback
) -> None:
    wrong = await online(tmp_path, discord, discord_token="MTIz.wrong.token")
    assert wrong.code == 1
    assert "token: Discord does not accept this DISCORD_TOKEN: copy it anew from the developer portal" in wrong.text
    assert "MTIz.wrong.token" not in wrong.text
    await discord.close()
    away = await online(tmp_path, discord, discord_token=TOKEN)
    assert away.code == 1
    assert "Discord: it cannot be reached: " in away.text
    assert "Traceback" not in away.text
