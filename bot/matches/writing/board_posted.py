"""Stores what follows from a posted board, in the transaction that remembers where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.writing import outbox_messages
from bot.storage import matches
from bot.storage.outbox import Begin, OutboxMessage
from bot.storage.records import Match, PlayedMove


@dataclass(frozen=True, slots=True)
class Retired:
    """An earlier board: the message that retires it, its match and ply, and the entry that followed on it."""

    message: OutboxMessage
    match: Match
    ply: int
    entry: PlayedMove | None
    more: bool
    """Whether notices of earlier turns lose their buttons, too."""


async def board_posted(
    tx: AsyncConnection, *, match: Match, ply: int, posted: tuple[int, int], at: datetime, token: int | None
) -> Retired | None:
    """Remember where the board of ``ply`` stands, and have the controls of earlier turns taken away.

    Return the board that this process is to retire, if there is one; ``token`` is that of this process. ``match`` is
    the match as loaded when its message was begun. Until that message is sent, no other board of the match is posted;
    if another process has taken over meanwhile, this transaction fails.
    """
    place_id, message_id = posted
    if match.board_message_id == message_id:
        return None
    follows = 0 if match.board_ply is None else match.board_ply + 1
    noted = await matches.put_board(tx, match.id, place_id, message_id, ply, entry=follows)
    if noted is None:
        return None
    message = await outbox_messages.retire_board(tx, match, at, Begin(token, alone=True))
    if noted.has_notices:
        # Voiding ends the turn that notices were about, but begins none.
        await outbox_messages.retire_notices(tx, match.id, ply + 1 if noted.voided else ply, at)
    if message is None or match.board_ply is None:
        return None
    return Retired(message, match, match.board_ply, noted.entry, noted.has_notices)
