"""What people were told in answer to their commands, and whether it is true by what is stored."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import select

from bot.requests.outcome import SLOW, UNAVAILABLE
from bot.storage import tables
from bot.storage.database import Database
from tests.scale.crowded_discord import CrowdedDiscord
from tests.scale.playing import Crowd

PLAYED, UNCHANGED = "You played **", (UNAVAILABLE, SLOW)
"""What an answer says, by the words in it. Commands that it names are links in Discord."""


async def untrue(database: Database, crowd: Crowd) -> list[str]:
    """Compare the answers with what is stored: confirmed moves are there, and what was denied is not."""
    async with database.read() as tx:
        moves = (await tx.execute(select(tables.moves.c.match_id, tables.moves.c.ply, tables.moves.c.text))).all()
        processed = set((await tx.execute(select(tables.interactions.c.id))).scalars())
    stored, found = {tuple(move) for move in moves}, []
    for interaction, said in _answers(crowd.discord):
        move = crowd.sent_by.get(interaction)
        if PLAYED in said and move is not None and move not in stored:
            found.append(f"interaction {interaction}: a move was confirmed that is not stored: {move}")
        if interaction in processed and any(str(words).partition("`")[0] in said for words in UNCHANGED):
            found.append(f"interaction {interaction}: what it stored was denied")
    return found


def _answers(discord: CrowdedDiscord) -> Iterator[tuple[int, str]]:
    """Yield the number of each command that was answered, and the answer."""
    for record in discord.backend.interactions.values():
        if record.command_name is not None and record.message_id is not None and not record.loading:
            yield record.id, discord.said(record.channel_id, record.message_id)
