"""``check``: looks at everything the bot needs before it starts. Changes nothing, and reports every problem."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.client import create_bot
from bot.games import OWN
from bot.languages.catalogues import OFFERED, broken, catalogue, games_elsewhere
from bot.matches.audit import audit
from bot.operation import settings_check
from bot.operation.discord_check import ask_discord
from bot.operation.game_check import left_out
from bot.settings import Settings
from bot.storage.database import Database
from bot.storage.database_checks import first_damage, lacking_right
from bot.storage.errors import StorageError, explain_errors
from renderers import image
from renderers.scripts.line import coverage
from renderers.scripts.typefaces import STACK, Weight, outlines

COMMAND_LIMIT, OPTION_LIMIT, CHOICE_LIMIT = 100, 25, 25
NAME_LIMIT, DESCRIPTION_LIMIT = 32, 100
_MENUS = (2, 3)
"""The types of commands in the menus on people and messages. They have only a name, in any letters."""
TEXT_LIMIT = 8000
"""Characters of all names, descriptions and values of one command together."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The subject of a check, its problem (None if there is none), and the words for a subject without one."""

    subject: str
    problem: str | None = None
    praise: str = "fine"


async def check_all(settings: Settings) -> list[Finding]:
    """Look at settings, ports, database, migrations, games, fonts, languages and commands."""
    bot = create_bot(settings)
    await bot.add_commands()
    problems = list(command_problems([command.to_dict(bot.tree) for command in bot.tree.get_commands()]))
    return [
        Finding("settings", "\n  ".join(settings_check.problems(settings)) or None),
        *(Finding(name, problem, praise) for name, problem, praise in settings_check.ports(settings)),
        *await _database(settings),
        Finding("games", "\n  ".join(left_out()) or None),
        _fonts(),
        Finding("languages", "\n  ".join(_untranslatable()) or None),
        Finding("commands", "; ".join(problems) or None),
    ]


async def check_online(settings: Settings) -> list[Finding]:
    """Ask Discord about the token, connections, servers, intents and commands. Uses no connection of the day."""
    token = "" if settings.discord_token is None else settings.discord_token.get_secret_value().strip()
    if not token:
        return []
    bot = create_bot(settings)
    await bot.add_commands()
    names = {command.name for command in bot.tree.get_commands()}
    told = await ask_discord(settings, token, bot.intents, names)
    return [Finding(answer.subject, answer.problem, answer.praise) for answer in told]


async def _database(settings: Settings) -> list[Finding]:
    try:
        database = Database(settings.database_url, settings.database_direct_url)
    except StorageError as error:
        return [Finding("database", str(error))]
    if (file := database.file) is not None and not file.exists():
        folder = next(folder for folder in file.absolute().parents if folder.exists())
        if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
            return [Finding("database", f"{file} does not exist and cannot be made: {folder} cannot be written")]
        return [Finding("database", praise=f"none yet, `run` makes {file}")]
    try:
        current, newest = await database.revisions()
        if (forbidden := await _forbidden(database)) is not None:
            return [Finding("database", forbidden)]
        if current is None:
            return [Finding("database"), Finding("migrations", praise="the database is empty, `run` sees to it")]
        if current != newest:
            behind = f"the database is at {current}, this version needs {newest}: make a backup, then `run` sees to it"
            return [Finding("database"), Finding("migrations", behind)]
        await database.check_direct()
        with explain_errors(database.url):
            damage = None if database.file is None else await first_damage(database.file)
        if damage is not None:
            return [Finding("database", f"it is damaged: {damage}. Restore a backup")]
        with explain_errors(database.url):
            wrong = await audit(database)
    except StorageError as error:
        return [Finding("database", str(error))]
    finally:
        await database.close()
    praise = "fine" if database.file is None else _readers(database.file)
    return [
        Finding("database", praise=praise),
        Finding("migrations"),
        Finding("matches and ratings", "\n  ".join(wrong) or None),
    ]


def _readers(file: Path) -> str:
    """Say whether others than its owner may read a database: earlier versions left that to the system."""
    if os.name == "posix" and file.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
        return f"fine, but others may read {file}, which holds the key that signs links: chmod 600 {file}"
    return "fine"


async def _forbidden(database: Database) -> str | None:
    """Return what this user or role may not do with a database, None if nothing is missing."""
    if database.file is not None:
        writable = os.access(database.file, os.W_OK) and os.access(database.file.parent, os.W_OK | os.X_OK)
        return None if writable else f"{database.file} cannot be written: this user may only read it, or its folder"
    with explain_errors(database.url):
        async with database.write() as tx:
            return await lacking_right(tx)


def _fonts() -> Finding:
    """Draw a board, open every font for other scripts, and draw letters of one of them."""
    subject = "fonts and pictures"
    try:
        image.png(OWN[0].scene(OWN[0].start()))
        for typeface in STACK:
            outlines(typeface, Weight.BOLD)
        coverage("日本語", 30, Weight.BOLD)
    except OSError as error:
        return Finding(subject, f"{error.filename}: {error.strerror}")
    except Exception as error:
        return Finding(subject, f"{type(error).__name__}: {error}")
    return Finding(subject)


def _untranslatable() -> Iterator[str]:
    """Yield the problems of catalogues. The bot shows English in place of a message with a problem."""
    for code in OFFERED:
        for game in (None, *games_elsewhere()):
            of = code if game is None else f"{code}, of the game {game.key}"
            try:
                wrong = broken(catalogue(code, game=game, strict=True))
            except (OSError, ValueError) as error:
                yield f"{of}: {error}"
            else:
                yield from (f"{of}: the braces are wrong in {message.string!r}" for message in wrong)


def command_problems(payloads: list[dict[str, Any]]) -> Iterator[str]:
    """Yield every limit of Discord that the commands exceed."""
    if len(payloads) > COMMAND_LIMIT:
        yield f"{len(payloads)} commands, more than {COMMAND_LIMIT}"
    for payload in payloads:
        if payload.get("type") in _MENUS:
            if not 1 <= len(str(payload["name"])) <= NAME_LIMIT:
                yield f"{payload['name']}: bad name"
            continue
        yield from _option_problems(payload, str(payload["name"]))
        if (length := _text_of(payload)) > TEXT_LIMIT:
            yield f"{payload['name']}: {length} characters in all, more than {TEXT_LIMIT}"


def _option_problems(payload: dict[str, Any], path: str) -> Iterator[str]:
    name, description = str(payload["name"]), str(payload.get("description", ""))
    if not (1 <= len(name) <= NAME_LIMIT and name == name.lower() and " " not in name):
        yield f"{path}: bad name"
    if not 1 <= len(description) <= DESCRIPTION_LIMIT:
        yield f"{path}: description of {len(description)} characters"
    if len(payload.get("choices") or ()) > CHOICE_LIMIT:
        yield f"{path}: more than {CHOICE_LIMIT} choices"
    for choice in payload.get("choices") or ():
        if not 1 <= len(str(choice["name"])) <= 100:
            yield f"{path}: choice {choice['name']!r} is too long"
    options = payload.get("options") or ()
    if len(options) > OPTION_LIMIT:
        yield f"{path}: more than {OPTION_LIMIT} options"
    for option in options:
        yield from _option_problems(option, f"{path} {option['name']}")


def _text_of(payload: dict[str, Any]) -> int:
    """Count the characters of an option as Discord does, with the options and choices inside it."""
    own = sum(len(str(payload.get(key, ""))) for key in ("name", "description", "value"))
    return own + sum(_text_of(inner) for key in ("options", "choices") for inner in payload.get(key) or ())
