"""Tavoliere, a Discord bot for abstract board games: run it, try it, look after it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import aiohttp
import discord
import typer

from bot import logs
from bot.settings import Settings, SettingsError, read_settings

if TYPE_CHECKING:
    from bot.client import Tavoliere

T = TypeVar("T")

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)

WRONG_SETTINGS = 2
"""The exit code where trying again does not help: a missing or wrong token, a setting that cannot be."""

TOKEN_REVOKED = 4004
"""The code with which Discord ends the connection of a bot whose token has been replaced."""

NO_TOKEN = """DISCORD_TOKEN is not set, and without a bot token I cannot log in to Discord. Create an application at
https://discord.com/developers/applications, copy its bot's token and put it into the environment or into a file
named .env (see .env.example). To look around without any of that, run the demo: python -m bot demo"""


def main() -> None:
    """Run the command line."""
    app()


def _settings() -> Settings:
    try:
        return read_settings()
    except SettingsError as error:
        _fail(str(error))
        raise typer.Exit(WRONG_SETTINGS) from None


@app.command()
def run() -> None:
    """Run the bot on Discord until it is told to stop."""
    settings = _settings()
    token = settings.discord_token.get_secret_value().strip() if settings.discord_token else ""
    if not token:
        typer.echo(NO_TOKEN, err=True)
        raise typer.Exit(WRONG_SETTINGS)
    logs.configure(settings)
    raise typer.Exit(asyncio.run(_until_stopped(partial(_run_once, settings, token))))


@dataclass(frozen=True, slots=True)
class _Stop:
    """What signals ask for: the first one for a stop, another one not to wait until others have taken over."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    at_once: asyncio.Event = field(default_factory=asyncio.Event)

    def ask(self) -> None:
        (self.at_once if self.asked.is_set() else self.asked).set()


async def _until_stopped(once: Callable[[_Stop], Awaitable[int | None]]) -> int:
    """Run something until a signal asks for its end, and again as long as it returns no exit code; return that.

    It returns none when other processes have taken over from it.
    """
    stop = _Stop()
    # Where a loop cannot be told of signals (Windows), Ctrl-C cancels what is waited for instead.
    with contextlib.suppress(NotImplementedError):
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.ask)
    code = None
    while code is None and not stop.asked.is_set():
        code = await once(stop)
    return code or 0


async def _run_once(settings: Settings, token: str, stop: _Stop) -> int | None:
    """Run a bot until it is to stop; return the exit code, or None where others have taken over from it."""
    from bot.client import create_bot
    from bot.health import PortError
    from bot.storage.errors import LeaseLost, StorageError

    client = create_bot(settings)
    # What is loaded by now stays: the collector need not go through it again and again, which stops everybody's turns.
    gc.collect()
    gc.freeze()
    running = asyncio.ensure_future(client.start(token))
    stopping = asyncio.ensure_future(_handed_over(client, stop))
    # Whoever is replaced while it connects would go on trying that with what has been closed.
    lost = asyncio.ensure_future(client.lost.wait())
    for end in (stopping, lost):
        end.add_done_callback(lambda _: running.cancel())
    try:
        await running
    except asyncio.CancelledError:
        pass
    except LeaseLost:
        return None
    except (StorageError, PortError) as error:
        return _fail(str(error))
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        return _turned_away(error)
    finally:
        stopping.cancel()
        lost.cancel()
        await client.close()
    return None if client.lost.is_set() else 0


async def _handed_over(client: Tavoliere, stop: _Stop) -> None:
    """Wait until a bot is to stop, and others serve in its place where there are any."""
    await stop.asked.wait()
    await client.hand_over(stop.at_once)


def _turned_away(error: Exception) -> int:
    """Say why Discord does not let the bot in, or no longer; return the exit code."""
    code = error.code if isinstance(error, discord.ConnectionClosed) else None
    if isinstance(error, discord.LoginFailure) or code == TOKEN_REVOKED:
        _fail("Discord does not accept this DISCORD_TOKEN. Copy the bot's token anew from the developer portal.")
        return WRONG_SETTINGS
    if code is not None:
        return _fail(f"Discord has closed the connection for good (code {code}).")
    if isinstance(error, discord.PrivilegedIntentsRequired):
        return _fail("Discord asks for an intent that is not switched on for this bot in the developer portal.")
    if isinstance(error, discord.HTTPException) and error.status < 500:
        return _fail(f"Discord refuses to let the bot in: {error}.")
    return _fail(f"Discord cannot be reached: {error or type(error).__name__}. Check the network and try again.")


def _fail(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1


@app.command()
def think() -> None:
    """Play the turns of computer players for bots that share a PostgreSQL database, without a connection to Discord."""
    settings = _settings()
    logs.configure(settings)
    raise typer.Exit(asyncio.run(_until_stopped(partial(_think_once, settings))))


async def _think_once(settings: Settings, stop: _Stop) -> int | None:
    from bot.health import PortError
    from bot.storage.errors import LeaseLost, StorageError
    from bot.thinking import think

    try:
        return 0 if await think(settings, stop.asked) else None
    except LeaseLost:
        return None
    except (StorageError, PortError) as error:
        return _fail(str(error))


@app.command()
def status(
    as_json: Annotated[bool, typer.Option("--json", help="Write it for machines.")] = False,
) -> None:
    """Show which bots serve which of Discord's shards, who stands by, and what waits to be posted."""
    from rich.console import Console

    from bot import status as looking
    from bot.storage.errors import StorageError

    try:
        found = asyncio.run(looking.status(_settings()))
    except StorageError as error:
        raise typer.Exit(_fail(str(error))) from None
    if as_json:
        typer.echo(json.dumps(found.as_json()))
    else:
        Console().print(looking.table(found))


@app.command()
def check() -> None:
    """Look at settings, database, migrations, fonts, languages and commands; say what is wrong."""
    from bot.checks import check_all

    findings = asyncio.run(check_all(_settings()))
    for finding in findings:
        typer.echo(f"{finding.subject}: {finding.problem or finding.praise}")
    raise typer.Exit(any(finding.problem for finding in findings))


@app.command("import")
def import_(files: Annotated[list[Path], typer.Argument(help="Text records as the bot exports them.")]) -> None:
    """Store matches from their text records; they don't count for ratings."""
    raise typer.Exit(asyncio.run(_import(_settings(), files)))


async def _import(settings: Settings, files: list[Path]) -> int:
    from bot.compute.queue import ComputeQueue
    from bot.matches.model.match_record import RecordError, read
    from bot.matches.service_context import ServiceContext
    from bot.matches.services.archive import Archive
    from bot.storage.database import Database
    from bot.storage.errors import StorageError, explained
    from bot.storage.exclusive_use import Use

    failed, database = 0, None
    try:
        database = Database(settings.database_url, settings.database_direct_url)
        await database.open(Use.BESIDE)
        async with ComputeQueue() as queue:
            archive = Archive(ServiceContext(database, discord.utils.utcnow, queue))
            for file in files:
                try:
                    record = read(file.read_text(encoding="utf-8-sig"))
                    with explained(database.url):
                        number = await archive.store(record)
                except UnicodeDecodeError:
                    failed |= _fail(f"{file}: is not a text file")
                except (RecordError, OSError) as error:
                    failed |= _fail(f"{file}: {getattr(error, 'strerror', None) or error}")
                else:
                    typer.echo(f"{file}: stored as match {number}")
    except StorageError as error:
        return _fail(str(error))
    finally:
        if database is not None:
            await database.close()
    return failed


@app.command()
def backup(target: Annotated[Path, typer.Argument(help="The file to write; it must not exist.")]) -> None:
    """Copy the database while the bot runs, and prove that the copy can be restored."""
    from bot import upkeep

    size = _upkept(upkeep.backup(_settings(), target), "No backup was made")
    typer.echo(f"{target}: {size} bytes, checked.")


@app.command()
def restore(source: Annotated[Path, typer.Argument(help="A file written by backup.")]) -> None:
    """Replace the database by a backup while the bot is stopped; the previous database is kept beside it."""
    from bot import upkeep

    kept = _upkept(upkeep.restore(_settings(), source), "Nothing was restored")
    typer.echo(f"Restored from {source}." + (f" The previous database is in {kept}." if kept else ""))


@app.command()
def copy(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The address of a database, or an SQLite file.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="An empty database, or a file that is not there.")],
) -> None:
    """Copy everything into another database, from SQLite to PostgreSQL or back, while no bot runs on either.

    Leave passwords out of the addresses, others on the machine can read them: PGPASSWORD or a password file has them.
    """
    from bot import upkeep
    from bot.progress_bar import ProgressBar

    with ProgressBar() as bar:
        done = _upkept(upkeep.copy(source, target, bar), "The copy is not finished")
    for line in done.out_of_order:
        typer.echo(f"As it was before: {line}.")
    typer.echo(
        f"{done.rows} rows of {done.tables} tables copied and compared, {done.running} running matches replayed. "
        "Name the copy in DATABASE_URL to use it."
    )


@app.command()
def export(directory: Annotated[Path, typer.Argument(help="Where to write the records.")]) -> None:
    """Write every match as a text record that import reads back."""
    from bot import upkeep

    count = _upkept(upkeep.export(_settings(), directory), "The export failed")
    typer.echo(f"{count} {'match' if count == 1 else 'matches'} written to {directory}.")


@app.command()
def void(match: Annotated[int, typer.Argument(help="The number of the match, in any server.", min=1)]) -> None:
    """Void a match, while the bot runs or not: it counts for nobody, and ratings are as if it had not been played."""
    from bot import moderation

    again = _moderated(moderation.void(_logged_settings(), match))
    then = f" {again} rated {'match' if again == 1 else 'matches'} after it rated again." if again else ""
    typer.echo(f"Match {match} is voided; its players are told within a minute.{then}")


UserId = Annotated[int, typer.Argument(help="The Discord id of the person.", min=1)]
ServerId = Annotated[int | None, typer.Option(help="The Discord id of a server; every server if left out.", min=1)]


@app.command()
def bar(user: UserId, server: ServerId = None) -> None:
    """Bar somebody from playing, in one server or in all, while the bot runs or not; their running matches go on."""
    from bot import moderation

    _moderated(moderation.bar(_logged_settings(), user, server or 0))
    typer.echo(f"{user} is barred from {_servers(server)}, and is told within a minute.")


@app.command()
def unbar(user: UserId, server: ServerId = None) -> None:
    """Lift a bar, in the place it was set for."""
    from bot import moderation

    _moderated(moderation.unbar(_logged_settings(), user, server or 0))
    typer.echo(f"{user} is no longer barred from {_servers(server)}.")


@app.command()
def barred() -> None:
    """List everybody who is barred, and where."""
    from bot import moderation

    for one in _moderated(moderation.barred(_logged_settings())):
        typer.echo(f"{one.user_id} from {_servers(one.guild_id or None)}, since {one.at:%Y-%m-%d}")


def _logged_settings() -> Settings:
    """Return the settings, and have what is done written to the log as they say."""
    settings = _settings()
    logs.configure(settings)
    return settings


def _servers(server: int | None) -> str:
    return "every server" if server is None else f"server {server}"


def _moderated(work: Coroutine[Any, Any, T]) -> T:
    """Do what is to be decided and return what came of it; where it cannot be done, say why and exit."""
    from bot.moderation import ModerationError

    try:
        return asyncio.run(work)
    except ModerationError as error:
        raise typer.Exit(_fail(f"Nothing was changed: {error}.")) from None


def _upkept(work: Coroutine[Any, Any, T], otherwise: str) -> T:
    """Do upkeep and return what came of it; where it cannot be done, say why and exit."""
    from bot.upkeep import UpkeepError

    try:
        return asyncio.run(work)
    except UpkeepError as error:
        raise typer.Exit(_fail(f"{otherwise}: {error}.")) from None


@app.command()
def demo(
    port: Annotated[int, typer.Option(help="Port of the page on this machine; 0 takes a free one.")] = 8765,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Play against yourself on a local page, without token or network: a simulated Discord."""
    from bot import demo as show

    try:
        asyncio.run(show.run(port=port or None, open_browser=browser, say=typer.echo))
    except show.DemoError as error:
        raise typer.Exit(_fail(str(error))) from None
