"""``status``: which process serves which slot, and what waits, read from the database. Works beside running bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from rich.table import Table

from bot.cluster.figures import rules_of
from bot.cluster.gateway import warnings
from bot.operation.game_check import left_out
from bot.settings import Settings
from bot.storage import computer_turns, guilds, match_lists, outbox, processes, reratings, slots
from bot.storage.database import Database
from bot.storage.errors import StorageError, explain_errors, place
from bot.storage.processes import Process
from bot.storage.registration import BOT, THINKER
from bot.storage.slots import EVERYTHING, Partition, Slot

HEARD_WITHIN = timedelta(seconds=15)
"""So old is the last heartbeat of a bot that people can reach at most: one is stored every five seconds."""
_NOBODY = {None: "nobody registered", True: "the bot of this file", False: "no bot heard"}
"""What stands in the place of a holder, by whether a bot of SQLite was heard."""


@dataclass(frozen=True, slots=True)
class SlotStatus:
    """A slot: its holder and its successor, if any, when it was served last, and what waits."""

    partition: Partition
    holder: Process | None
    successor: Process | None
    served_at: datetime | None
    pending: int
    lag: float
    """Seconds by which the oldest pending message is overdue. Messages that wait for a game do not count."""
    servers: int | None
    """Servers of the fullest shard at the last heartbeat, None if that is not known."""
    without: int
    """Pending messages about games that the holder does not have."""
    lacks: Mapping[str, int]
    """Those games, by key, with the number of running matches that wait for them."""


@dataclass(frozen=True, slots=True)
class ClusterStatus:
    """The answer of ``status``. For SQLite, whose bot does not register, ``slots`` is one slot without a holder.

    ``heard`` says then whether the bot has stored a heartbeat lately; it is None for PostgreSQL.
    """

    slots: Sequence[SlotStatus]
    standing_by: Sequence[Process]
    thinkers: Sequence[Process]
    thinkers_lack: Mapping[str, Sequence[str]]
    """By name: the games of running matches that a thinker does not have."""
    thinking: int
    """Turns that wait for computer players."""
    to_rate_again: int
    """Servers whose ratings are to follow a void."""
    heard: bool | None = None
    left_out: Sequence[str] = ()
    """Sentences about games that this installation leaves out."""

    def as_json(self) -> dict[str, Any]:
        return {
            "slots": [
                {
                    "slot": status.partition.slot,
                    "shards": status.partition.shard_ids,
                    "holder": None if status.holder is None else status.holder.name,
                    "successor": None if status.successor is None else status.successor.name,
                    "token": None if status.holder is None else status.holder.id,
                    "served_at": None if status.served_at is None else status.served_at.isoformat(),
                    "pending": status.pending,
                    "lag_seconds": round(status.lag, 3),
                    "servers_of_fullest_shard": status.servers,
                    "pending_without_game": status.without,
                    "matches_without_game": dict(status.lacks),
                }
                for status in self.slots
            ],
            "heard": self.heard,
            "standing_by": [process.name for process in self.standing_by],
            "thinkers": [process.name for process in self.thinkers],
            "thinkers_lack": {name: list(games) for name, games in self.thinkers_lack.items()},
            "computer_turns": self.thinking,
            "servers_to_rate_again": self.to_rate_again,
            "games_left_out": list(self.left_out),
        }


async def status(settings: Settings) -> ClusterStatus:
    """Return the status of all slots and processes. Raises ``StorageError``."""
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
            return replace(await _read_status(database), left_out=left_out())
    finally:
        await database.close()


async def _read_status(database: Database) -> ClusterStatus:
    now = datetime.now(UTC)
    async with database.read() as tx:
        known = {process.id: process for process in await processes.every(tx)}
        laid_out = await slots.every(tx) or [Slot(Partition(), None)]
        found = []
        for slot in laid_out:
            holder, successor = (known.get(token or 0) for token in (slot.holder, slot.successor))
            rules = rules_of(holder)
            pending, without, since, _ = await outbox.waiting(tx, slot.partition, rules)
            lacks = await match_lists.running_without(tx, slot.partition, rules)
            lag = 0.0 if since is None else max(0.0, (now - since).total_seconds())
            served_at = await guilds.last_heartbeat(tx, slot.partition.slot)
            servers = await guilds.fullest_shard(tx, slot.partition.slot)
            found.append(
                SlotStatus(slot.partition, holder, successor, served_at, pending, lag, servers, without, lacks)
            )
        thinking = len(await computer_turns.pending(tx))
        to_rate_again = len(await reratings.pending(tx))
        thinkers = [process for process in known.values() if process.role == THINKER]
        lack = {one.name: list(await match_lists.running_without(tx, EVERYTHING, rules_of(one))) for one in thinkers}
    busy = {token for slot in laid_out for token in (slot.holder, slot.successor)}
    idle = [process for process in known.values() if process.role == BOT and process.id not in busy]
    lack = {name: games for name, games in lack.items() if games}
    heard = None
    if database.sqlite:
        heard = any(slot.served_at is not None and now - slot.served_at < HEARD_WITHIN for slot in found)
    return ClusterStatus(found, idle, thinkers, lack, thinking, to_rate_again, heard)


def table(found: ClusterStatus) -> Table:
    shown = Table(
        "Slot",
        "Shards",
        "Held by",
        "Served last",
        "Messages waiting",
        "Waiting for",
        "Fullest shard",
        padding=0,  # words stay whole on 80 columns
    )
    names = ", ".join(process.name for process in found.standing_by) or "nobody"
    work = f"Thinkers: {len(found.thinkers)}. Turns of computer players: {found.thinking}."
    if found.to_rate_again:
        work += f" Servers to rate again after a void: {found.to_rate_again}."
    lacking = "".join(f" {sentence}" for sentence in _lacking(found))
    lacking += "".join(f" {sentence[0].upper()}{sentence[1:]}." for sentence in found.left_out)
    crowded = "".join(
        f" Slot {slot.partition.slot}: {warning}."
        for slot in found.slots
        for warning in warnings(slot.servers or 0, slot.partition.shards)
    )
    shown.title = f"Standing by: {names}. {work}{lacking}{crowded}"
    for column in shown.columns:
        column.overflow = "fold"  # a long name goes on in the next line, and stays whole
    for status in found.slots:
        holder = _NOBODY[found.heard] if status.holder is None else status.holder.name
        shown.add_row(
            str(status.partition.slot),
            ", ".join(map(str, status.partition.shard_ids)),
            (holder if status.successor is None else f"{holder}, handing over to {status.successor.name}"),
            "never" if status.served_at is None else f"{status.served_at:%Y-%m-%d %H:%M:%S} UTC",
            str(status.pending),
            f"{status.lag:.0f} s",
            "unknown" if status.servers is None else f"{status.servers} servers",
        )
    return shown


def _lacking(found: ClusterStatus) -> list[str]:
    """Return sentences about processes that lack games of running matches."""
    said = [f"{name} has no {', '.join(games)}." for name, games in found.thinkers_lack.items()]
    for slot in found.slots:
        games = [f"{game} (running matches: {count})" for game, count in slot.lacks.items()]
        if games:
            holder = "this installation" if slot.holder is None else slot.holder.name
            said.append(f"Slot {slot.partition.slot}: {holder} has no {', '.join(games)}.")
        if slot.without:
            said.append(f"Slot {slot.partition.slot}: messages that wait for a game: {slot.without}.")
    return said
