"""Actions that people try, sensible or not: each is a frozen value that knows the outcome it must have at that moment.

Nothing here is drawn at random: a value says everything, so a sequence of such values can be read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum, auto
from functools import partial
from typing import Any, ClassVar

from bot.matches.model.actor import Actor
from bot.matches.services import agreements
from bot.matches.services.eligibility import Terms
from bot.storage.challenges import Challenge
from bot.storage.records import ChallengeState, First, MatchState, OfferState, Person
from tests.lifecycle.harness import GUILD
from tests.lifecycle.world import Interaction, Player, Ref, Who, World


class Outcome(Enum):
    """The outcome that an action must have."""

    WORKS = auto()
    REFUSED = auto()
    EITHER = auto()


class Pace(Enum):
    """The seconds for a move."""

    UNLIMITED = None
    HALF_A_DAY = 43200
    ONE_DAY = 86400
    THREE_DAYS = 259200


@dataclass(frozen=True, slots=True)
class Plan:
    """An action for the rows that are stored now: the call, and the outcome that it must have."""

    call: Callable[[Interaction], Awaitable[Any]]
    outcome: Outcome = Outcome.EITHER


class Action(ABC):
    """A person tries something."""

    __slots__ = ()
    repeatable: ClassVar[bool] = False
    """Whether the same click may be repeated: it has the same effect, or none that is stored."""
    of_server: ClassVar[bool] = True
    """Whether it is done to something that belongs to one server."""

    @abstractmethod
    async def plan(self, world: World) -> Plan | None:
        """Return the action for the rows that are stored now, or None if there is nothing to act on."""


# Challenges


@dataclass(frozen=True, slots=True)
class Seating:
    """A game in one of its variants, for a number of players."""

    game: str
    variant: str
    players: int


@dataclass(frozen=True, slots=True)
class OfferChallenge(Action):
    challenger: Player
    opponent: Player | None
    seating: Seating
    first: First
    rated: bool
    pace: Pace
    of_server = False

    async def plan(self, world: World) -> Plan:
        seating = self.seating
        terms = Terms(seating.game, seating.variant, seating.players, self.first, self.rated, self.pace.value)
        challenger = world.person(self.challenger)
        opponent = None if self.opponent is None else world.person(self.opponent)
        offer = world.harness.services.challenges.offer
        return Plan(lambda by: offer(world.actor(challenger, by), opponent, terms))


@dataclass(frozen=True, slots=True)
class OnChallenge(Action):
    """A person accepts, declines, cancels, leaves or starts a challenge."""

    challenge: Ref
    who: Who
    act: str
    """The name of the method of the service of challenges."""

    async def plan(self, world: World) -> Plan:
        challenge = await world.challenge(self.challenge)
        person, act = world.in_challenge(self.who, challenge), getattr(world.harness.services.challenges, self.act)
        return Plan(lambda by: act(world.actor(person, by), challenge.id), unless_closed(world, challenge))


# Turns


@dataclass(frozen=True, slots=True)
class Play(Action):
    """``move`` is the number of a legal move, or a text that is none.

    ``plies_off`` is how far the board it is played on is from the newest one, or None for a command.
    """

    match: Ref
    who: Who
    move: int | str
    plies_off: int | None

    async def plan(self, world: World) -> Plan:
        match = await world.match(self.match.number)
        person, ply = world.in_match(self.who, match), _ply(match.ply, self.plies_off)
        running, seat = match.state is MatchState.RUNNING, match.seat_of(person.id)
        if isinstance(self.move, str):
            text = self.move
        else:
            text = await world.legal_move(match, self.move) if running else "a1"
        right = running and isinstance(self.move, int) and seat is not None and seat.seat == match.to_move
        if right and ply in (None, match.ply):
            lost = world.is_late(match) and match.pace is not None and (match.alone or await world.automatic())
            outcome = Outcome.REFUSED if lost else Outcome.WORKS
        else:
            # A person who repeats the move that was played at that ply is told so.
            repeated = ply is not None and await world.was_played(match, person, text, ply)
            outcome = Outcome.EITHER if repeated else Outcome.REFUSED
        play = world.harness.services.turns.play
        return Plan(lambda by: play(*_request(world, match.id, person, by, ply), text, confirmed=True), outcome)


@dataclass(frozen=True, slots=True)
class Resign(Action):
    match: Ref
    who: Who
    plies_off: int | None

    async def plan(self, world: World) -> Plan:
        match = await world.match(self.match.number)
        person, ply = world.in_match(self.who, match), _ply(match.ply, self.plies_off)
        seat = match.seat_of(person.id)
        can = match.state is MatchState.RUNNING and seat is not None and not seat.dropped
        resign = world.harness.services.forfeits.resign
        return Plan(
            lambda by: resign(*_request(world, match.id, person, by, ply)),
            Outcome.WORKS if can and ply in (None, match.ply) else Outcome.REFUSED,
        )


@dataclass(frozen=True, slots=True)
class Claim(Action):
    """``gone`` are the people who have left the server."""

    match: Ref
    who: Who
    gone: Who | None

    async def plan(self, world: World) -> Plan:
        match = await world.match(self.match.number)
        person = world.in_match(self.who, match)
        gone = frozenset() if self.gone is None else frozenset({world.in_match(self.gone, match).id})
        seat = match.seat_of(person.id)
        waits = seat is not None and not seat.dropped and seat.seat != match.to_move
        running = match.state is MatchState.RUNNING
        late = world.is_late(match) and match.pace is not None
        lost = running and (late or match.mover.person.id in gone)

        def claim(by: Interaction) -> Awaitable[bool]:
            world.harness.gone = gone
            return world.harness.services.forfeits.claim_win(*_request(world, match.id, person, by))

        return Plan(
            claim,
            Outcome.WORKS if waits and lost else Outcome.REFUSED,
        )


@dataclass(frozen=True, slots=True)
class PostAgain(Action):
    """A person asks for the board of a match, which was deleted."""

    match: Ref
    repeatable = True
    of_server = False

    async def plan(self, world: World) -> Plan | None:
        match = await world.match(self.match.number)
        if match.board_message_id is None:
            return None

        async def post_again(by: Interaction) -> None:
            key = match.id, match.ply
            world.posted_again[key] = world.posted_again.get(key, 0) + 1
            if await world.harness.services.turns.post_again(world.actor(match.seats[0].person, by), match):
                # Only now, so that a bot that dies before it has heard of it leaves no match without a board.
                world.harness.discord.messages.pop(match.board_message_id or 0, None)

        return Plan(post_again)


# Agreements


@dataclass(frozen=True, slots=True)
class Ask(Action):
    """A person asks for a draw or a take-back while a match runs, or for a rematch once it is over."""

    match: Ref
    who: Who
    act: str
    """The name of the method of a service."""

    async def plan(self, world: World) -> Plan:
        match, services = await world.match(self.match.number), world.harness.services
        person, again = world.in_match(self.who, match), self.act == "ask"
        strange = (match.state is MatchState.OVER) is not again or match.seat_of(person.id) is None
        act: Callable[..., Awaitable[Any]] = getattr(services.rematches if again else services.agreements, self.act)

        def asked(by: Interaction) -> Awaitable[Any]:
            if again:
                return act(world.actor(person, by), match.id)
            return act(*_request(world, match.id, person, by))

        return Plan(asked, Outcome.REFUSED if strange else Outcome.EITHER)


@dataclass(frozen=True, slots=True)
class Answer(Action):
    offer: Ref
    who: Who
    answer: agreements.Answer

    async def plan(self, world: World) -> Plan:
        offer = await world.offer(self.offer)
        match = await world.match(offer.match_id)
        person = world.in_offer(self.who, offer, match)
        seat = match.seat_of(person.id)
        own = seat is not None and seat.seat == offer.seat
        not_theirs = agreements.Answer.ACCEPT if own else agreements.Answer.WITHDRAW
        wrong = seat is None or offer.state is not OfferState.OPEN or self.answer is not_theirs
        answer: Callable[..., Awaitable[Any]] = world.harness.services.agreements.answer
        return Plan(
            lambda by: answer(world.actor(person, by), offer.id, self.answer),
            Outcome.REFUSED if wrong else Outcome.EITHER,
        )


# People and servers


@dataclass(frozen=True, slots=True)
class GoAway(Action):
    who: Player
    time: timedelta
    repeatable = True
    of_server = False

    async def plan(self, world: World) -> Plan:
        until = world.harness.now + self.time
        return Plan(lambda _: world.harness.services.absences.leave_until(self.who.value, until))


@dataclass(frozen=True, slots=True)
class ComeBack(Action):
    who: Player
    repeatable = True
    of_server = False

    async def plan(self, world: World) -> Plan:
        return Plan(lambda _: world.harness.services.absences.come_back(self.who.value))


@dataclass(frozen=True, slots=True)
class ChangeSettings(Action):
    automatic: bool
    repeatable = True
    of_server = False

    async def plan(self, world: World) -> Plan:
        change = partial(replace, automatic=self.automatic)
        return Plan(lambda _: world.harness.services.server_settings.change(GUILD, change))


@dataclass(frozen=True, slots=True)
class Rename(Action):
    who: Player
    name: str
    repeatable = True
    of_server = False

    async def plan(self, world: World) -> Plan:
        async def rename(_by: Interaction) -> None:
            world.names[self.who] = self.name

        return Plan(rename)


@dataclass(frozen=True, slots=True)
class DeleteEverything(Action):
    who: Player
    of_server = False

    async def plan(self, world: World) -> Plan:
        person = world.person(self.who)
        return Plan(lambda by: world.harness.services.privacy.erase(person, by.id))


def unless_closed(world: World, challenge: Challenge) -> Outcome:
    """Return the outcome that an action on a challenge must have: it is refused if the challenge is no longer open."""
    closed = challenge.state is not ChallengeState.OPEN or challenge.expires_at <= world.harness.now
    return Outcome.REFUSED if closed else Outcome.EITHER


def _request(
    world: World, match_id: int, person: Person, by: Interaction, ply: int | None = None
) -> tuple[Actor, int, int | None]:
    return (Actor(by.guild_id, person, by.id, world.harness.now), match_id, ply)


def _ply(current: int, plies_off: int | None) -> int | None:
    return None if plies_off is None else current + plies_off
