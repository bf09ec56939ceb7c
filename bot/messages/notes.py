"""Notes of players in words: for their owner, and everyone once their owner has shared them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.matches.model.game_state import effective_entries
from bot.matches.services.notes import plies
from bot.messages.wording import escaped, shorten
from bot.storage.records import Entry, EntryKind
from renderers.i18n import gettext as _

_MOVE_LIMIT = 60
"""Characters of the move above a note."""


def quoted(text: str) -> str:
    """Return a note as a quotation without formats and mentions."""
    return "\n".join(f"> {escaped(line)}" for line in text.splitlines() if line.strip())


def each_note(played: Sequence[Entry], notes: Mapping[int, str]) -> list[str]:
    """Return each note as a quotation below the move that led to its position."""
    return [f"{position(played, ply, marked=True)}\n{quoted(text)}" for ply, text in notes.items()]


def as_text(played: Sequence[Entry], notes: Mapping[int, str]) -> str:
    """Return the notes as a text without Markdown, with an empty line between them."""
    return "\n\n".join(f"{position(played, ply)}\n{text}" for ply, text in notes.items()) + "\n"


def position(played: Sequence[Entry], ply: int, *, marked: bool = False) -> str:
    """Return what a note is about, by the move that led there, and ``marked`` as a heading."""
    every = plies(played)
    if ply == 0:
        words, move = _("The beginning"), ""
    elif ply not in every:
        words, move = _("A position that was taken back"), ""
    else:
        number = every.index(ply)
        entry = effective_entries(played)[number - 1]
        words = _("Move {number}", number=number)
        move = shorten(entry.text, _MOVE_LIMIT) if entry.kind in (EntryKind.MOVE, EntryKind.FORCED) else ""
    if not marked:
        return f"{words} · {move}" if move else words
    return f"**{words}** · {escaped(move)}" if move else f"**{words}**"
