"""Who may see a match, by every way in. Pure: callers gather where it is played and what a person can open."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Way(Enum):
    NUMBER = auto()
    """Its number, typed, suggested, or on a control: the board, steps, replay, record, review."""
    LIST = auto()
    """The list of everyone's matches, which the database makes: a test compares ``match_lists.running_in``."""
    LINK = auto()
    """The link to where its board stands."""
    PAGE = auto()
    """The board page, its pictures and its news."""
    WATCH = auto()
    """A link by which anybody watches it, without an account."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """A person who asks for a match.

    ``here`` says that it is a match of the server where they ask, ``plays`` that they have a seat in it, ``sees_place``
    that they can open the channel or thread in which it is played, or that it was shared where they ask; ``private``
    that this is a private thread, and ``blocks`` that they or a player of it have blocked the other. ``open_to_all``
    says that its server, which still has the bot, lets its matches be watched, and ``voided`` that it is voided.
    """

    here: bool = True
    plays: bool = False
    sees_place: bool = True
    private: bool = False
    blocks: bool = False
    open_to_all: bool = False
    voided: bool = False


def may_see(way: Way, viewer: Viewer) -> bool:
    """Return whether a person may see a match by a way in."""
    if not viewer.here:
        return False
    match way:
        case Way.NUMBER:
            return viewer.plays or viewer.sees_place
        case Way.LIST:
            return viewer.plays or (viewer.sees_place and not viewer.blocks)
        case Way.LINK:
            return viewer.plays or not viewer.private
        case Way.PAGE:
            return viewer.plays
        case Way.WATCH:
            return viewer.open_to_all and not viewer.private and not viewer.voided
