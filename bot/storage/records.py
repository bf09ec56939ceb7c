"""What the queries return: rows as frozen values with the names of the field."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from renderers.i18n import gettext_lazy as _


class ChallengeState(StrEnum):
    """The life of a challenge; every state but ``OPEN`` is final."""

    OPEN = "open"
    STARTED = "started"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


class First(StrEnum):
    """Who gets seat 1 (``bot/games/RULES.md``, "Seats")."""

    RANDOM = "random"
    CHALLENGER = "challenger"
    OPPONENT = "opponent"


OPERATOR = 0
"""Stands for whoever runs the bot, where otherwise a person's id says who did something."""


class MatchState(StrEnum):
    """Whether a match can still be played."""

    RUNNING = "running"
    OVER = "over"


class MoveKind(StrEnum):
    """Why an entry is in the list of moves.

    A person moved; a forced pass was played for them; a seat dropped out; the last move of a seat was taken back; the
    two players agreed on a draw; a match against computer players was left lying, and put away.
    """

    MOVE = "move"
    FORCED = "forced"
    DROP = "drop"
    TAKEBACK = "takeback"
    DRAW = "draw"
    CLOSED = "put_away"


class OutboxState(StrEnum):
    """The life of an outbox message. One that is ``SENDING`` may have been sent: look before sending it again."""

    PENDING = "pending"
    SENDING = "sending"
    SENT = "sent"
    SKIPPED = "skipped"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a server: Discord's id and the name shown there at the time.

    Whoever has had everything about them deleted goes on as nobody in the games of others, under a negative number.
    A computer player is no user of Discord: it has the number 0 and a level.
    """

    id: int
    name: str
    level: int | None = None
    """How well a computer player plays, from 1 upwards; None for people."""

    @property
    def deleted(self) -> bool:
        """Whether this is nobody any more."""
        return self.id < 0

    @property
    def computer(self) -> bool:
        """Whether this is a computer player."""
        return self.level is not None

    @property
    def mentionable(self) -> bool:
        """Whether Discord knows this person, so that a message can notify them."""
        return self.id > 0


COMPUTER_ID = 0
"""The number of every computer player: nobody in Discord has it."""


def computer_player(level: int) -> Person:
    """Return the computer player of a level."""
    return Person(COMPUTER_ID, _("Tavoliere (level {level})", level=level), level)


@dataclass(frozen=True, slots=True)
class Challenge:
    """An invitation to a game, and who has taken a seat so far (the challenger is always among them)."""

    id: int
    guild_id: int
    channel_id: int
    game: str
    variant: str
    players: int
    challenger_id: int
    opponent_id: int | None
    first: First
    rated: bool
    pace: int | None
    state: ChallengeState
    rematch_of: int | None
    match_id: int | None
    message_id: int | None
    created_at: datetime
    expires_at: datetime
    levels: tuple[int, ...] = ()
    """The levels of the computer players the challenger has seated."""
    joined: tuple[Person, ...] = ()
    language: str = "en"
    """The tag of the language of the card and of the match."""

    @property
    def seated(self) -> tuple[Person, ...]:
        """Everybody who has a seat so far: people in the order in which they joined, then computer players."""
        return (*self.joined, *map(computer_player, self.levels))


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat of a match, 0-based in turn order. ``won`` is None until the match is over, and in a draw."""

    seat: int
    person: Person
    to_move: bool
    dropped: bool
    won: bool | None


@dataclass(frozen=True, slots=True)
class Match:
    """One game, between people or against a computer player. ``ply`` counts the entries in its list of moves."""

    id: int
    guild_id: int
    channel_id: int
    thread_id: int | None
    game: str
    variant: str
    rated: bool
    state: MatchState
    ply: int
    reason: str | None
    board_channel_id: int | None
    board_message_id: int | None
    board_ply: int | None
    """The ply the newest board message shows."""
    created_at: datetime
    turn_at: datetime
    ended_at: datetime | None
    pace: int | None
    """Seconds for a move, or None for as long as one likes."""
    deadline_at: datetime | None
    """Until when whoever is to move has to; without a pace, when the match is put away that somebody plays alone."""
    remind_at: datetime | None
    flagged: bool
    """Whether the time was up and the opponent told that they may claim the win."""
    seats: tuple[Seat, ...]
    voided_by: int | None = None
    """Who voided the match, so that it counts for nobody: a person's id, or ``OPERATOR``; None for all others."""
    language: str = "en"
    """The tag of the language of everything the bot posts about the match."""

    @property
    def place_id(self) -> int:
        """The thread or channel the match is played in."""
        return self.thread_id or self.channel_id

    @property
    def voided(self) -> bool:
        """Whether the match was voided. One that is, is over, however far it had come."""
        return self.voided_by is not None

    def seat_of(self, user_id: int) -> Seat | None:
        """Return the seat of a person, or None for a spectator."""
        return next((seat for seat in self.seats if seat.person.id == user_id), None)

    @property
    def movers(self) -> tuple[Seat, ...]:
        """The seats that may act now."""
        return tuple(seat for seat in self.seats if seat.to_move)

    @property
    def computers(self) -> tuple[Seat, ...]:
        """The seats of computer players; none in a match between people."""
        return tuple(seat for seat in self.seats if seat.person.computer)

    @property
    def alone(self) -> bool:
        """Whether nobody but one person is left to play with computer players."""
        left = [seat for seat in self.seats if not seat.dropped and not seat.person.computer]
        return len(left) == 1 and len(self.computers) > 0

    @property
    def time_ends_at(self) -> datetime | None:
        """When the time of whoever is to move is up, or None without a time limit."""
        return None if self.pace is None else self.deadline_at

    @property
    def between_people(self) -> bool:
        """Whether two people at least have a seat."""
        return sum(not seat.person.computer for seat in self.seats) > 1


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One entry of a match's list of moves. ``ply`` counts from 1."""

    ply: int
    seat: int
    kind: MoveKind
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ComputerTurn:
    """A turn that a computer player has to play, at a ply of a match."""

    match_id: int
    ply: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished match ended for one of its seats; ``shared`` when somebody else in question had a seat, too."""

    game: str
    won: bool | None
    shared: bool


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating as openskill keeps it, with the record of the games behind it."""

    user_id: int
    mu: float
    sigma: float
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What one match did to one rating."""

    match_id: int
    user_id: int
    mu_before: float
    sigma_before: float
    mu_after: float
    sigma_after: float
    at: datetime


class OfferKind(StrEnum):
    """What one player can ask of the other."""

    DRAW = "draw"
    TAKEBACK = "takeback"


class OfferState(StrEnum):
    """The life of an offer; every state but ``OPEN`` is final."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True)
class Offer:
    """Something one seat asks of the other at a ply of a match."""

    id: int
    match_id: int
    kind: OfferKind
    seat: int
    ply: int
    state: OfferState
    channel_id: int | None
    message_id: int | None


@dataclass(frozen=True, slots=True)
class Notice:
    """A reminder or late notice that was given at a ply, and the message it stands in."""

    ply: int
    kind: str
    channel_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class Preferences:
    """How somebody likes to be shown things, in every server."""

    theme: str = "dark"
    coordinates: bool = True
    confirm: bool = False
    """Whether every move built with Play is confirmed, or only one that loses, draws, or was not shown before."""
    text_boards: bool = False
    reminders: bool = True
    language: str | None = None
    """The tag of the language they chose; None for that of their Discord."""
    locale: str | None = None
    """The tag of the language of their Discord, as last seen; None for somebody who has never used the bot."""

    @property
    def spoken(self) -> str | None:
        """The tag of the language the bot speaks with them; None where nothing is known of them."""
        return self.language or self.locale


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """How a server wants the bot to behave."""

    channels: tuple[int, ...] = ()
    """The channels where play is allowed; none means all."""
    threads: bool = True
    pace: int | None = 259200
    """Seconds for a move where a challenge does not say; None for no limit."""
    automatic: bool = False
    """Whether a match is lost as soon as the time is up, instead of when the opponent claims the win."""
    language: str | None = None
    """The tag of the language of public messages; None for that of the server's own locale."""


EVERYWHERE = 0
"""Stands for every server at once, where otherwise a server's id says where something holds."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Somebody may not play in a server, or ``EVERYWHERE``."""

    id: int
    guild_id: int
    user_id: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Absence:
    """A time in which somebody's clocks stand still."""

    id: int
    user_id: int
    begins_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class OutboxMessage:
    """Something to be posted or changed in Discord. Messages of one topic are sent one after the other."""

    id: int
    key: str
    topic: str
    kind: str
    payload: dict[str, Any]
    state: OutboxState
    attempts: int
    due_at: datetime
    created_at: datetime
    begun_at: datetime | None = None
    """When it was first tried, unless it has not been, or its being tried twice does no harm."""
    generation: int = 0
    """What tells the database it is in from those it was copied from."""
