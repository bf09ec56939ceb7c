"""The five players in the life of many matches, and everything with a number that they act on.

Looks up what is stored and works out who is meant; it does nothing itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import islice
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.actor import Actor
from bot.matches.model.game_state import GameState
from bot.storage import challenges, guilds, matches
from bot.storage.challenges import Challenge
from bot.storage.matches import Offer
from bot.storage.records import ChallengeState, Match, MatchState, OfferState, Person
from tests.lifecycle.harness import CHANNEL, GUILD, Harness

T = TypeVar("T")

LISTED = 60
"""Legal moves among which one is chosen; some positions have more than can be listed."""


class Player(Enum):
    """The people in the server, by the ids of their accounts."""

    ALICE = 1
    BOB = 2
    CAROL = 3
    DORA = 4
    EMIL = 5


class Role(Enum):
    """The part that a person has in a challenge, in a match, or in an offer."""

    CHALLENGER = auto()
    INVITED = auto()
    """The challenged person, or else the first person without a seat."""
    JOINED = auto()
    """The first person who took a seat in another person's challenge."""
    MOVER = auto()
    WAITING = auto()
    """The next in turn who is not to move."""
    ASKER = auto()
    ASKED = auto()


Who = Player | Role


class Kind(Enum):
    """A kind of object with a number: its table, and its state while people can act on it."""

    CHALLENGE = ("challenges", ChallengeState.OPEN)
    MATCH = ("matches", MatchState.RUNNING)
    OFFER = ("offers", OfferState.OPEN)

    def __init__(self, table: str, open_state: str) -> None:
        self.table = table
        self.open_state = open_state


@dataclass(frozen=True, slots=True, repr=False)
class Ref:
    """A challenge, match or offer in any state."""

    kind: Kind
    number: int
    harness: Harness = field(compare=False)

    def __repr__(self) -> str:
        return f"{self.kind.name.lower()} {self.number}"

    @property
    def is_open(self) -> bool:
        """Whether people can act on it now."""
        states = self.harness.select(f"SELECT state FROM {self.kind.table} WHERE id = ?", self.number)
        return states == [self.kind.open_state]


@dataclass(frozen=True, slots=True)
class Interaction:
    """The click or command of an action, and the server it comes from."""

    id: int
    guild_id: int = GUILD


class World:
    """The players under the names they have now, and what is stored."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.names = {player: player.name.title() for player in Player}
        self.posted_again: dict[tuple[int, int], int] = {}
        """How often the board of a match at a ply was asked for anew because it was gone."""

    def refs(self, kind: Kind) -> list[Ref]:
        """Return everything of a kind, oldest first."""
        numbers = self.harness.select(f"SELECT id FROM {kind.table} ORDER BY id")
        return [Ref(kind, number, self.harness) for number in numbers]

    def person(self, player: Player) -> Person:
        """Return a player under the name they have now."""
        return Person(player.value, self.names[player])

    def actor(self, person: Person, by: Interaction) -> Actor:
        """Return a person who asks for something in an interaction."""
        return Actor(by.guild_id, person, by.id, self.harness.now, CHANNEL)

    async def challenge(self, ref: Ref) -> Challenge:
        """Return what is stored of a challenge."""
        return await self._stored(challenges.get, ref.number)

    async def match(self, number: int) -> Match:
        """Return what is stored of a match."""
        return await self._stored(matches.get, number)

    async def offer(self, ref: Ref) -> Offer:
        """Return what is stored of an offer."""
        return await self._stored(matches.offer, ref.number)

    async def _stored(self, find: Callable[[AsyncConnection, int], Awaitable[T | None]], number: int) -> T:
        async with self.harness.database.read() as tx:
            found = await find(tx, number)
        assert found is not None
        return found

    async def automatic(self) -> bool:
        """Return whether the server ends matches as soon as the time is up."""
        async with self.harness.database.read() as tx:
            return (await guilds.settings(tx, GUILD)).automatic

    async def legal_move(self, match: Match, choice: int) -> str:
        """Return one of the first legal moves of a running match."""
        state = await self._state(match)
        moves = list(islice(state.position.legal_moves(), LISTED))
        return str(moves[choice % len(moves)])

    async def was_played(self, match: Match, person: Person, text: str, ply: int) -> bool:
        """Return whether a person has made a move at the board of a ply."""
        _, played = await self.harness.services.queries.match_and_entries(GUILD, match.id)
        seat = match.seat_of(person.id)
        return seat is not None and any(
            (move.ply, move.seat, move.text) == (ply + 1, seat.seat, text) for move in played
        )

    def is_late(self, match: Match) -> bool:
        """Return whether the time for the move that a match waits for is up."""
        return match.deadline_at is not None and match.deadline_at <= self.harness.now

    def in_challenge(self, who: Who, challenge: Challenge) -> Person:
        """Return who has a role in a challenge."""
        joined = [person.id for person in challenge.joined if person.id != challenge.challenger_id]
        seated = {challenge.challenger_id, *joined}
        roles: dict[Who, list[int]] = {
            Role.CHALLENGER: [challenge.challenger_id],
            Role.INVITED: [challenge.opponent_id or 0, *(one.value for one in Player if one.value not in seated)],
            Role.JOINED: joined,
        }
        return self._first(who, roles)

    def in_match(self, who: Who, match: Match) -> Person:
        """Return who has a role in a match."""
        start = match.to_move or 0
        in_turn = [*match.seats[start:], *match.seats[:start]]
        roles: dict[Who, list[int]] = {
            Role.MOVER: [] if match.to_move is None else [match.mover.person.id],
            Role.WAITING: [seat.person.id for seat in in_turn if seat.seat != match.to_move and not seat.dropped],
        }
        return self._first(who, roles)

    def in_offer(self, who: Who, offer: Offer, match: Match) -> Person:
        """Return who has a role in an offer; the person to move is asked first."""
        asked = [seat for seat in match.seats if seat.seat != offer.seat]
        asked.sort(key=lambda seat: seat.seat != match.to_move)
        roles: dict[Who, list[int]] = {
            Role.ASKER: [match.seats[offer.seat].person.id],
            Role.ASKED: [seat.person.id for seat in asked],
        }
        return self._first(who, roles)

    async def _state(self, match: Match) -> GameState:
        return (await self.harness.services.queries.match_view(GUILD, match.id)).game_state

    def _first(self, who: Who, roles: Mapping[Who, Sequence[int]]) -> Person:
        """Return a player by name, or the first with a role who has not been deleted, or else Alice."""
        if isinstance(who, Player):
            return self.person(who)
        return self.person(next((Player(one) for one in roles[who] if one > 0), Player.ALICE))
