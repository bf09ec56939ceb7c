"""What follows from a board that was posted, written inside the transaction that remembers it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.writing import outbox_messages
from bot.storage.queries import matches


async def board_posted(tx: AsyncConnection, *, match_id: int, ply: int, posted: tuple[int, int], at: datetime) -> None:
    """Remember that the board of ``ply`` stands in a place under an id; what stood for earlier turns loses its
    controls."""
    match = await matches.lock(tx, match_id)
    place_id, message_id = posted
    if match is None or match.board_message_id == message_id:
        return
    await outbox_messages.past_board(tx, match, at)
    # Voiding ends the turn that notices were about, but begins none.
    await outbox_messages.past_notices(tx, match.id, ply + 1 if match.voided else ply, at)
    await matches.change(tx, match.id, board_channel_id=place_id, board_message_id=message_id, board_ply=ply)
