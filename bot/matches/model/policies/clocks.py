"""What stops a clock, and what happens when it has run out. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

from bot.matches.model.pace import is_live
from bot.matches.model.typed import DAY
from bot.storage.matches import Offer
from bot.storage.records import Match, OfferKind

GRACE = timedelta(days=1)
"""The time of a grace: a day away that is spent by itself before a loss on time."""
FIRST_MINUTE = timedelta(minutes=1)
"""How long after the beginning of a live match no clock runs of a person who has yet to make their first move."""
LIVE_OFFER = timedelta(minutes=10)
"""How long a challenge to a live match, or the offer of a live pace, stays open: later its author is hardly there."""
MOST_GRACES = 2
"""How many graces a turn may have, so that a player who has vanished still loses."""
UNCLAIMED = timedelta(days=14)
"""A match whose time is up ends by itself after so long, as if the others had claimed the win."""
TOLD_AGAIN = timedelta(days=2)
"""So long before that the others are told once more."""


class Stop(Enum):
    """What may stop a running clock."""

    REST = auto()
    """The weekly rest of the person to move."""
    ABSENCE = auto()
    PAUSE = auto()
    """The players have agreed on it."""
    DOWNTIME = auto()
    SHARD = auto()
    """The server's shard is out of reach."""
    RULES = auto()
    """The game is not installed, or has another major version of its rules than at the beginning."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A running clock: of a bank of ``pace`` seconds, or the inactivity limit of an untimed match for None.

    ``rest_counts`` says that rest counts in the match, ``flagged`` that its time is up and others know it.
    """

    pace: int | None
    rest_counts: bool = True
    flagged: bool = False


def stops(stop: Stop, clock: Clock) -> bool:
    """Return whether something stops a clock. Time that is up stays up."""
    if clock.flagged:
        return False
    if stop is Stop.REST:
        return clock.pace is not None and clock.rest_counts and not is_live(clock.pace)
    # These are for days: in a live match an absence would be time to think, as often as its person likes.
    return stop not in (Stop.ABSENCE, Stop.PAUSE) or not is_live(clock.pace)


LONGEST_PAUSE = timedelta(days=14)


def may_pause(match: Match) -> bool:
    """Return whether the players of a running match may agree on a pause: two people, for whom no others wait."""
    alone = len(match.seats) == 2 and not match.computers and match.cup_id is None and not match.ladder
    return alone and match.pace is not None and stops(Stop.PAUSE, clock_of(match)) and match.paused_until is None


def clock_of(match: Match) -> Clock:
    """Return the running clock of a match."""
    return Clock(match.pace, match.rest_counts, match.flagged)


def head_start(pace: int | None, *, people: int, moved: bool = False, leeway: timedelta = FIRST_MINUTE) -> timedelta:
    """Return how long the clock of a turn stands at first: a player of a live match may not be there yet.

    ``leeway`` is what is left of the first minute with this pace. ``people`` play, computer players aside;
    ``moved`` says that the person to move has made a move of their own.
    """
    if not is_live(pace) or people < 2 or moved:
        return timedelta(0)
    return max(timedelta(0), leeway)


def may_have_grace(match: Match, *, given: bool, has_day: bool) -> bool:
    """Return whether a day is spent for the person to move, whose time is up, so that they do not lose.

    ``given`` says that the server, or the cup, gives graces; ``has_day`` that they have a day left, or are spending
    one already. Live matches and those against computer players alone have none, nor has one whose win may be claimed
    already.
    """
    if match.flagged or match.alone or not match.mover.person.mentionable:
        return False
    if match.pace is None or match.pace < DAY or match.graces >= MOST_GRACES:
        return False
    return given and has_day


def ends_itself(match: Match, *, automatic: bool) -> bool:
    """Return whether a match whose time is up ends without a claim; ``automatic`` says that its server wants that.

    No other person would end one of a single person, and those of cups and ladders and live ones do not wait. Where the
    bot only answers, it could tell nobody that there is something to claim.
    """
    if match.answered or match.alone or match.cup_id is not None or match.ladder or is_live(match.pace):
        return True
    return match.pace is not None and automatic


def ends_before_move(match: Match, *, automatic: bool) -> bool:
    """Return whether a match whose time was up before a move ends, and the move counts no more.

    In a cup the move counts if it comes before the bot has ended the match.
    """
    return match.alone or is_live(match.pace) or automatic


def has_expired(offer: Offer, at: datetime) -> bool:
    """Return whether an offer can no longer be accepted: one of a live pace, which both begin while they are there."""
    return offer.kind is OfferKind.PACE and is_live(offer.pace) and at >= offer.created_at + LIVE_OFFER
