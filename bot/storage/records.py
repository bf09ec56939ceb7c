"""Records that worker processes use, and the enums the database stores.

Worker processes draw, search and rate. They must not load SQLAlchemy, so this module must not import it: an
import-linter contract checks that. A record that only the bot itself needs stands with the queries of its subject.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from bot.storage.homes import is_private
from renderers.i18n import gettext_lazy as _

EVERYWHERE = 0
"""Stands for every server, in place of the id of one server."""
OPERATOR = 0
"""The operator, in columns that otherwise hold the id of the person who acted."""

RequestId = int | UUID
"""Recognises a repeated request: the id of an interaction of Discord, or a UUID from the board page."""
Rules = Set[tuple[str, int]]
"""The rules that a process can play by: pairs of a game's key and the major version of its rules."""


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


class MatchState(StrEnum):
    RUNNING = "running"
    OVER = "over"


class EntryKind(StrEnum):
    """Why an entry is in the list of moves.

    A person moved; a forced pass was played for them; a seat dropped out; the last move of a seat was taken back; the
    two players agreed on a draw; an abandoned match, or one that counts no more for its cup, was closed.
    """

    MOVE = "move"
    FORCED = "forced"
    DROP = "drop"
    TAKEBACK = "takeback"
    DRAW = "draw"
    CLOSED = "put_away"


class ShareKind(StrEnum):
    REPLAY = "replay"
    REVIEW = "review"
    PUZZLE = "puzzle"
    NOTES = "notes"


class News(StrEnum):
    """Where a person is told that it is their turn."""

    CHANNEL = "channel"
    DIRECT = "direct"
    """By direct message."""
    BOTH = "both"
    NONE = "none"


class OfferKind(StrEnum):
    DRAW = "draw"
    TAKEBACK = "takeback"
    RESIGN = "resign"
    PACE = "pace"
    """To play on at another pace."""
    PAUSE = "pause"
    """To stop the clock for some days."""


class OfferState(StrEnum):
    """The life of an offer; every state but ``OPEN`` is final."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"


class BotState(StrEnum):
    """What a bot does for those that share its database: at most one is ``ACTIVE``, and serves people."""

    STANDBY = "standing by"
    SUCCESSOR = "connecting"
    """The active bot has named it, and it connects to Discord."""
    READY = "ready"
    """A successor that is connected."""
    ACTIVE = "active"
    LEAVING = "leaving"
    """It has handed over, and answers what it has reserved."""


class OutboxState(StrEnum):
    """The life of an outbox message. One that is ``SENDING`` may have been sent: look before sending it again."""

    PENDING = "pending"
    SENDING = "sending"
    SENT = "sent"
    SKIPPED = "skipped"
    DROPPED = "dropped"


class AttemptState(StrEnum):
    """The life of an attempt at a puzzle; every state but ``OPEN`` is final."""

    OPEN = "open"
    SOLVED = "solved"
    SHOWN = "shown"


COMPUTER_ID = 0
"""The id of every computer player. Discord gives it to no user."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player in a server: Discord's id and the name shown there at the time.

    Erased people keep their seats in the games of others, under a negative number.
    A computer player is no user of Discord: it has the number 0 and a level.
    """

    id: int
    name: str
    level: int | None = None
    """How well a computer player plays, from 1 upwards; None for people."""

    @property
    def deleted(self) -> bool:
        return self.id < 0

    @property
    def computer(self) -> bool:
        return self.level is not None

    @property
    def mentionable(self) -> bool:
        """Whether Discord knows this person, so that a message can notify them."""
        return self.id > 0


def computer_player(level: int) -> Person:
    return Person(COMPUTER_ID, _("Tavoliere (level {level})", level=level), level)


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat of a match, 0-based in turn order. ``won`` is None until the match is over, and in a draw."""

    seat: int
    person: Person
    dropped: bool
    won: bool | None
    ready_made: bool = False
    """Whether the ready-made set-up is taken for this seat without asking."""
    bank: float | None = None
    """Seconds left on the clock of this seat when its turn last ended; None for all that the pace gives."""
    news: News | None = None
    """Where the person is told of their turns in this match; None for what they prefer in all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMatch:
    """What is known of a match before it begins, named as its columns."""

    guild_id: int
    channel_id: int
    game: str
    variant: str
    rated: bool
    pace: int | None = None
    """Seconds in a bank of time; None for no limit."""
    increment: int | None = None
    """Seconds that a move adds to the bank; None if every move has a whole one."""
    language: str = "en"
    """The tag of the language of everything the bot posts about the match."""
    rules: int = 1
    """The major version of the rules that the match began under."""
    rest_counts: bool = True
    """Whether the weekly rest of players stops their clocks."""
    cup_id: int | None = None
    cup_round: int | None = None
    """The round of the cup that it belongs to, from 1."""
    ladder: bool = False
    """Whether a ladder has paired it: it counts from its beginning, and is lost at once when time is up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(NewMatch):
    """One game, between people or against a computer player. ``ply`` counts the entries in its list of moves."""

    id: int
    thread_id: int | None
    state: MatchState
    ply: int
    to_move: int | None
    """The seat that is to act; None once the match is over."""
    reason: str | None
    board_channel_id: int | None
    board_message_id: int | None
    board_ply: int | None
    """The ply the newest board message shows."""
    created_at: datetime
    turn_at: datetime
    ended_at: datetime | None
    deadline_at: datetime | None
    """The deadline of the move. Without a pace: the inactivity limit, from which on an abandoned match is closed."""
    remind_at: datetime | None
    flagged: bool
    """Whether the opponent has been told that the time is up."""
    seats: tuple[Seat, ...]
    voided_by: int | None = None
    """The id of the person who voided the match, or ``OPERATOR``; None for matches that count."""
    voided_name: str | None = None
    """The name of that person when they did; None for the operator, and for people who deleted their data."""
    stopped_at: datetime | None = None
    """Since when the clock stands because the bot cannot play by these rules; None while it runs."""
    plans_version: int = 0
    """How often a player has changed a plan; 0 where there never was one. No player may see it."""
    graces: int = 0
    """How many days away of the person to move were spent as graces in this turn (``bot.matches.services.graces``)."""
    rest: str | None = None
    """The rest that stops the clock of this turn, by its key (``bot.matches.model.rest``); None without any."""
    told_deadline_at: datetime | None = None
    """The deadline that messages last told. Time that was given back since is too little to edit them.

    Once the time is up: until when the win can be claimed."""
    private: bool = False
    """Whether its thread is private. Discord does not tell that of an archived one."""
    paused_until: datetime | None = None
    """Until when its clock stands because the players have agreed on it; None without a pause."""

    @property
    def place_id(self) -> int:
        return self.thread_id or self.channel_id

    @property
    def voided(self) -> bool:
        return self.voided_by is not None

    @property
    def direct(self) -> bool:
        """Whether it is played in direct messages with the bot."""
        return is_private(self.guild_id) and not self.between_people

    @property
    def answered(self) -> bool:
        """Whether its messages are answers to interactions (``bot.storage.homes``)."""
        return is_private(self.guild_id) and self.between_people

    @property
    def has_link(self) -> bool:
        """Whether its newest board has an address. Where the bot only answers it does not know the server's."""
        return self.board_message_id is not None and not self.answered

    @property
    def shareable(self) -> bool:
        """Whether it can be shared: it is over and counts, and is in a server."""
        return self.state is MatchState.OVER and not self.voided and not is_private(self.guild_id)

    def seat_of(self, user_id: int) -> Seat | None:
        return next((seat for seat in self.seats if seat.person.id == user_id), None)

    @property
    def mover(self) -> Seat:
        """The seat that is to act. Raises ``ValueError`` once the match is over."""
        if self.to_move is None:
            raise ValueError(f"match {self.id} is over")
        return self.seats[self.to_move]

    def is_turn_of(self, user_id: int) -> bool:
        return self.to_move is not None and self.mover.person.id == user_id

    @property
    def computers(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat.person.computer)

    @property
    def alone(self) -> bool:
        """Whether one person alone is left to play with computer players."""
        people = [seat for seat in self.seats if not seat.dropped and not seat.person.computer]
        return len(people) == 1 and len(self.computers) > 0

    @property
    def front(self) -> int:
        """The seat whose side public boards have at the bottom: the only person's, or else the first."""
        people = [seat.seat for seat in self.seats if not seat.person.computer]
        return people[0] if len(people) == 1 else 0

    @property
    def time_ends_at(self) -> datetime | None:
        """When the time of the person to move is up, or None without a time limit."""
        return None if self.pace is None else self.deadline_at

    @property
    def between_people(self) -> bool:
        return sum(not seat.person.computer for seat in self.seats) > 1

    @property
    def claim_until(self) -> datetime | None:
        """Until when the others can claim the win, before the match ends by itself; None while there is time left."""
        return self.told_deadline_at if self.flagged and self.pace is not None else None

    @property
    def lies_idle(self) -> bool:
        """Whether the match has had no move for so long, without a pace, that the players may close it."""
        return self.flagged and self.pace is None


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a match's list of moves. ``ply`` counts from 1."""

    ply: int
    seat: int
    kind: EntryKind
    text: str
    at: datetime
    planned: bool = False
    """Whether the move is a reply that its player had planned."""


PlanTree = dict[str, "PlanTree"]
"""Moves by their canonical texts, each with the moves that may follow it. It is never changed, only replaced."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a seat: the moves that it expects from ``ply`` on, and its replies.

    Where the opponent is to move, a tree holds the moves that are expected; where the owner is, their one reply. Forced
    passes are not part of it. An empty tree is no plan.
    """

    seat: int
    ply: int
    tree: PlanTree
    version: int
    """How often it was changed, by its owner or by a turn."""
    met: str | None = None
    """The text of the move or take-back that ended the plan at ``ply``, "" if a reply became impossible; None while it
    holds."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of a review on one position of a match, the one after ``number`` moves.

    Chances to win are those of ``seat``, which was to move, from 0 to 1, a draw counting half: ``winning`` with the
    best move, whose text is ``best``, and ``played`` with the move that was made, where the search tells.
    """

    number: int
    seat: int
    winning: float
    played: float | None
    best: str
    exact: bool
    """Whether ``winning`` is proven."""
    clear: bool = True
    """Whether the search tells ``best`` from the other moves. If not, the review says nothing about the position."""
