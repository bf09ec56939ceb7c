"""Private notes of players on positions of their matches, by the ply after which a position stood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.matches.model.game_state import effective_entries
from bot.matches.model.refusals import Refusal
from bot.matches.service_context import ServiceContext
from bot.matches.writing.move_log import load_match
from bot.storage import matches, notes
from bot.storage.records import Entry, Match, RequestId
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n

NOTE_LIMIT: Final = 500
"""Characters of a note."""
ONLY_PLAYERS = _("Notes are for the players of a match.")


@dataclass(frozen=True, slots=True)
class Notes:
    """Shows people their own notes, and changes them."""

    _context: ServiceContext

    async def view(self, guild_id: int, match_id: int, user_id: int) -> NotesView:
        """Return a player's notes on a match. Raises ``Refusal`` for people who do not play in it."""
        async with self._context.database.read() as tx:
            match = await load_match(tx, guild_id, match_id)
            if match.seat_of(user_id) is None:
                raise Refusal(ONLY_PLAYERS)
            return NotesView(
                match, tuple(await matches.moves_of(tx, match_id)), await notes.of_match(tx, match_id, user_id)
            )

    @retried
    async def write(
        self, guild_id: int, match_id: int, user_id: int, interaction_id: RequestId, ply: int, text: str
    ) -> None:
        """Store a note on the position after a ply; an empty text removes it. Raises ``Refusal``."""
        text = text.strip()
        if len(text) > NOTE_LIMIT:
            raise Refusal(
                _n(
                    "A note has at most {limit} characters; this one has {n}.",
                    "A note has at most {limit} characters; this one has {n}.",
                    len(text),
                    limit=NOTE_LIMIT,
                )
            )
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            await matches.lock(tx, match_id)
            match = await load_match(tx, guild_id, match_id)
            if not await notes.lock_seat(tx, match_id, user_id):
                raise Refusal(ONLY_PLAYERS)
            if ply > match.ply:
                raise Refusal(_("There is no such position in this match."))
            await notes.put(tx, match_id, user_id, ply, text)


@dataclass(frozen=True, slots=True)
class NotesView:
    """A match with a player's own notes, by ply."""

    match: Match
    played: tuple[Entry, ...]
    notes: dict[int, str]

    @property
    def newest(self) -> int:
        """The ply after which the newest position stood."""
        return plies(self.played)[-1]


def plies(played: Sequence[Entry]) -> list[int]:
    """Return the plies after which the positions of a match stood that one steps through; the first is 0."""
    return [0, *(entry.ply for entry in effective_entries(played))]
