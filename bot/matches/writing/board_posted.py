"""What follows from a board that was posted, written inside the transaction that remembers it."""

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
    """A board that is no longer the newest: what retires it, the match, its ply, and the entry that followed on it."""

    message: OutboxMessage
    match: Match
    ply: int
    entry: PlayedMove | None
    more: bool
    """Whether notices of earlier turns lose their buttons, too."""


async def board_posted(
    tx: AsyncConnection, *, match: Match, ply: int, posted: tuple[int, int], at: datetime, token: int | None
) -> Retired | None:
    """Remember that the board of ``ply`` stands in a place under an id; what stood for earlier turns loses its
    controls. Return the board that this process is to retire, if there is one; ``token`` is that of this process.

    ``match`` is as it was found when its message was taken out of the outbox: until that is sent, or others have taken
    over and nothing is stored here any more, no other board of it is posted.
    """
    place_id, message_id = posted
    if match.board_message_id == message_id:
        return None
    follows = 0 if match.board_ply is None else match.board_ply + 1
    noted = await matches.put_board(tx, match.id, place_id, message_id, ply, entry=follows)
    if noted is None:
        return None
    message = await outbox_messages.past_board(tx, match, at, Begin(token, alone=True))
    if noted.has_notices:
        # Voiding ends the turn that notices were about, but begins none.
        await outbox_messages.past_notices(tx, match.id, ply + 1 if noted.voided else ply, at)
    if message is None or match.board_ply is None:
        return None
    return Retired(message, match, match.board_ply, noted.entry, noted.has_notices)
