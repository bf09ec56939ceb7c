"""Challenges: offered, joined, declined, cancelled, expired, or turned into a match."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog

from bot.games import GAMES
from bot.matches.model.refusals import Refusal, check_installed
from bot.matches.service_context import ServiceContext
from bot.matches.services.challenge_store import ChallengeStore
from bot.matches.services.eligibility import Eligibility, HasLeft, Terms, nobody_left
from bot.matches.writing import outbox_messages
from bot.storage import challenges, locks
from bot.storage.records import ChallengeState, Person, RequestId
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n
from renderers.i18n import pgettext_lazy as _p

_OWN_CHALLENGE = _("This is your own challenge: press **{cancel}** to take it back.", cancel=_p("challenge", "Cancel"))

log = structlog.get_logger(__name__)

ASKED_EVERY = timedelta(days=1)
"""How often Discord is asked who has left; also how old a challenge is the first time."""
ASKED_ABOUT = 5
"""The most challenges about which it is asked in a minute, so that boards do not wait behind them."""


class Challenges:
    """Takes challenges from the offer to their end or the start of a match."""

    def __init__(self, context: ServiceContext, eligibility: Eligibility, store: ChallengeStore) -> None:
        self._context = context
        self._eligibility = eligibility
        self._store = store
        self._asked_at: datetime | None = None
        self._asked_up_to: tuple[datetime, int] | None = None
        """When the last challenge expires about which it was asked, and its id; None between two rounds."""

    @retried
    async def offer(
        self,
        guild_id: int,
        channel_id: int,
        challenger: Person,
        opponent: Person | None,
        terms: Terms,
        interaction_id: RequestId,
        *,
        parent_id: int | None = None,
        levels: Sequence[int] = (),
    ) -> int:
        """Store a challenge, have its card posted and return its id; ``parent_id`` is the channel of a thread.

        Computer players of ``levels`` have a seat. Raises ``Refusal``.
        """
        self._eligibility.check_terms(challenger, opponent, terms)
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            await locks.people(tx, [challenger.id])
            await self._eligibility.check_place(tx, guild_id, channel_id, parent_id)
            await self._eligibility.check_may_challenge(tx, guild_id, challenger, opponent)
            challenge_id = await self._store.add(tx, guild_id, channel_id, challenger, opponent, terms, None, levels)
            await outbox_messages.card(tx, challenge_id, "offer", self._context.clock())
        log.info("challenged", challenge=challenge_id, game=terms.game, variant=terms.variant, open=opponent is None)
        return challenge_id

    @retried
    async def accept(
        self,
        guild_id: int,
        challenge_id: int,
        person: Person,
        interaction_id: RequestId,
        *,
        has_left: HasLeft = nobody_left,
    ) -> int | None:
        """Give ``person`` a seat; if that starts the match, return its id. Raises ``Refusal``.

        Who has left the server loses their seat; the challenge of one who has left is called off.
        """
        gone, match_id = await self._store.gone(guild_id, challenge_id, has_left), None
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            challenge = await self._store.without(tx, await self._store.open(tx, guild_id, challenge_id), gone)
            if challenge.state is ChallengeState.OPEN:
                match_id = await self._store.join(tx, challenge, person, interaction_id)
        if challenge.state is not ChallengeState.OPEN:
            raise Refusal(_("{person} isn't in this server."), person=challenge.joined[0])
        self._store.after_commit(challenge, match_id)
        return match_id

    @retried
    async def leave(self, guild_id: int, challenge_id: int, person: Person, interaction_id: RequestId) -> None:
        """Give a seat in an open challenge back. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            challenge = await self._store.open(tx, guild_id, challenge_id)
            if person.id == challenge.challenger_id:
                raise Refusal(_OWN_CHALLENGE)
            if person.id not in {joined.id for joined in challenge.joined}:
                raise Refusal(_("You have no seat in this challenge."))
            await challenges.leave(tx, challenge.id, person.id)
            await outbox_messages.card(tx, challenge.id, f"leave:{interaction_id}", self._context.clock())

    @retried
    async def start(
        self,
        guild_id: int,
        challenge_id: int,
        person: Person,
        interaction_id: RequestId,
        *,
        has_left: HasLeft = nobody_left,
    ) -> int:
        """Start a match with the seats taken so far, but of who has left, and return its id. Raises ``Refusal``."""
        gone = await self._store.gone(guild_id, challenge_id, has_left) - {person.id}
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            challenge = await self._store.without(tx, await self._store.open(tx, guild_id, challenge_id), gone)
            if person.id != challenge.challenger_id:
                raise Refusal(_("Only the challenger can start the match."))
            check_installed(challenge.game)
            variant = GAMES[challenge.game].variant(challenge.variant)
            if len(challenge.seated) < variant.players.start:
                raise Refusal(
                    _n(
                        "This needs at least {n} player, and so far it's just you.",
                        "This needs at least {n} players, and so far it's just you.",
                        variant.players.start,
                    )
                )
            await locks.people(tx, [player.id for player in challenge.joined])
            for player in challenge.joined:
                await self._eligibility.check_room(tx, guild_id, player, person)
            match_id = await self._store.begin(tx, challenge)
        self._store.after_commit(challenge, match_id)
        return match_id

    @retried
    async def decline(self, guild_id: int, challenge_id: int, person: Person, interaction_id: RequestId) -> None:
        """Decline a challenge as the person it was meant for. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            challenge = await self._store.open(tx, guild_id, challenge_id)
            if person.id == challenge.challenger_id:
                raise Refusal(_OWN_CHALLENGE)
            if person.id != challenge.opponent_id:
                raise Refusal(_("Only the person who was challenged can decline."))
            await self._store.end(tx, challenge, ChallengeState.DECLINED)
        log.info("declined", challenge=challenge.id)

    @retried
    async def cancel(self, guild_id: int, challenge_id: int, person: Person, interaction_id: RequestId) -> None:
        """Cancel a challenge as its challenger. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            challenge = await self._store.open(tx, guild_id, challenge_id)
            if person.id != challenge.challenger_id:
                raise Refusal(_("Only the challenger can cancel this challenge."))
            await self._store.end(tx, challenge, ChallengeState.CANCELLED)
        log.info("cancelled", challenge=challenge.id)

    @retried
    async def drop(self, challenge_id: int) -> None:
        """Cancel an open challenge whose card cannot be seen."""
        async with self._context.database.write() as tx:
            challenge = await challenges.get(tx, challenge_id, lock=True)
            if challenge is not None and challenge.state is ChallengeState.OPEN:
                await challenges.change(tx, challenge_id, state=ChallengeState.CANCELLED)

    @retried
    async def ask_who_left(self) -> None:
        """Have Discord asked, once a day, whether the people in challenges that stay open are still in the server.

        Without a privileged intent nothing else tells. It asks about a few at a time.
        """
        now = self._context.clock()
        if self._asked_up_to is None:
            if self._asked_at is not None and now - self._asked_at < ASKED_EVERY:
                return
            self._asked_at, self._asked_up_to = now, (now, 0)
        after, before = self._asked_up_to, now - ASKED_EVERY
        async with self._context.database.read() as tx:
            lasting = await challenges.open_before(tx, before, after, self._context.partition, most=ASKED_ABOUT)
        if lasting:
            async with self._context.database.write() as tx:
                for _expires_at, challenge_id in lasting:
                    await outbox_messages.challenge_members(tx, challenge_id, now)
        self._asked_up_to = lasting[-1] if len(lasting) == ASKED_ABOUT else None

    @retried
    async def take_out(self, guild_id: int, challenge_id: int, has_left: HasLeft) -> None:
        """Take the seats of people who have left the server; call off a challenge of such a person or to one."""
        challenge = await self._context.read(challenges.get, challenge_id)
        if challenge is None or challenge.state is not ChallengeState.OPEN:
            return
        gone = await self._store.gone(guild_id, challenge_id, has_left)
        invited = challenge.opponent_id
        refused = invited is not None and challenge.players == 2 and await has_left(guild_id, invited)
        if not gone and not refused:
            return
        async with self._context.database.write() as tx:
            locked = await challenges.get(tx, challenge_id, lock=True)
            if locked is None or locked.state is not ChallengeState.OPEN:
                return
            left = await self._store.without(tx, locked, gone)
            now = self._context.clock()
            if left.state is ChallengeState.OPEN and refused:
                await self._store.end(tx, left, ChallengeState.CANCELLED)
            elif left.state is ChallengeState.OPEN:
                await outbox_messages.card(tx, challenge_id, f"gone:{now.timestamp()}", now)
        log.info("people of a challenge have left", challenge=challenge_id)

    @retried
    async def expire(self) -> None:
        """End every open challenge that has expired."""
        now = self._context.clock()
        async with self._context.database.read() as tx:
            due = await challenges.expired_ids(tx, now, self._context.partition)
        if not due:
            return
        async with self._context.database.write() as tx:
            for challenge_id in due:
                challenge = await challenges.get(tx, challenge_id, lock=True)
                if challenge is not None and challenge.state is ChallengeState.OPEN:
                    await self._store.end(tx, challenge, ChallengeState.EXPIRED)
        log.info("expired", challenges=due)
