"""What people were told in answer to their commands, and whether it is true by what is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlalchemy import select

from bot.requests.outcome import PARTLY, SAVED, SLOW, UNAVAILABLE, UNKNOWN
from bot.storage import tables
from bot.storage.database import Database
from tests.scale.crowded_discord import CrowdedDiscord
from tests.scale.playing import Crowd

PLAYED, UNCHANGED = "moves confirmed", "answers that nothing was changed"
KINDS = {
    "You played **": PLAYED,
    str(UNAVAILABLE): UNCHANGED,
    str(SLOW): UNCHANGED,
    str(UNKNOWN): "answers that leave open whether it was saved",
    str(SAVED): "answers that it was saved, without more",
    str(PARTLY): "answers that perhaps a part was saved",
}
"""What an answer says, by the words in it. Commands that it names are links in Discord."""


@dataclass(slots=True)
class Told:
    """How often people were told what, and a line for each answer that is not true."""

    number: Counter[str] = field(default_factory=Counter)
    untrue: list[str] = field(default_factory=list)


async def told(database: Database, crowd: Crowd) -> Told:
    """Compare the answers with what is stored: confirmed moves are there, and what was denied is not."""
    async with database.read() as tx:
        moves = (await tx.execute(select(tables.moves.c.match_id, tables.moves.c.ply, tables.moves.c.text))).all()
        processed = set((await tx.execute(select(tables.interactions.c.id))).scalars())
    stored, found = {tuple(move) for move in moves}, Told(Counter(dict.fromkeys(KINDS.values(), 0)))
    for interaction, kind in _answers(crowd.discord):
        found.number[kind] += 1
        move = crowd.sent_by.get(interaction)
        if kind == PLAYED and move is not None and move not in stored:
            found.untrue.append(f"interaction {interaction}: a move was confirmed that is not stored: {move}")
        if kind == UNCHANGED and interaction in processed:
            found.untrue.append(f"interaction {interaction}: what it stored was denied")
    return found


def _answers(discord: CrowdedDiscord) -> Iterator[tuple[int, str]]:
    """Yield the number of each command that was answered in one of the ways that are counted, and the way."""
    for record in discord.backend.interactions.values():
        if record.command_name is not None and record.message_id is not None and not record.loading:
            said = discord.said(record.channel_id, record.message_id)
            yield from ((record.id, kind) for words, kind in KINDS.items() if words.partition("`")[0] in said)
