"""``status``: who serves what just now, and what waits, as the database tells it. Works beside running bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from rich.table import Table

from bot.settings import Settings
from bot.storage.database import Database
from bot.storage.errors import StorageError, explained, place
from bot.storage.process_records import Process, Share, Slot
from bot.storage.queries import computer_turns, guilds, outbox, processes, slots
from bot.storage.registration import BOT, THINKER


@dataclass(frozen=True, slots=True)
class SlotStatus:
    """A slot: who holds it, if anybody does, when it was served last, and what is to be posted for it."""

    share: Share
    holder: Process | None
    served_at: datetime | None
    pending: int
    lag: float
    """For how many seconds the message that is due longest has been."""


@dataclass(frozen=True, slots=True)
class Status:
    """What ``status`` shows. ``slots`` is one without a holder for SQLite, whose bot does not register."""

    slots: Sequence[SlotStatus]
    standing_by: Sequence[Process]
    thinkers: Sequence[Process]
    thinking: int
    """Turns that computer players have to play."""

    def as_json(self) -> dict[str, Any]:
        """Return it for machines."""
        return {
            "slots": [
                {
                    "slot": status.share.slot,
                    "shards": status.share.shard_ids,
                    "holder": None if status.holder is None else status.holder.name,
                    "token": None if status.holder is None else status.holder.id,
                    "served_at": None if status.served_at is None else status.served_at.isoformat(),
                    "pending": status.pending,
                    "lag_seconds": round(status.lag, 3),
                }
                for status in self.slots
            ],
            "standing_by": [process.name for process in self.standing_by],
            "thinkers": [process.name for process in self.thinkers],
            "computer_turns": self.thinking,
        }


async def status(settings: Settings) -> Status:
    """Return who serves what, and what waits. Raises ``StorageError``."""
    database = Database(settings.database_url)
    try:
        current, newest = await database.revisions()
        if current != newest:
            raise StorageError(
                f"The database {place(database.url)} has not been used by this version: `run` sees to it."
            )
        with explained(database.url):
            return await _read(database)
    finally:
        await database.close()


async def _read(database: Database) -> Status:
    now = datetime.now(UTC)
    async with database.read() as tx:
        known = {process.id: process for process in await processes.every(tx)}
        laid_out = await slots.every(tx) or [Slot(Share(), None)]
        found = []
        for slot in laid_out:
            pending, since = await outbox.waiting(tx, slot.share)
            lag = 0.0 if since is None else max(0.0, (now - since).total_seconds())
            served_at = await guilds.last_heartbeat(tx, slot.share.slot)
            found.append(SlotStatus(slot.share, known.get(slot.holder or 0), served_at, pending, lag))
        thinking = len(await computer_turns.pending(tx))
    holders = {slot.holder for slot in laid_out}
    idle = [process for process in known.values() if process.role == BOT and process.id not in holders]
    return Status(found, idle, [process for process in known.values() if process.role == THINKER], thinking)


def table(found: Status) -> Table:
    """Return it for people."""
    shown = Table("Slot", "Shards", "Held by", "Served last", "Messages waiting", "Waiting for", title=_summary(found))
    for status in found.slots:
        shown.add_row(
            str(status.share.slot),
            ", ".join(map(str, status.share.shard_ids)),
            "nobody registered" if status.holder is None else status.holder.name,
            "never" if status.served_at is None else f"{status.served_at:%Y-%m-%d %H:%M:%S} UTC",
            str(status.pending),
            f"{status.lag:.0f} s",
        )
    return shown


def _summary(found: Status) -> str:
    names = ", ".join(process.name for process in found.standing_by) or "nobody"
    return f"Standing by: {names}. Thinkers: {len(found.thinkers)}. Turns of computer players: {found.thinking}."
