"""Begins a turn: has its board posted or, for a computer player, stores a row that has it move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.writing import outbox_messages
from bot.storage import computer_turns
from bot.storage.outbox import Begin, OutboxMessage
from bot.storage.records import Person


async def begin_turn(
    tx: AsyncConnection,
    match_id: int,
    ply: int,
    movers: Iterable[Person],
    at: datetime,
    *,
    notified: Sequence[int] = (),
    begin: Begin | None = None,
) -> OutboxMessage | None:
    """Have the board of ``ply`` posted, or have the computer player among ``movers`` move.

    Return the message of the board if this process is to ``begin`` it and may.
    """
    if any(mover.computer for mover in movers):
        await computer_turns.add(tx, match_id, ply)
        return None
    return await outbox_messages.board(tx, match_id, ply, at, notified=notified, begin=begin)
