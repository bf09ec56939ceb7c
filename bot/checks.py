"""``check``: looks at everything the bot needs before it is started, and says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bot.client import COGS, create_bot
from bot.games import GAMES
from bot.matches.audit import audit
from bot.settings import Settings
from bot.storage.database import Database, revisions
from renderers import image

COMMAND_LIMIT, OPTION_LIMIT, CHOICE_LIMIT = 100, 25, 25
NAME_LIMIT, DESCRIPTION_LIMIT = 32, 100


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, and what is wrong with it (None: nothing)."""

    subject: str
    problem: str | None = None


async def check_all(settings: Settings) -> list[Finding]:
    """Look at settings, database, migrations, fonts and commands."""
    return [
        _settings(settings),
        *await _database(settings),
        _guarded("fonts and pictures", _draw_every_game),
        await _commands(settings),
    ]


def _settings(settings: Settings) -> Finding:
    if settings.discord_token is None or not settings.discord_token.get_secret_value().strip():
        return Finding("settings", "DISCORD_TOKEN is not set; `run` needs it, `demo` does not")
    return Finding("settings")


async def _database(settings: Settings) -> list[Finding]:
    try:
        database = Database(settings.database_url)
        try:
            await database.open()
            async with database.write() as tx:
                current, newest = await tx.run_sync(revisions)
            wrong = await audit(database)
        finally:
            await database.close()
    except Exception as error:
        return [Finding("database", f"{settings.database_url}: {error}")]
    behind = None if current == newest else f"at {current}, the program needs {newest}"
    return [
        Finding("database"),
        Finding("migrations", behind),
        Finding("matches and ratings", "\n  ".join(wrong) or None),
    ]


def _guarded(subject: str, look: Callable[[], None]) -> Finding:
    try:
        look()
    except Exception as error:
        return Finding(subject, f"{error!r}")
    return Finding(subject)


def _draw_every_game() -> None:
    for game in GAMES.values():
        image.png(game.scene(game.start(game.players.start)))


async def _commands(settings: Settings) -> Finding:
    bot = create_bot(settings)
    for cog in COGS:
        await bot.add_cog(cog())
    problems = list(command_problems([command.to_dict(bot.tree) for command in bot.tree.get_commands()]))
    return Finding("commands", "; ".join(problems) or None)


def command_problems(payloads: list[dict[str, Any]]) -> Iterator[str]:
    """Yield every way in which commands as sent to Discord exceed its limits."""
    if len(payloads) > COMMAND_LIMIT:
        yield f"{len(payloads)} commands, more than {COMMAND_LIMIT}"
    for payload in payloads:
        yield from _option_problems(payload, str(payload["name"]))


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
