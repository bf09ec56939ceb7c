"""The states of cups and ladders, and of people in them. Their values are stored, so they never change."""

from __future__ import annotations

from enum import StrEnum


class CupStart(StrEnum):
    """The event that begins an open cup: enough people, a time, or the button of the person who started it."""

    FULL = "full"
    TIME = "time"
    BUTTON = "button"


class CupState(StrEnum):
    """The life of a cup. ``OPEN`` and ``RUNNING`` go on; every other state is final."""

    OPEN = "open"
    RUNNING = "running"
    OVER = "over"
    """All matches are decided, and everybody has a place."""
    TOO_FEW = "too_few"
    CANCELLED = "cancelled"
    CLOSED = "closed"
    """A manager of the server closed it without results."""
    DESERTED = "deserted"
    """All but one player withdrew so early that no result counts."""


class PairingState(StrEnum):
    """The state of a pairing of a cup. ``FIRST`` and ``SECOND`` are the players by their seats."""

    PLANNED = "planned"
    RUNNING = "running"
    FIRST_WON = "first"
    SECOND_WON = "second"
    DRAWN = "draw"
    FIRST_BY_FORFEIT = "first_forfeit"
    SECOND_BY_FORFEIT = "second_forfeit"
    VOIDED = "voided"


class Withdrawal(StrEnum):
    """Why a player of a cup plays no further matches in it."""

    OWN = "own"
    LATE = "late"
    """They lost two matches on time."""
    GONE = "gone"
    BARRED = "barred"
    REMOVED = "removed"
    DELETED = "deleted"


class NoMatch(StrEnum):
    """Why a person in a ladder has no match in a week."""

    TURN = "turn"
    """A player had to wait: all others who could play them have a match."""
    GAME = "game"
    """No player who can be paired has chosen one of their games."""
    NOBODY = "nobody"
    """Everybody else is paired with them already, is kept apart from them, or cannot be paired."""
    UNFINISHED = "unfinished"
    """As many matches of the ladder as one may have at once are unfinished."""
    LIMIT = "limit"
    """They may begin no match: they are barred, or at the limit of running matches."""
    AWAY = "away"
    HIDDEN = "hidden"
    """They cannot see the channel of the ladder."""


class OutOfLadder(StrEnum):
    """What takes a person out of a ladder."""

    TIME = "time"
    """They ran out of time."""
    RESIGNED = "resigned"
    """They resigned before they had moved twice."""
