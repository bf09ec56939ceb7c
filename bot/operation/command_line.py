"""Tavoliere, a Discord bot for abstract board games: run it, try it, look after it."""

# Each command imports what it needs, so that the help is there at once.

from __future__ import annotations

from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from bot.operation import PROGRAM, WRONG_SETTINGS, fail

if TYPE_CHECKING:
    from bot.settings import Settings

T = TypeVar("T")
LARGEST = 2**63 - 1
"""The largest number that a database stores."""

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)

games = typer.Typer(no_args_is_help=True, help="For authors of games.")
app.add_typer(games, name="game")

NO_TOKEN = f"""DISCORD_TOKEN is not set, and without a bot token I cannot log in to Discord. Store one with
`{PROGRAM} setup`, which says where to get it. To look around without any of that, run the demo: {PROGRAM} demo"""


def main() -> None:
    """Run the command line."""
    app()


def _print_version(asked: bool) -> None:
    if asked:
        from bot import __version__

        typer.echo(f"Tavoliere {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Read the options of the program itself."""


def _run(work: Coroutine[Any, Any, T]) -> T:
    import asyncio

    return asyncio.run(work)


def _settings() -> Settings:
    from bot.settings import SettingsError, read_settings

    try:
        return read_settings()
    except SettingsError as error:
        fail(str(error))
        raise typer.Exit(WRONG_SETTINGS) from None


@app.command()
def setup() -> None:
    """Ask for the bot's token, store it in .env, check everything, and print the link that invites the bot."""
    import sys

    from bot.operation.setup import set_up

    def ask() -> str:
        return typer.prompt("Token", hide_input=True) if sys.stdin.isatty() else sys.stdin.readline()

    def keeps() -> bool:
        return typer.confirm(".env has a token already. Keep it?", default=True)

    raise typer.Exit(_run(set_up(Path(".env").absolute(), ask, keeps, typer.echo)))


@app.command()
def run() -> None:
    """Run the bot on Discord until it is told to stop."""
    from bot.operation.running import run_bot

    settings = _logged_settings()
    token = settings.discord_token.get_secret_value().strip() if settings.discord_token else ""
    if not token:
        typer.echo(NO_TOKEN, err=True)
        raise typer.Exit(WRONG_SETTINGS)
    raise typer.Exit(run_bot(settings, token))


@app.command()
def think() -> None:
    """Play the turns of computer players for bots that share a PostgreSQL database, without a connection to Discord."""
    from bot.operation.running import run_thinker

    raise typer.Exit(run_thinker(_logged_settings()))


@app.command()
def status(
    as_json: Annotated[bool, typer.Option("--json", help="Write it for machines.")] = False,
) -> None:
    """Show which bots serve which of Discord's shards, which ones stand by, and what waits to be posted."""
    from rich.console import Console

    from bot.operation import status as looking
    from bot.storage.errors import StorageError

    try:
        shown = _run(looking.status(_settings()))
    except StorageError as error:
        raise typer.Exit(fail(str(error))) from None
    if as_json:
        import json

        typer.echo(json.dumps(shown.as_json()))
    else:
        Console().print(looking.table(shown))


@app.command()
def check(
    online: Annotated[bool, typer.Option("--online", help="Ask Discord, too: token, connections, commands.")] = False,
) -> None:
    """Check settings, ports, database, migrations, games, fonts, languages and commands; report every problem."""
    from bot.operation.checks import check_all, check_online

    settings = _settings()
    findings = _run(check_all(settings))
    if online:
        findings += _run(check_online(settings))
    for finding in findings:
        typer.echo(f"{finding.subject}: {finding.problem or finding.praise}")
    raise typer.Exit(any(finding.problem for finding in findings))


@games.command("check")
def check_game(key: Annotated[str, typer.Argument(help="The key of the game, such as yonmoque.")]) -> None:
    """Say what a game lacks or has wrong: facts, guide, rules, golden games, questions, puzzles."""
    from bot.operation.game_check import check_game

    raise typer.Exit(not check_game(key, typer.echo))


@app.command("import")
def import_(files: Annotated[list[Path], typer.Argument(help="Text records as the bot exports them.")]) -> None:
    """Store matches from their text records; they don't count for ratings."""
    from bot.operation import upkeep
    from bot.storage.errors import StorageError

    def report(file: Path, outcome: int | str) -> None:
        if isinstance(outcome, int):
            typer.echo(f"{file}: stored as match {outcome}")
        else:
            fail(f"{file}: {outcome}")

    try:
        complete = _run(upkeep.import_matches(_settings(), files, report))
    except StorageError as error:
        raise typer.Exit(fail(str(error))) from None
    raise typer.Exit(not complete)


@app.command()
def backup(target: Annotated[Path, typer.Argument(help="The file to write; it must not exist.")]) -> None:
    """Copy the database while the bot runs, and prove that the copy can be restored."""
    from bot.operation import upkeep

    size = _upkept(upkeep.backup(_settings(), target), "No backup was made")
    typer.echo(f"{target}: {size} bytes, checked.")


@app.command()
def restore(source: Annotated[Path, typer.Argument(help="A file written by backup.")]) -> None:
    """Replace the database by a backup while the bot is stopped; the previous database is kept beside it."""
    from bot.operation import upkeep

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
    from bot.operation import upkeep
    from bot.operation.upkeep.progress import ProgressBar

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
    from bot.operation import upkeep

    count = _upkept(upkeep.export_matches(_settings(), directory), "The export failed")
    typer.echo(f"{count} {'match' if count == 1 else 'matches'} written to {directory}.")


@app.command()
def void(
    match: Annotated[int, typer.Argument(help="The number of the match, in any server.", min=1, max=LARGEST)],
) -> None:
    """Void a match, while the bot runs or not: it counts for no player, as if it had never been played."""
    from bot.operation import moderation

    counted = _moderate(moderation.void(_logged_settings(), match))
    then = " The ratings of its server are as if it had not been played." if counted else ""
    typer.echo(f"Match {match} is voided; its players are told within a minute.{then}")


UserId = Annotated[int, typer.Argument(help="The Discord id of the person.", min=1, max=LARGEST)]
ServerId = Annotated[
    int | None, typer.Option(help="The Discord id of a server; every server if left out.", min=1, max=LARGEST)
]


@app.command()
def bar(user: UserId, server: ServerId = None) -> None:
    """Bar a person from playing, in one server or in all, while the bot runs or not; their running matches go on."""
    from bot.operation import moderation

    _moderate(moderation.bar(_logged_settings(), user, server or 0))
    typer.echo(f"{user} is barred from {_servers(server)}, and is told within a minute.")


@app.command()
def unbar(user: UserId, server: ServerId = None) -> None:
    """Lift a bar, in the place it was set for."""
    from bot.operation import moderation

    _moderate(moderation.unbar(_logged_settings(), user, server or 0))
    typer.echo(f"{user} is no longer barred from {_servers(server)}.")


@app.command()
def barred() -> None:
    """List every person who is barred, and where."""
    from bot.operation import moderation

    bars = _moderate(moderation.every_bar(_logged_settings()), "The list cannot be read")
    if not bars:
        typer.echo("Nobody is barred.")
    for each_bar in bars:
        typer.echo(f"{each_bar.user_id} from {_servers(each_bar.guild_id or None)}, since {each_bar.at:%Y-%m-%d}")


@app.command()
def erase(
    user: UserId,
    sure: Annotated[bool, typer.Option("--yes", help="Don't ask whether this is meant.")] = False,
) -> None:
    """Delete everything about a person who cannot use /privacy any more, while the bot runs or not."""
    from bot.operation import moderation

    if not sure:
        typer.confirm(f"Delete everything about {user}? This cannot be undone.", abort=True)
    resigned = _moderate(moderation.erase(_logged_settings(), user))
    lost = f" {resigned} running {'match was' if resigned == 1 else 'matches were'} resigned." if resigned else ""
    typer.echo(f"Everything about {user} is deleted; a bar stays.{lost}")


def _logged_settings() -> Settings:
    """Return the settings, after the log has been set up by them."""
    from bot.telemetry import logs

    settings = _settings()
    logs.configure(settings)
    return settings


def _servers(server: int | None) -> str:
    return "every server" if server is None else f"server {server}"


def _moderate(work: Coroutine[Any, Any, T], failure: str = "Nothing was changed") -> T:
    """Carry out a decision and return its result. Where that is not possible, print ``failure`` and why, and exit."""
    from bot.operation.moderation import ModerationError

    try:
        return _run(work)
    except ModerationError as error:
        raise typer.Exit(fail(f"{failure}: {error}.")) from None


def _upkept(work: Coroutine[Any, Any, T], otherwise: str) -> T:
    """Do upkeep and return its result. Where that is not possible, print why and exit."""
    from bot.operation.upkeep import UpkeepError

    try:
        return _run(work)
    except UpkeepError as error:
        raise typer.Exit(fail(f"{otherwise}: {error}.")) from None


@app.command()
def demo(
    port: Annotated[int, typer.Option(help="Port of the page on this machine; 0 takes a free one.")] = 8765,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Play against yourself on a local page, without token or network: a simulated Discord."""
    typer.echo("Starting the bot and its page, which takes a few seconds.", err=True)
    from bot import demo as show
    from bot.games import GAMES

    for rejected in GAMES.rejected:
        fail(f"{rejected}.")
    try:
        _run(show.run(port=port or None, open_browser=browser, say=typer.echo))
    except show.DemoError as error:
        raise typer.Exit(fail(str(error))) from None
