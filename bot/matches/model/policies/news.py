"""Whom to tell, when, and how loudly. Pure: ``bot.delivery.telling`` gathers the facts and acts on the answers.

News is heard (it mentions a person with a sound), silent (a mention without a sound), or no mention at all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

from bot.matches.model import usual_hours
from bot.storage.records import News

JUST_NOW = timedelta(minutes=2)
"""For so long after moving in a match, or joining it, a person is not mentioned there: they see what follows."""
HERE = timedelta(minutes=10)
"""For so long after moving in any match of a server, a person is not mentioned for turns there: Next leads to them."""
TOLD_AFTER = timedelta(minutes=30)
"""A turn of which a person was not told because they were there is told so long after it began, if it waits."""
MENTIONS_A_DAY = 3
"""So often at most a person is mentioned within a day by challenges of the same person."""
IN_CHANNEL, DIRECTLY = (News.CHANNEL, News.BOTH), (News.DIRECT, News.BOTH)


class Kind(Enum):
    """The kinds of news beside that of a turn."""

    REMINDER = auto()
    WIN_TO_CLAIM = auto()
    """The time of another person is up; without a pace, that a match may be closed."""
    GRACE = auto()
    """Told directly, and in the channel where a person takes no direct messages."""
    END = auto()
    VOIDED = auto()
    OFFER = auto()
    CHALLENGE = auto()
    """A challenge, or an invitation to a cup."""
    REFUSED = auto()
    """What a person wanted directly, in the channel: a turn, or a digest."""


WHERE_WANTED = (Kind.REMINDER, Kind.WIN_TO_CLAIM, Kind.END)
"""What a person is told where they want news of their turns, unless the match is live. Offers stand in the channel."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A person whom news is for: what they have done lately, and how they want to be told.

    ``quiet`` is when their quiet hours began and end, if it is quiet now; ``has_quiet_hours`` says that they have some.
    """

    mentionable: bool = True
    notified: bool = False
    """Whether something has told them already, or they do not want to hear of the other person."""
    at_board: bool = False
    acted_at: datetime | None = None
    """When they last moved in the match, or joined it."""
    here_at: datetime | None = None
    """When they last moved in any match of the server."""
    owes_answer: bool = False
    """Whether another mention waits for their answer."""
    answer_until: datetime | None = None
    """When the time for that answer is up; None for no limit."""
    challenged: bool = False
    """Whether an earlier challenge to them waits in the server, and they have not moved there since."""
    mentioned_today: int = 0
    """How often they were mentioned within a day by challenges of the same person."""
    news: News = News.CHANNEL
    reminders: bool = True
    usual_hours: bool = True
    has_quiet_hours: bool = False
    quiet: tuple[datetime, datetime] | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of which a person is to be told, by a message of ``at``."""

    at: datetime
    turn_at: datetime
    """When the turn began."""
    live: bool = False
    new: bool = False
    """Whether the match has no board yet."""
    deadline_at: datetime | None = None
    remind_at: datetime | None = None
    held_back: bool = False
    """Whether the board was posted before, and the person is told of it now."""
    mentioned: bool = False
    """Whether that board mentioned them without a sound."""


@dataclass(frozen=True, slots=True)
class Telling:
    """How a person is told of their turn now: in the channel, directly, or later.

    A ``silent`` mention makes no sound. ``quiet`` is when their quiet hours began and end, after which they are told;
    ``later`` is when they are told because they are there, or with a sound because they never move in this hour; after
    quiet hours, too, of a turn that began before them.
    """

    mention: bool = False
    silent: bool = False
    directly: bool = False
    quiet: tuple[datetime, datetime] | None = None
    later: datetime | None = None

    @property
    def heard(self) -> bool:
        """Whether it makes a sound in the channel."""
        return self.mention and not self.silent


NOT_TOLD = Telling()


def where(preferred: News, *, direct: bool) -> News:
    """Return where a person is told of a match: one in direct messages has its board there, which is told once."""
    return News.CHANNEL if direct and preferred is not News.NONE else preferred


def is_silent(mentions: Collection[int], *, silent: bool, direct: bool) -> bool:
    """Return whether a message about a match makes no sound, as it is meant to or because it mentions nobody.

    Discord calls a person for every message in direct messages, and elsewhere for mentions alone.
    """
    return silent or (direct and not mentions)


def just_acted(reader: Reader, at: datetime) -> bool:
    """Return whether a person acted in a match so shortly before a message that they know what it tells."""
    return reader.acted_at is not None and at - reader.acted_at < JUST_NOW


def of_turn(turn: Turn, reader: Reader, heard_at: datetime | None = None) -> Telling:
    """Return how the person to move is told of their turn: not at all if they know of it already.

    ``heard_at`` is when their next usual hour is over, where ``weighs_usual_hours``.
    """
    if not reader.mentionable or reader.notified or (turn.live and reader.at_board):
        return NOT_TOLD
    if turn.mentioned and reader.here_at is not None and reader.here_at > turn.turn_at:
        return NOT_TOLD  # they have moved elsewhere since, and Next led them there
    if not turn.held_back and _sees_board(turn, reader):
        if turn.new:
            return Telling(mention=True, silent=True)  # by which Discord shows them the thread from now on
        # Live matches are over too soon for that.
        return Telling(later=None if turn.live else turn.at + TOLD_AFTER)
    if reader.quiet is not None and reader.news is not News.NONE and not turn.live:
        began, ends = reader.quiet
        # The message about a person's quiet hours lists what began in them.
        return Telling(later=ends) if turn.turn_at < began else Telling(quiet=reader.quiet)
    mention = reader.news in IN_CHANNEL
    later = heard_at if weighs_usual_hours(turn, reader) else None
    heard = later is None and (turn.live or not reader.owes_answer or is_more_urgent(turn, reader))
    return Telling(mention=mention, silent=not (mention and heard), directly=reader.news in DIRECTLY, later=later)


def of_answered_turn(turn: Turn, reader: Reader) -> Telling:
    """Return how the person to move is told where the board is an answer to the other one (``bot.storage.homes``).

    Discord itself calls them for that. Who wants their turns directly gets a message, too, after their quiet hours.
    """
    if not reader.mentionable or reader.news not in DIRECTLY or just_acted(reader, turn.at):
        return NOT_TOLD
    return Telling(directly=True) if reader.quiet is None else Telling(quiet=reader.quiet)


def is_more_urgent(turn: Turn, reader: Reader) -> bool:
    """Return whether a turn is heard though another mention waits, because that has more time.

    A turn of which a reminder comes in time can wait for it.
    """
    if turn.deadline_at is None or (reader.answer_until is not None and reader.answer_until <= turn.deadline_at):
        return False
    return not reader.reminders or turn.deadline_at - turn.at < usual_hours.SHORT


def weighs_usual_hours(turn: Turn, reader: Reader) -> bool:
    """Return whether a turn that begins in an hour in which its person never moves is heard later.

    Quiet hours of their own decide alone.
    """
    if reader.news is not News.CHANNEL or reader.has_quiet_hours or not reader.usual_hours:
        return False
    if turn.held_back or reader.owes_answer:
        return False
    if turn.deadline_at is not None and turn.deadline_at - turn.at < usual_hours.SHORT:
        return False
    return reader.here_at is None or turn.at - reader.here_at >= usual_hours.AROUND


def heard_later(turn: Turn, reader: Reader, heard_at: datetime | None, now: datetime) -> datetime | None:
    """Return when a turn is heard that waits for a usual hour; None for now, or where a reminder would come before."""
    if heard_at is None or heard_at <= now:
        return None
    lost = not reader.reminders and turn.remind_at is not None and turn.remind_at < heard_at
    return None if lost else heard_at


def _sees_board(turn: Turn, reader: Reader) -> bool:
    """Return whether a person sees the board by themselves: they move in the server at about that time."""
    if just_acted(reader, turn.at):
        return True
    # They do not know of a new match yet, and a live one leaves no time to be told later.
    if reader.here_at is None or turn.new or turn.live:
        return False
    return abs(turn.at - reader.here_at) < HERE


@dataclass(frozen=True, slots=True)
class Occasion:
    """What is told beside a turn, by a message of ``at``; ``alone`` is a match of one person against the bot."""

    kind: Kind
    at: datetime
    live: bool = False
    alone: bool = False

    @property
    def weighs_acts(self) -> bool:
        """Whether it matters what people have done in the match."""
        return self.kind is Kind.REFUSED or (self.kind is Kind.END and self.alone)

    @property
    def weighs_answers(self) -> bool:
        """Whether it matters what else waits for people's answers."""
        return self.kind is Kind.REFUSED or (self.kind in (Kind.WIN_TO_CLAIM, Kind.CHALLENGE) and not self.live)


@dataclass(frozen=True, slots=True)
class Announcement:
    """Whom a message mentions, and whether without a sound; and whom a direct message tells it, too."""

    mentions: tuple[int, ...]
    silent: bool
    directly: tuple[int, ...] = ()


def announce(occasion: Occasion, readers: Mapping[int, Reader]) -> Announcement:
    """Return how the people whom a message is for are told, by their ids."""
    told = {user_id: reader for user_id, reader in readers.items() if _is_told(occasion, reader)}
    if occasion.kind not in WHERE_WANTED or occasion.live:
        return Announcement(tuple(told), _is_silent(occasion, list(told.values())))
    mentioned = {user_id: reader for user_id, reader in told.items() if reader.news in IN_CHANNEL}
    directly = tuple(user_id for user_id, reader in told.items() if reader.news in DIRECTLY)
    return Announcement(tuple(mentioned), _is_silent(occasion, list(mentioned.values())), directly)


def _is_told(occasion: Occasion, reader: Reader) -> bool:
    if not reader.mentionable or reader.notified or (occasion.live and reader.at_board):
        return False
    if occasion.kind in (Kind.REMINDER, Kind.GRACE):
        return reader.reminders
    if occasion.kind is Kind.CHALLENGE:
        return reader.mentioned_today < MENTIONS_A_DAY
    # A person who has just moved against the bot is there to see its reply.
    return not (occasion.kind is Kind.END and occasion.alone and just_acted(reader, occasion.at))


def _is_silent(occasion: Occasion, readers: list[Reader]) -> bool:
    if readers and not occasion.live and all(reader.quiet is not None for reader in readers):
        return True
    match occasion.kind:
        case Kind.END:
            return not occasion.live  # a result asks nothing of anybody, unless they may be playing live
        case Kind.WIN_TO_CLAIM:
            return not occasion.live and bool(readers) and all(reader.owes_answer for reader in readers)
        case Kind.CHALLENGE:
            waits = [reader.owes_answer or reader.challenged for reader in readers]
            return not occasion.live and bool(waits) and all(waits)
        case Kind.REFUSED:
            return all(reader.owes_answer or just_acted(reader, occasion.at) for reader in readers)
        case _:
            return False
