"""Challenges: offered, joined, declined, called off, expired, or become a match. Rematches are challenges, too.

Nobody asks a computer player: a match against one begins at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.matches.model.refusals import Refusal, Stale
from bot.matches.model.terms import Terms
from bot.matches.service_context import ServiceContext
from bot.matches.services.admission import Admission
from bot.matches.writing import outbox_messages
from bot.matches.writing.match_loading import load_match
from bot.matches.writing.match_start import start_match
from bot.storage.queries import challenges, matches, people
from bot.storage.records import Challenge, ChallengeState, First, Match, MatchState, Person, computer_player

log = structlog.get_logger(__name__)

_ENDED = {
    ChallengeState.STARTED: "This challenge was taken up already: the match is on.",
    ChallengeState.DECLINED: "This challenge was declined.",
    ChallengeState.CANCELLED: "This challenge was cancelled.",
    ChallengeState.EXPIRED: "This challenge has expired.",
}


class Challenges:
    """The life of challenges up to the first position of a match."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._admission = Admission(context)

    async def offer(
        self,
        guild_id: int,
        channel_id: int,
        challenger: Person,
        opponent: Person | None,
        terms: Terms,
        interaction_id: int,
        *,
        parent_id: int | None = None,
    ) -> int:
        """Store a challenge, have its card posted and return its id; ``parent_id`` is the channel of a thread.

        Raises ``Refusal``.
        """
        self._admission.check_terms(challenger, opponent, terms)
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            await self._admission.check_place(tx, guild_id, channel_id, parent_id)
            await self._admission.check_may_challenge(tx, guild_id, challenger, opponent)
            challenge_id = await self._store(tx, guild_id, channel_id, challenger, opponent, terms, None)
            await outbox_messages.card(tx, challenge_id, "offer", self._context.clock())
        log.info("challenged", challenge=challenge_id, game=terms.game, variant=terms.variant, open=opponent is None)
        self._context.wake()
        return challenge_id

    async def play_computer(
        self,
        guild_id: int,
        channel_id: int,
        challenger: Person,
        level: int,
        terms: Terms,
        interaction_id: int,
        *,
        parent_id: int | None = None,
    ) -> int:
        """Start a match against the computer player of a level, never rated, and return its id. Raises ``Refusal``."""
        self._admission.check_terms(challenger, None, terms)
        if terms.players != 2:
            raise Refusal("Against me there are two seats: yours and mine.")
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            await self._admission.check_place(tx, guild_id, channel_id, parent_id)
            await self._admission.check_room(tx, guild_id, challenger, challenger)
            match_id = await start_match(
                tx,
                guild_id=guild_id,
                channel_id=channel_id,
                game=terms.game,
                variant=terms.variant,
                rated=False,
                pace=terms.pace,
                people=self._in_order(terms.first, [challenger, computer_player(level)]),
                at=self._context.clock(),
            )
        log.info("plays the computer", match=match_id, game=terms.game, variant=terms.variant, strength=level)
        self._context.wake()
        return match_id

    async def accept(self, guild_id: int, challenge_id: int, person: Person, interaction_id: int) -> int | None:
        """Give ``person`` a seat; return the id of the match when it starts with that. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            challenge = await self._open(tx, guild_id, challenge_id)
            match_id = await self._join(tx, challenge, person, interaction_id)
        _joined(challenge, match_id)
        self._context.wake()
        return match_id

    async def leave(self, guild_id: int, challenge_id: int, person: Person, interaction_id: int) -> None:
        """Give a seat in an open challenge back. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            challenge = await self._open(tx, guild_id, challenge_id)
            if person.id == challenge.challenger_id:
                raise Refusal("This is your own challenge: press **Cancel** to take it back.")
            if person.id not in {joined.id for joined in challenge.joined}:
                raise Refusal("You have no seat in this challenge.")
            await challenges.leave(tx, challenge.id, person.id)
            await outbox_messages.card(tx, challenge.id, f"leave:{interaction_id}", self._context.clock())
        self._context.wake()

    async def start(self, guild_id: int, challenge_id: int, person: Person, interaction_id: int) -> int:
        """Start a match with the seats taken so far and return its id. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            challenge = await self._open(tx, guild_id, challenge_id)
            if person.id != challenge.challenger_id:
                raise Refusal("Only the challenger can start the match.")
            variant = GAMES[challenge.game].variant(challenge.variant)
            if len(challenge.joined) < variant.players.start:
                raise Refusal(f"This needs at least {variant.players.start} players, and so far it's just you.")
            for player in challenge.joined:
                await self._admission.check_room(tx, guild_id, player, person)
            match_id = await self._begin(tx, challenge, challenge.joined)
        _joined(challenge, match_id)
        self._context.wake()
        return match_id

    async def decline(self, guild_id: int, challenge_id: int, person: Person, interaction_id: int) -> None:
        """Turn a challenge down as the one who was asked. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            challenge = await self._open(tx, guild_id, challenge_id)
            if person.id == challenge.challenger_id:
                raise Refusal("This is your own challenge: press **Cancel** to take it back.")
            if person.id != challenge.opponent_id:
                raise Refusal("Only the person who was challenged can decline.")
            await self._end(tx, challenge, ChallengeState.DECLINED)
        log.info("declined", challenge=challenge.id)
        self._context.wake()

    async def cancel(self, guild_id: int, challenge_id: int, person: Person, interaction_id: int) -> None:
        """Call a challenge off as its challenger. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            challenge = await self._open(tx, guild_id, challenge_id)
            if person.id != challenge.challenger_id:
                raise Refusal("Only the challenger can cancel this challenge.")
            await self._end(tx, challenge, ChallengeState.CANCELLED)
        log.info("cancelled", challenge=challenge.id)
        self._context.wake()

    async def rematch(
        self, guild_id: int, match_id: int, person: Person, interaction_id: int, *, parent_id: int | None = None
    ) -> int | None:
        """Offer a rematch, or accept the one the other has offered; return the id of the match it starts, if it does.

        A computer player is not asked. Seats are swapped (with more than two: the first seat goes last). ``parent_id``
        is the channel of the thread the rematch is asked for in. Raises ``Refusal``.
        """
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            match = await load_match(tx, guild_id, match_id, lock=True)
            if match.seat_of(person.id) is None:
                raise Refusal("Only those who played this match can ask for a rematch.")
            if match.state is not MatchState.OVER:
                raise Refusal("This match is not over yet.")
            offered = await challenges.rematch_of(tx, match_id)
            if offered is not None and await self._may_be_asked_again(tx, offered, person):
                offered = None
            if offered is None:
                await self._admission.check_place(tx, guild_id, match.channel_id, parent_id)
                started = await self._offer_rematch(tx, match, person)
            else:
                started = await self._answer_rematch(tx, offered, person, interaction_id)
        if offered is None:
            log.info("asked for a rematch", match=match_id, started=started)
        else:
            _joined(offered, started)
        self._context.wake()
        return started

    async def open_of(self, guild_id: int, person: Person) -> list[Challenge]:
        """Return a person's own open challenges in a server."""
        async with self._context.database.read() as tx:
            return await challenges.all_open_of(tx, guild_id, person.id)

    async def drop(self, challenge_id: int) -> None:
        """Call an open challenge off that nobody can see."""
        async with self._context.database.write() as tx:
            challenge = await challenges.get(tx, challenge_id, lock=True)
            if challenge is not None and challenge.state is ChallengeState.OPEN:
                await challenges.change(tx, challenge_id, state=ChallengeState.CANCELLED)

    async def expire(self) -> None:
        """End every open challenge whose time is up."""
        now = self._context.clock()
        async with self._context.database.read() as tx:
            due = await challenges.expired(tx, now)
        if not due:
            return
        async with self._context.database.write() as tx:
            for challenge_id in due:
                challenge = await challenges.get(tx, challenge_id, lock=True)
                if challenge is not None and challenge.state is ChallengeState.OPEN:
                    await self._end(tx, challenge, ChallengeState.EXPIRED)
        log.info("expired", challenges=due)
        self._context.wake()

    async def _open(self, tx: AsyncConnection, guild_id: int, challenge_id: int) -> Challenge:
        challenge = await challenges.get(tx, challenge_id, lock=True)
        if challenge is None or challenge.guild_id != guild_id:
            raise Refusal("There is no such challenge in this server.")
        if challenge.state is not ChallengeState.OPEN:
            raise Stale(_ENDED[challenge.state])
        if challenge.expires_at <= self._context.clock():
            raise Stale(_ENDED[ChallengeState.EXPIRED])
        return challenge

    async def _store(
        self,
        tx: AsyncConnection,
        guild_id: int,
        channel_id: int,
        challenger: Person,
        opponent: Person | None,
        terms: Terms,
        rematch_of: int | None,
    ) -> int:
        now = self._context.clock()
        challenge_id = await challenges.add(
            tx,
            guild_id=guild_id,
            channel_id=channel_id,
            game=terms.game,
            variant=terms.variant,
            players=terms.players,
            challenger_id=challenger.id,
            opponent_id=None if opponent is None else opponent.id,
            first=terms.first,
            rated=terms.rated,
            pace=terms.pace,
            rematch_of=rematch_of,
            created_at=now,
            expires_at=now + timedelta(days=self._context.limits.challenge_days),
        )
        await challenges.join(tx, challenge_id, challenger, now)
        return challenge_id

    async def _join(self, tx: AsyncConnection, challenge: Challenge, person: Person, interaction_id: int) -> int | None:
        if person.id == challenge.challenger_id:
            raise Refusal("This is your own challenge: somebody else has to accept it.")
        if person.id in {joined.id for joined in challenge.joined}:
            raise Refusal("You already have a seat. The match starts when it's full, or when the challenger starts it.")
        if challenge.players == 2 and challenge.opponent_id not in (None, person.id):
            raise Refusal("This challenge is for somebody else. Use `/challenge` to start a game of your own.")
        before = None if challenge.rematch_of is None else await matches.get(tx, challenge.rematch_of)
        if before is not None and before.seat_of(person.id) is None:
            raise Refusal("This rematch is for those who played before. Use `/challenge` to start a game of your own.")
        for other in challenge.joined:
            if await people.blocks_between(tx, person.id, other.id):
                raise Refusal("You can't join this challenge.")
        for player in (person, *challenge.joined):
            await self._admission.check_room(tx, challenge.guild_id, player, person)
        now = self._context.clock()
        await challenges.join(tx, challenge.id, person, now)
        joined = (*challenge.joined, person)
        if len(joined) == challenge.players:
            return await self._begin(tx, challenge, joined)
        await outbox_messages.card(tx, challenge.id, f"join:{interaction_id}", now)
        return None

    async def _begin(self, tx: AsyncConnection, challenge: Challenge, joined: Sequence[Person]) -> int:
        now = self._context.clock()
        match_id = await start_match(
            tx,
            guild_id=challenge.guild_id,
            channel_id=challenge.channel_id,
            game=challenge.game,
            variant=challenge.variant,
            rated=challenge.rated,
            pace=challenge.pace,
            people=await self._seating(tx, challenge, joined),
            at=now,
        )
        await challenges.change(tx, challenge.id, state=ChallengeState.STARTED, match_id=match_id)
        await outbox_messages.card(tx, challenge.id, "started", now)
        return match_id

    async def _seating(self, tx: AsyncConnection, challenge: Challenge, joined: Sequence[Person]) -> list[Person]:
        played = None if challenge.rematch_of is None else await matches.get(tx, challenge.rematch_of)
        return self._in_order(challenge.first, joined) if played is None else _swapped(played, joined)

    def _in_order(self, first: First, joined: Sequence[Person]) -> list[Person]:
        """Return who sits where, the challenger being the first to have joined."""
        seated = list(joined)
        if first is First.RANDOM:
            self._context.random.shuffle(seated)
        elif first is First.OPPONENT:
            seated = [*seated[1:], seated[0]]
        return seated

    async def _end(self, tx: AsyncConnection, challenge: Challenge, state: ChallengeState) -> None:
        await challenges.change(tx, challenge.id, state=state)
        await outbox_messages.card(tx, challenge.id, state, self._context.clock())

    async def _offer_rematch(self, tx: AsyncConnection, match: Match, person: Person) -> int | None:
        if match.computer is not None:
            return await self._start_rematch(tx, match, person)
        others = [seat.person for seat in match.seats if seat.person.id != person.id]
        if all(other.deleted for other in others):
            raise Refusal("Nobody you played with in this match is still here.")
        terms = Terms(match.game, match.variant, len(match.seats), First.RANDOM, match.rated, match.pace)
        opponent = others[0] if len(others) == 1 else None
        await self._admission.check_may_challenge(tx, match.guild_id, person, opponent)
        challenge_id = await self._store(tx, match.guild_id, match.channel_id, person, opponent, terms, match.id)
        await outbox_messages.card(tx, challenge_id, "offer", self._context.clock())
        return None

    async def _start_rematch(self, tx: AsyncConnection, match: Match, person: Person) -> int:
        """Start the rematch against a computer player; a challenge taken up already says that there has been one."""
        await self._admission.check_room(tx, match.guild_id, person, person)
        match_id = await start_match(
            tx,
            guild_id=match.guild_id,
            channel_id=match.channel_id,
            game=match.game,
            variant=match.variant,
            rated=False,
            pace=match.pace,
            people=_swapped(match, [person if seat.person.id == person.id else seat.person for seat in match.seats]),
            at=self._context.clock(),
        )
        terms = Terms(match.game, match.variant, len(match.seats), First.RANDOM, rated=False, pace=match.pace)
        asked = await self._store(tx, match.guild_id, match.channel_id, person, None, terms, match.id)
        await challenges.change(tx, asked, state=ChallengeState.STARTED, match_id=match_id)
        return match_id

    async def _may_be_asked_again(self, tx: AsyncConnection, offered: Challenge, person: Person) -> bool:
        """Let the next offer of a rematch take the place of one that came to nothing, and return whether it may.

        Whoever was turned down does not ask again; the one who declined may change their mind.
        """
        turned_down = offered.state is ChallengeState.DECLINED and person.id == offered.challenger_id
        if offered.state in (ChallengeState.OPEN, ChallengeState.STARTED) or turned_down:
            return False
        await challenges.change(tx, offered.id, rematch_of=None)
        return True

    async def _answer_rematch(
        self, tx: AsyncConnection, offered: Challenge, person: Person, interaction_id: int
    ) -> int | None:
        if offered.state is not ChallengeState.OPEN:
            raise Stale(f"{_ENDED[offered.state]} Use `/challenge` for another game.")
        if person.id in {joined.id for joined in offered.joined}:
            raise Refusal("You've already asked for a rematch. It's waiting for an answer.")
        return await self._join(tx, offered, person, interaction_id)


def _swapped(played: Match, joined: Sequence[Person]) -> list[Person]:
    """Return who sits where after a match: the first seat goes last."""
    order = [seat.person.id for seat in (*played.seats[1:], played.seats[0])]
    return sorted(joined, key=lambda person: order.index(person.id))


def _joined(challenge: Challenge, match_id: int | None) -> None:
    """Write down in the log that somebody has joined, and the match that began with it."""
    if match_id is None:
        log.info("joined", challenge=challenge.id)
        return
    log.info(
        "accepted",
        match=match_id,
        challenge=challenge.id,
        challenged_at=challenge.created_at.isoformat(),
        game=challenge.game,
        variant=challenge.variant,
    )
