"""What follows from a board that was posted, written inside the transaction that remembers it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.writing import outbox_messages
from bot.storage import matches
from bot.storage.records import Match


async def board_posted(tx: AsyncConnection, *, match: Match, ply: int, posted: tuple[int, int], at: datetime) -> None:
    """Remember that the board of ``ply`` stands in a place under an id; what stood for earlier turns loses its
    controls.

    ``match`` is as it was found when its message was taken out of the outbox: until that is sent, or others have taken
    over and nothing is stored here any more, no other board of it is posted.
    """
    place_id, message_id = posted
    if match.board_message_id == message_id:
        return
    noted = await matches.put_board(tx, match.id, place_id, message_id, ply)
    if noted is None:
        return
    voided, has_notices = noted
    await outbox_messages.past_board(tx, match, at)
    if has_notices:
        # Voiding ends the turn that notices were about, but begins none.
        await outbox_messages.past_notices(tx, match.id, ply + 1 if voided else ply, at)
