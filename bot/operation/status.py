"""``status``: which process serves people, and what waits, read from the database. Works beside running bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from rich.table import Table

from bot.cluster.figures import rules_of
from bot.cluster.gateway import warnings
from bot.matches.downtime import BEATS
from bot.operation.game_check import left_out
from bot.settings import Settings
from bot.storage import computer_turns, guilds, match_lists, outbox, processes, reratings
from bot.storage.database import Database
from bot.storage.errors import StorageError, explain_errors, place
from bot.storage.processes import BOT, THINKER, Process
from bot.storage.records import BotState

MISSED_BEATS = 3
"""A bot that people can reach misses fewer heartbeats than this, one after the other."""
_NOBODY = {None: "nobody registered", True: "the bot of this file", False: "no bot heard"}
"""What stands in the place of a holder, by whether a bot of SQLite was heard."""


@dataclass(frozen=True, slots=True)
class ClusterStatus:
    """The answer of ``status``. The bot of an SQLite database does not register, so ``active`` is None there."""

    active: Process | None
    others: Sequence[Process]
    """The other bots: those that stand by, and one that takes over or leaves."""
    thinkers: Sequence[Process]
    served_at: datetime | None
    """When people were served last."""
    pending: int
    lag: float
    """Seconds by which the oldest pending message is overdue. Messages that wait for a game do not count."""
    servers: int | None
    """Servers of the fullest shard at the last heartbeat, None if that is not known."""
    without_game: int
    """Pending messages about games that the active bot does not have."""
    lacks: Mapping[str, int]
    """Those games, by key, with the number of running matches that wait for them."""
    thinkers_lack: Mapping[str, Sequence[str]]
    """By name: the games of running matches that a thinker does not have."""
    thinking: int
    """Turns that wait for computer players."""
    to_rate_again: int
    """Servers whose ratings are to follow a void."""
    heard: bool | None = None
    """Whether the bot of an SQLite database has stored a heartbeat lately; None for PostgreSQL."""
    left_out: Sequence[str] = ()
    """Sentences about games that this installation leaves out."""

    def as_json(self) -> dict[str, Any]:
        return {
            "active": None if self.active is None else self.active.name,
            "token": None if self.active is None else self.active.id,
            "heard": self.heard,
            "served_at": None if self.served_at is None else self.served_at.isoformat(),
            "pending": self.pending,
            "lag_seconds": round(self.lag, 3),
            "servers_of_fullest_shard": self.servers,
            "pending_without_game": self.without_game,
            "matches_without_game": dict(self.lacks),
            "other_bots": {process.name: process.state for process in self.others},
            "thinkers": [process.name for process in self.thinkers],
            "thinkers_lack": {name: list(games) for name, games in self.thinkers_lack.items()},
            "computer_turns": self.thinking,
            "servers_to_rate_again": self.to_rate_again,
            "games_left_out": list(self.left_out),
        }


async def status(settings: Settings) -> ClusterStatus:
    """Return the status of all processes. Raises ``StorageError``."""
    database = Database(settings.database_url, settings.database_direct_url)
    try:
        if database.file is not None and not database.file.exists():
            raise StorageError(f"There is no database at {database.file}: `run` makes it.")
        current, newest = await database.revisions()
        if current != newest:
            raise StorageError(
                f"The database {place(database.url)} has not been used by this version: `run` sees to it."
            )
        with explain_errors(database.url):
            return replace(await _read_status(database, settings.heartbeat), left_out=left_out())
    finally:
        await database.close()


async def _read_status(database: Database, heartbeat: int) -> ClusterStatus:
    now, every = datetime.now(UTC), max(timedelta(seconds=1), timedelta(seconds=heartbeat) / BEATS)
    async with database.read() as tx:
        registered = await processes.every(tx)
        active = next((process for process in registered if process.state is BotState.ACTIVE), None)
        rules = rules_of(active)
        pending, without_game, since, _ = await outbox.waiting(tx, rules)
        thinkers = [process for process in registered if process.role == THINKER]
        served_at = await guilds.last_heartbeat(tx)
        heard = served_at is not None and now - served_at < MISSED_BEATS * every
        lack = {thinker.name: list(await match_lists.running_without(tx, rules_of(thinker))) for thinker in thinkers}
        return ClusterStatus(
            active=active,
            others=[process for process in registered if process.role == BOT and process is not active],
            thinkers=thinkers,
            served_at=served_at,
            pending=pending,
            lag=0.0 if since is None else max(0.0, (now - since).total_seconds()),
            servers=await guilds.fullest_shard(tx),
            without_game=without_game,
            lacks=await match_lists.running_without(tx, rules),
            thinkers_lack={name: games for name, games in lack.items() if games},
            thinking=len(await computer_turns.pending(tx)),
            to_rate_again=len(await reratings.pending(tx)),
            heard=heard if database.sqlite else None,
        )


def table(status: ClusterStatus) -> Table:
    shown = Table(
        "Active",
        "Served last",
        "Messages waiting",
        "Waiting for",
        "Fullest shard",
        padding=0,  # words stay whole on 80 columns
    )
    shown.title = " ".join(_sentences(status))
    for column in shown.columns:
        column.overflow = "fold"  # a long name goes on in the next line, and stays whole
    shown.add_row(
        _NOBODY[status.heard] if status.active is None else status.active.name,
        "never" if status.served_at is None else f"{status.served_at:%Y-%m-%d %H:%M:%S} UTC",
        str(status.pending),
        f"{status.lag:.0f} s",
        "unknown" if status.servers is None else f"{status.servers} servers",
    )
    return shown


def _sentences(status: ClusterStatus) -> Iterator[str]:
    """Yield sentences about the other processes, the work that waits, and what is missing."""
    names = ", ".join(process.name for process in status.others if process.state is BotState.STANDBY)
    yield f"Standing by: {names or 'nobody'}."
    for process in status.others:
        if process.state is not None and process.state is not BotState.STANDBY:
            yield f"{process.name} is {process.state.value}."
    yield f"Thinkers: {len(status.thinkers)}. Turns of computer players: {status.thinking}."
    if status.to_rate_again:
        yield f"Servers to rate again after a void: {status.to_rate_again}."
    for name, games in status.thinkers_lack.items():
        yield f"{name} has no {', '.join(games)}."
    if status.lacks:
        games = [f"{game} (running matches: {count})" for game, count in status.lacks.items()]
        yield f"{'This installation' if status.active is None else status.active.name} has no {', '.join(games)}."
    if status.without_game:
        yield f"Messages that wait for a game: {status.without_game}."
    for sentence in (*status.left_out, *warnings(status.servers or 0)):
        yield f"{sentence[0].upper()}{sentence[1:]}."
