"""The steps that challenges and rematches share, inside the caller's transaction: store, join, end and start one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.actor import Actor
from bot.matches.model.pace import is_live
from bot.matches.model.policies.clocks import LIVE_OFFER
from bot.matches.model.refusals import Refusal, Stale, check_installed
from bot.matches.service_context import HasLeft, ServiceContext
from bot.matches.services.eligibility import Eligibility, Terms, who_left
from bot.matches.writing import outbox_messages
from bot.matches.writing.beginning import start_match
from bot.storage import blocks, challenges, locks, matches
from bot.storage.challenges import Challenge
from bot.storage.homes import is_private
from bot.storage.records import ChallengeState, First, Match, NewMatch, Person
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)

ENDED = {
    ChallengeState.STARTED: _("This challenge has already been accepted: the match is on."),
    ChallengeState.DECLINED: _("This challenge was declined."),
    ChallengeState.CANCELLED: _("This challenge was cancelled."),
    ChallengeState.EXPIRED: _("This challenge has expired."),
}

APART = _("You can't join this challenge.")
"""Said where one has blocked the other."""
PRIVATE_OFFER = timedelta(days=1)
"""For how long a challenge in a private home is open, whose card the bot cannot change later."""


class ChallengeSteps:
    """Changes stored challenges, and starts their matches."""

    def __init__(self, context: ServiceContext, eligibility: Eligibility) -> None:
        self._context = context
        self._eligibility = eligibility

    async def open(self, tx: AsyncConnection, actor: Actor, challenge_id: int) -> Challenge:
        """Return an open challenge, locked. Raises ``Refusal`` if there is none, ``Stale`` if it is no longer open."""
        challenge = await challenges.get(tx, challenge_id, lock=True)
        return self.checked(None if challenge is None or challenge.guild_id != actor.guild_id else challenge)

    def checked(self, challenge: Challenge | None) -> Challenge:
        """Return a challenge that is open. Raises as ``open`` does."""
        if challenge is None:
            raise Refusal(_("There's no such challenge here."))
        if challenge.state is not ChallengeState.OPEN:
            raise Stale(ENDED[challenge.state])
        if challenge.expires_at <= self._context.clock():
            raise Stale(ENDED[ChallengeState.EXPIRED])
        return challenge

    async def gone(self, guild_id: int, challenge_id: int, has_left: HasLeft | None = None) -> frozenset[int]:
        """Return which people with a seat in an open challenge have left the server. Not for use in a transaction."""
        challenge = await self._context.read(challenges.get, challenge_id)
        if challenge is None or challenge.guild_id != guild_id or challenge.state is not ChallengeState.OPEN:
            return frozenset()
        return await who_left(guild_id, challenge.joined, has_left or self._context.has_left)

    async def without(self, tx: AsyncConnection, challenge: Challenge, gone: Collection[int]) -> Challenge:
        """Take the seats of people who are gone; return the challenge, which is called off if its challenger is."""
        if challenge.challenger_id in gone:
            await self.end(tx, challenge, ChallengeState.CANCELLED)
            return replace(challenge, state=ChallengeState.CANCELLED)
        for person in challenge.joined:
            if person.id in gone:
                await challenges.leave(tx, challenge.id, person.id)
        return replace(challenge, joined=tuple(joined for joined in challenge.joined if joined.id not in gone))

    async def add(
        self,
        tx: AsyncConnection,
        actor: Actor,
        channel_id: int,
        opponent: Person | None,
        terms: Terms,
        rematch_of: int | None,
        levels: Sequence[int] = (),
        code: str | None = None,
    ) -> int:
        """Store a challenge with its challenger seated, and computer players of ``levels``; return its id."""
        now, lasting = self._context.clock(), timedelta(days=self._context.limits.challenge_days)
        if is_private(actor.guild_id):
            lasting = PRIVATE_OFFER
        challenge_id = await challenges.add(
            tx,
            guild_id=actor.guild_id,
            channel_id=channel_id,
            game=terms.game,
            variant=terms.variant,
            players=terms.players,
            challenger_id=actor.person.id,
            opponent_id=None if opponent is None else opponent.id,
            first=terms.first,
            rated=terms.rated,
            pace=terms.pace,
            increment=terms.increment,
            rematch_of=rematch_of,
            created_at=now,
            expires_at=now + (LIVE_OFFER if is_live(terms.pace) else lasting),
            levels=levels,
            language=terms.language,
            code=code,
        )
        await challenges.join(tx, challenge_id, actor.person, now)
        return challenge_id

    async def join(self, tx: AsyncConnection, actor: Actor, challenge: Challenge) -> int | None:
        """Give a person a seat; if that starts the match, return its id. Raises ``Refusal``."""
        person = actor.person
        check_installed(challenge.game)
        if person.id == challenge.challenger_id:
            raise Refusal(_("This is your own challenge: somebody else has to accept it."))
        if person.id in {joined.id for joined in challenge.joined}:
            raise Refusal(
                _("You already have a seat. The match starts when it's full, or when the challenger starts it.")
            )
        if challenge.players == 2 and challenge.opponent_id not in (None, person.id):
            raise Refusal(_("This challenge is for somebody else. Use `/challenge` to start a game of your own."))
        before = None if challenge.rematch_of is None else await matches.get(tx, challenge.rematch_of)
        if before is not None and before.seat_of(person.id) is None:
            raise Refusal(
                _("This rematch is for those who played before. Use `/challenge` to start a game of your own.")
            )
        await locks.people(tx, [person.id, *(joined.id for joined in challenge.joined)])
        for other in challenge.joined:
            if await blocks.between(tx, person.id, other.id):
                raise Refusal(APART)
        for player in (person, *challenge.joined):
            await self._eligibility.check_room(tx, challenge.guild_id, player, person)
        now = self._context.clock()
        await challenges.join(tx, challenge.id, person, now)
        joined = replace(challenge, joined=(*challenge.joined, person))
        if len(joined.seated) == challenge.players:
            match_id = await self.begin(tx, joined)
            await self._context.keep_response(tx, actor, outbox_messages.topic_of_match(match_id))
            return match_id
        await outbox_messages.card(tx, challenge.id, f"join:{actor.interaction_id}", now)
        return None

    async def begin(self, tx: AsyncConnection, challenge: Challenge) -> int:
        """Start the match of a challenge with the seats taken, and return its id.

        A match of one person against computer players has no time limit, because no other person waits for them.
        Raises ``LimitReached`` where they have begun too many.
        """
        now = self._context.clock()
        if len(challenge.joined) == 1:
            await self._eligibility.note_begun_alone(tx, challenge.guild_id, challenge.joined[0])
        rated = challenge.rated and not challenge.levels
        pace, increment = (challenge.pace, challenge.increment) if len(challenge.joined) > 1 else (None, None)
        played = None if challenge.rematch_of is None else await matches.get(tx, challenge.rematch_of)
        if played is None:
            seated = self.in_order(challenge.first, challenge.seated)
        else:
            seated = rematch_seats(played, challenge.seated)
        new = NewMatch(
            guild_id=challenge.guild_id,
            channel_id=challenge.channel_id,
            game=challenge.game,
            variant=challenge.variant,
            rated=rated,
            pace=pace,
            increment=increment,
            language=challenge.language,
        )
        match_id = await start_match(tx, new, seated, now)
        started = {"state": ChallengeState.STARTED, "match_id": match_id, "rated": rated}
        await challenges.change(tx, challenge.id, **started, pace=pace, increment=increment)
        await outbox_messages.card(tx, challenge.id, "started", now)
        return match_id

    async def end(self, tx: AsyncConnection, challenge: Challenge, state: ChallengeState) -> None:
        """End a challenge without a match, and have its card updated."""
        await challenges.change(tx, challenge.id, state=state)
        await outbox_messages.card(tx, challenge.id, state, self._context.clock())

    def in_order(self, first: First, joined: Sequence[Person]) -> list[Person]:
        """Return the people in the order of seats. ``joined`` begins with the challenger."""
        seated = list(joined)
        if first is First.RANDOM:
            self._context.random.shuffle(seated)
        elif first is First.OPPONENT:
            seated = [*seated[1:], seated[0]]
        return seated

    def after_commit(self, challenge: Challenge, match_id: int | None) -> None:
        """Log that a person joined, or that the match began; wake the dispatcher."""
        if match_id is None:
            log.info("joined", challenge=challenge.id)
        else:
            log.info(
                "accepted",
                match=match_id,
                challenge=challenge.id,
                challenged_at=challenge.created_at.isoformat(),
                game=challenge.game,
                variant=challenge.variant,
            )


def rematch_seats(played: Match, seated: Sequence[Person]) -> list[Person]:
    """Return the seats of a rematch: the first seat moves to the end, and people new to it come after that."""
    order: list[Person] = []
    unseated = list(seated)
    for before in (*played.seats[1:], played.seats[0]):
        same = (person for person in unseated if (person.id, person.level) == (before.person.id, before.person.level))
        if (again := next(same, None)) is not None:
            unseated.remove(again)
            order.append(again)
    return [*order, *unseated]
