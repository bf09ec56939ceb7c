"""What ``status`` shows on a terminal of 80 columns, which is also what a pipe gets."""

from __future__ import annotations

import io
from datetime import UTC, datetime

from rich.console import Console

from bot.operation.status import ClusterStatus, SlotStatus, table
from bot.storage.processes import Process
from bot.storage.registration import BOT
from bot.storage.slots import Partition

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def held_by(name: str | None) -> str:
    """Return the third column of the table of one slot, its lines joined."""
    holder = None if name is None else Process(1, name, BOT, NOW, NOW)
    slot = SlotStatus(Partition(), holder, None, NOW, 0, 0.0, 2000, 0, {})
    page = io.StringIO()
    Console(file=page, width=80).print(table(ClusterStatus([slot], [], [], {}, 0, 0)))
    rows = [line.split("│")[3].strip() for line in page.getvalue().splitlines() if line.startswith("│")]
    return " ".join(rows).strip()


def test_the_name_of_a_process_is_never_cut_off() -> None:
    name = "bots-of-the-games-club.example.org:4194304"
    assert held_by(name).replace(" ", "") == name


def test_a_slot_without_a_holder_says_so_in_whole_words() -> None:
    assert held_by(None) == "nobody registered"
