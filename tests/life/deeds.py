"""What people may try at any moment, sensible or not, drawn as numbers and made out against what is stored then."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from itertools import islice
from typing import Any, TypeVar

from hypothesis import strategies as st
from sqlalchemy import select

from bot.games import GAMES
from bot.games.game import Position
from bot.matches.agreements import Answer
from bot.matches.challenges import Terms
from bot.matches.positions import Standing
from bot.storage.queries import challenges, guilds, matches, offers
from bot.storage.records import Challenge, ChallengeState, First, GuildSettings, Match, MatchState, Offer, Person
from bot.storage.tables import challenges as challenges_table
from bot.storage.tables import offers as offers_table
from tests.life.world import World

T = TypeVar("T")

GUILD, ELSEWHERE, CHANNEL = 10, 11, 20
NAMES = ("Alice", "Bob", "Carol", "Dora", "Emil")
PACES = (None, 43200, 86400, 259200)
FIRSTS = tuple(First)
LISTED = 60
"""Legal moves among which one is chosen; some positions have more than can be listed."""
NONSENSE = ("", "xyzzy", "a9-z0", "9" * 300, "\N{SNOWMAN}", "pass pass", "a1-a1-a1")


class Outcome(Enum):
    """What has to come of a deed."""

    WORKS = auto()
    REFUSED = auto()
    EITHER = auto()


@dataclass(frozen=True, slots=True)
class Deed:
    """Somebody tries something with one of the things there are, in one of many ways."""

    kind: str
    who: int
    which: int
    how: int


@dataclass(frozen=True, slots=True)
class Plan:
    """A deed made out: what to call with the id of the interaction, and what has to come of it."""

    call: Callable[[int], Awaitable[Any]]
    outcome: Outcome = Outcome.EITHER


WEIGHTS = {
    "move": 24,
    "accept": 9,
    "offer": 5,
    "decline": 1,
    "cancel": 1,
    "leave": 1,
    "start": 3,
    "wrong_move": 4,
    "offer_draw": 3,
    "ask_takeback": 5,
    "answer": 9,
    "resign": 2,
    "claim": 4,
    "rematch": 3,
    "away": 2,
    "back": 1,
    "settle": 1,
    "rename": 1,
    "post_again": 1,
    "erase": 1,
}
DEEDS = st.builds(
    Deed,
    kind=st.sampled_from([kind for kind, weight in WEIGHTS.items() for _ in range(weight)]),
    who=st.integers(0, len(NAMES) - 1),
    which=st.integers(0, 11),
    how=st.integers(0, 2**16),
)


class People:
    """Five people and all they can do in a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.names = list(NAMES)
        self.posted_again: dict[tuple[int, int], int] = {}
        """How often the board of a match at a ply was asked for anew because it was gone."""

    def person(self, who: int) -> Person:
        """Return one of the people, by what they are called now."""
        return Person(who + 1, self.names[who])

    async def plan(self, deed: Deed) -> Plan | None:
        """Make a deed out, or return None where there is nothing to do it to."""
        plan: Plan | None = await getattr(self, f"_{deed.kind}")(deed)
        return plan

    # Challenges

    async def _offer(self, deed: Deed) -> Plan:
        key = sorted(GAMES)[deed.how % len(GAMES)]
        variant = GAMES[key].variants[deed.how // 7 % len(GAMES[key].variants)]
        several = variant.players.stop > 3 and deed.how % 2
        players = variant.players[deed.how // 5 % len(variant.players)] if several else variant.players.start
        opponent = None if players > 2 or deed.how % 3 == 0 else self.person((deed.who + 1 + deed.how) % len(NAMES))
        pace = PACES[deed.how // 3 % len(PACES)]
        terms = Terms(key, variant.key, players, FIRSTS[deed.how // 11 % 3], deed.how % 5 != 0, pace)
        offer = self.world.services.challenges.offer
        return Plan(lambda i: offer(GUILD, CHANNEL, self.person(deed.who), opponent, terms, i))

    async def _accept(self, deed: Deed) -> Plan | None:
        return await self._to_challenge(deed, self.world.services.challenges.accept)

    async def _decline(self, deed: Deed) -> Plan | None:
        return await self._to_challenge(deed, self.world.services.challenges.decline)

    async def _cancel(self, deed: Deed) -> Plan | None:
        return await self._to_challenge(deed, self.world.services.challenges.cancel)

    async def _leave(self, deed: Deed) -> Plan | None:
        return await self._to_challenge(deed, self.world.services.challenges.leave)

    async def _start(self, deed: Deed) -> Plan | None:
        return await self._to_challenge(deed, self.world.services.challenges.start)

    async def _to_challenge(self, deed: Deed, act: Callable[..., Awaitable[Any]]) -> Plan | None:
        challenge = _one(await self._challenges(only_open=deed.how % 8 != 0), deed.which)
        if challenge is None:
            return None
        guild_id = self._guild(deed)
        closed = challenge.state is not ChallengeState.OPEN or challenge.expires_at <= self.world.now
        outcome = Outcome.REFUSED if closed or guild_id != GUILD else Outcome.EITHER
        joined = [person.id for person in challenge.joined if person.id != challenge.challenger_id]
        meant = {
            "accept": [challenge.opponent_id],
            "decline": [challenge.opponent_id],
            "cancel": [challenge.challenger_id],
            "start": [challenge.challenger_id],
            "leave": joined,
        }
        person = self._likely(deed, meant[deed.kind])
        return Plan(lambda i: act(guild_id, challenge.id, person, i), outcome)

    # Turns

    async def _move(self, deed: Deed) -> Plan | None:
        """Play several legal moves, the movers' own; the last one as it may go wrong."""
        match = _one(await self._matches(MatchState.RUNNING), deed.which)
        if match is None:
            return None
        standing = await self._standing(match)
        seat = min(standing.position.to_move)
        text = _legal(standing.position, deed.how)
        ply = (None, match.ply)[deed.how % 2]
        late = match.deadline_at is not None and match.deadline_at <= self.world.now
        person = await self._of_seat(match, seat)
        play = self.world.services.turns.play
        return Plan(
            lambda i: play(GUILD, match.id, person, text, i, ply=ply, confirmed=True),
            Outcome.EITHER if late else Outcome.WORKS,
        )

    async def _wrong_move(self, deed: Deed) -> Plan | None:
        match = _one(await self._matches(), deed.which)
        if match is None:
            return None
        standing = await self._standing(match)
        person, guild_id, ply = self.person(deed.who), GUILD, deed.how % 3
        over = match.state is MatchState.OVER
        text = "a1" if over else _legal(standing.position, deed.how)
        mine = match.seat_of(person.id)
        wrong = over or mine is None or not mine.to_move
        match deed.how % 4:
            case 0:
                text, wrong = NONSENSE[deed.how // 4 % len(NONSENSE)], True
                person = person if over else await self._of_seat(match, min(standing.position.to_move))
            case 1:
                guild_id, wrong = ELSEWHERE, True
            case 2:
                ply = match.ply + deed.how // 4 % 7 - 3
                wrong = wrong or ply != match.ply
            case _:
                ply = match.ply
        late = match.deadline_at is not None and match.deadline_at <= self.world.now
        # Whoever repeats a move that was played at that ply is told that it was.
        repeated = await self._was_played(match, person, text, ply)
        outcome = Outcome.EITHER if late or repeated or not wrong else Outcome.REFUSED
        play = self.world.services.turns.play
        return Plan(lambda i: play(guild_id, match.id, person, text, i, ply=ply, confirmed=True), outcome)

    async def _resign(self, deed: Deed) -> Plan | None:
        match = _one(await self._matches(), deed.which)
        if match is None:
            return None
        person, guild_id = self.person(deed.who), self._guild(deed)
        ply = (None, match.ply, match.ply - 1)[deed.how % 3]
        seat = match.seat_of(person.id)
        can = match.state is MatchState.RUNNING and seat is not None and not seat.dropped and guild_id == GUILD
        works = can and ply in (None, match.ply)
        resign = self.world.services.leaving.resign
        return Plan(
            lambda i: resign(guild_id, match.id, person, i, ply=ply), Outcome.WORKS if works else Outcome.REFUSED
        )

    async def _claim(self, deed: Deed) -> Plan | None:
        every = await self._matches()
        overdue = [match for match in every if match.deadline_at is not None and match.deadline_at <= self.world.now]
        match = _one(overdue if overdue and deed.how % 4 else every, deed.which)
        if match is None:
            return None
        waiting = [seat.person.id for seat in match.seats if not seat.to_move and not seat.dropped]
        person, guild_id = self._likely(deed, waiting), self._guild(deed)
        gone = frozenset({deed.how // 7 % len(NAMES) + 1}) if deed.how % 5 == 0 else frozenset()
        seat = match.seat_of(person.id)
        waits = seat is not None and not seat.dropped and not seat.to_move and guild_id == GUILD
        running = match.state is MatchState.RUNNING
        late = match.deadline_at is not None and match.deadline_at <= self.world.now
        lost = running and (late or match.movers[0].person.id in gone)
        claim = self.world.services.leaving.claim
        return Plan(
            lambda i: claim(guild_id, match.id, person, i, gone=gone),
            Outcome.WORKS if waits and lost else Outcome.REFUSED,
        )

    async def _post_again(self, deed: Deed) -> Plan | None:
        match = _one(await self._matches(), deed.which)
        if match is None or match.board_message_id is None:
            return None
        key = match.id, match.ply

        async def post_again(interaction: int) -> None:
            self.posted_again[key] = self.posted_again.get(key, 0) + 1
            if await self.world.services.turns.post_again(match, None, interaction):
                # Only now, so that a bot that dies before it has heard of it leaves no match without a board.
                self.world.board.pins.pop(match.board_message_id or 0, None)

        return Plan(post_again)

    # Agreements

    async def _offer_draw(self, deed: Deed) -> Plan | None:
        return await self._in_match(deed, self.world.services.agreements.offer_draw)

    async def _ask_takeback(self, deed: Deed) -> Plan | None:
        return await self._in_match(deed, self.world.services.agreements.ask_takeback)

    async def _answer(self, deed: Deed) -> Plan | None:
        offer = _one(await self._offers(only_open=deed.how % 8 != 0), deed.which)
        if offer is None:
            return None
        guild_id = self._guild(deed)
        given = (Answer.ACCEPT, Answer.ACCEPT, Answer.DECLINE, Answer.ACCEPT, Answer.WITHDRAW)[deed.how % 5]
        async with self.world.database.read() as tx:
            match = await matches.get(tx, offer.match_id)
        assert match is not None
        seats = [seat.person.id for seat in match.seats]
        own_answer = given is Answer.WITHDRAW
        person = self._likely(deed, [one for at, one in enumerate(seats) if (at == offer.seat) is own_answer])
        strange = person.id not in seats or guild_id != GUILD
        own = seats[offer.seat] == person.id
        wrong = strange or offer.state != "open" or given is (Answer.ACCEPT if own else Answer.WITHDRAW)
        answer = self.world.services.agreements.answer
        return Plan(
            lambda i: answer(guild_id, offer.id, person, i, given), Outcome.REFUSED if wrong else Outcome.EITHER
        )

    async def _rematch(self, deed: Deed) -> Plan | None:
        return await self._in_match(deed, self.world.services.challenges.rematch, MatchState.OVER)

    # People and servers

    async def _away(self, deed: Deed) -> Plan:
        until = self.world.now + timedelta(hours=1 + deed.how % 240)
        leave = self.world.services.personal.leave_until
        return Plan(lambda _: leave(deed.who + 1, until))

    async def _back(self, deed: Deed) -> Plan:
        personal = self.world.services.personal
        away = [who + 1 for who in range(len(NAMES)) if await personal.absence(who + 1) is not None]
        person = self._likely(deed, away)
        return Plan(lambda _: personal.come_back(person.id))

    async def _settle(self, deed: Deed) -> Plan:
        wanted = GuildSettings(automatic=deed.how % 2 == 0)
        return Plan(lambda _: self.world.services.personal.settle(GUILD, wanted))

    async def _rename(self, deed: Deed) -> Plan:
        async def rename(_interaction: int) -> None:
            self.names[deed.who] = f"{NAMES[deed.who]} {deed.how}"

        return Plan(rename)

    async def _erase(self, deed: Deed) -> Plan:
        return Plan(lambda i: self.world.services.personal.erase(self.person(deed.who), i))

    # What there is

    async def automatic(self) -> bool:
        """Return whether the server ends matches as soon as the time is up."""
        async with self.world.database.read() as tx:
            return (await guilds.settings(tx, GUILD)).automatic

    async def _in_match(
        self, deed: Deed, act: Callable[..., Awaitable[Any]], state: MatchState = MatchState.RUNNING
    ) -> Plan | None:
        match = _one(await self._matches(None if deed.how % 8 == 0 else state), deed.which)
        if match is None:
            return None
        guild_id, person = self._guild(deed), self._likely(deed, [seat.person.id for seat in match.seats])
        strange = guild_id != GUILD or match.state is not state or match.seat_of(person.id) is None
        outcome = Outcome.REFUSED if strange else Outcome.EITHER
        return Plan(lambda i: act(guild_id, match.id, person, i), outcome)

    async def _matches(self, state: MatchState | None = None) -> list[Match]:
        async with self.world.database.read() as tx:
            every = [await matches.get(tx, match_id) for match_id in sorted(await matches.every_id(tx))]
        return [match for match in every if match is not None and state in (None, match.state)]

    async def _challenges(self, *, only_open: bool) -> list[Challenge]:
        query = select(challenges_table.c.id).order_by(challenges_table.c.id)
        if only_open:
            query = query.where(challenges_table.c.state == ChallengeState.OPEN)
        async with self.world.database.read() as tx:
            ids = list((await tx.execute(query)).scalars())
            found = [await challenges.get(tx, challenge_id) for challenge_id in ids]
        return [challenge for challenge in found if challenge is not None]

    async def _offers(self, *, only_open: bool) -> list[Offer]:
        query = select(offers_table.c.id).order_by(offers_table.c.id)
        if only_open:
            query = query.where(offers_table.c.state == "open")
        async with self.world.database.read() as tx:
            ids = list((await tx.execute(query)).scalars())
            found = [await offers.get(tx, offer_id) for offer_id in ids]
        return [offer for offer in found if offer is not None]

    async def _standing(self, match: Match) -> Standing:
        return (await self.world.services.overview.table(GUILD, match.id)).standing

    async def _of_seat(self, match: Match, seat: int) -> Person:
        return self.person(match.seats[seat].person.id - 1)

    async def _was_played(self, match: Match, person: Person, text: str, ply: int) -> bool:
        _, played = await self.world.services.overview.played(GUILD, match.id)
        seat = match.seat_of(person.id)
        return seat is not None and any(
            (move.ply, move.seat, move.text) == (ply + 1, seat.seat, text) for move in played
        )

    def _likely(self, deed: Deed, meant: Sequence[int | None]) -> Person:
        """Return one of those who can do it, mostly, or else anybody."""
        here = [user_id - 1 for user_id in meant if user_id is not None and user_id > 0]
        return self.person(here[deed.who % len(here)] if here and deed.how % 4 else deed.who)

    @staticmethod
    def _guild(deed: Deed) -> int:
        return ELSEWHERE if deed.how % 16 == 5 else GUILD


def _one(found: Sequence[T], which: int) -> T | None:
    return found[which % len(found)] if found else None


def _legal(position: Position, how: int) -> str:
    moves = list(islice(position.legal_moves(), LISTED))
    return str(moves[how % len(moves)])
