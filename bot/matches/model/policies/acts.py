"""What counts as an act of a person in a match: a move they made, not one that was made for them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from bot.games import game_named
from bot.games.game import Result
from bot.matches.model.game_state import effective_entries
from bot.opponents import levels_of
from bot.storage.records import Entry, EntryKind, Match, OfferKind, Person, Seat

MOVES_TO_COUNT = 2
"""How often each player has to have moved for a rated match to count, whatever ends it."""


def moves_made(seat: Seat, played: Sequence[Entry]) -> int:
    """Return how many moves of a seat count, of all entries of a match: planned replies, too.

    Forced passes, a set-up that was taken without asking, and what was taken back do not.
    """
    moved = [entry for entry in effective_entries(played) if entry.seat == seat.seat and entry.kind is EntryKind.MOVE]
    return max(0, len(moved) - seat.ready_made)


def counts_for_ratings(match: Match, played: Sequence[Entry]) -> bool:
    """Return whether the result of a match counts in ratings; ``played`` are all its entries.

    It does if the match was to be rated and was not closed, and each player, also one who left, has made two moves. One
    of a ladder counts from its beginning: who does not want to play leaves the ladder.
    """
    if not match.rated or any(entry.kind is EntryKind.CLOSED for entry in played):
        return False
    return match.ladder or all(moves_made(seat, played) >= MOVES_TO_COUNT for seat in match.seats)


def lapses(kind: OfferKind, seat: int, entries: Sequence[Entry]) -> bool:
    """Return whether an open offer of a seat lapses with a turn of some ``entries``.

    A draw stands until the opponent moves; any other offer is about the position, and lapses with any move. A planned
    reply is a move, too.
    """
    moved = {entry.seat for entry in entries if entry.kind is EntryKind.MOVE}
    return kind is not OfferKind.DRAW or bool(moved - {seat})


def answers_mentions(entries: Sequence[Entry], seat: Seat) -> bool:
    """Return whether a turn of some ``entries`` shows that the person of its first seat has seen their server."""
    return entries[0].kind is EntryKind.MOVE and seat.person.mentionable


def level_beaten(seats: Sequence[Seat], result: Result) -> tuple[Person, int] | None:
    """Return who has beaten a level with a result, and which; None for no such win.

    A person who has beaten computer players alone has beaten the lowest level among them.
    """
    players = [seat for seat in seats if not seat.person.computer]
    levels = [seat.person.level for seat in seats if seat.person.level is not None]
    if len(players) != 1 or not levels or not result.won(players[0].seat, len(seats)):
        return None
    return players[0].person, min(levels)


def next_level(match: Match) -> int | None:
    """Return the level that follows the one beaten in a match of a person and a computer player, if there is one."""
    people = [seat for seat in match.seats if not seat.person.computer]
    if len(match.seats) != 2 or len(people) != 1 or not people[0].won:
        return None
    level = 1 + max(seat.person.level or 0 for seat in match.seats)
    return level if level in levels_of(game_named(match.game)) else None


class WayOn(StrEnum):
    """What a result leads on to."""

    LEVEL = "level"
    """A match against the bot at the next level."""
    TURNING_POINT = "turning-point"
    """The review, of one who has lost."""
    REVIEW = "review"
    REMATCH = "rematch"


def ways_on(match: Match, level: int | None) -> list[WayOn]:
    """Return the ways on from a result, the best one first: for one person against the bot by how they did.

    ``level`` is that of ``next_level``.
    """
    people = [seat for seat in match.seats if not seat.person.computer]
    if len(people) == 1 and not people[0].won and any(seat.won for seat in match.seats):
        return [WayOn.TURNING_POINT, WayOn.REMATCH]
    return [*([] if level is None else [WayOn.LEVEL]), WayOn.REMATCH, WayOn.REVIEW]
