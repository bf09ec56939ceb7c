"""Challenges: offered, joined, declined, cancelled, expired, or turned into a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from bot.games import GAMES
from bot.matches.model.actor import Actor
from bot.matches.model.refusals import Refusal, check_installed
from bot.matches.service_context import HasLeft, ServiceContext
from bot.matches.services.challenge_steps import APART, ChallengeSteps
from bot.matches.services.eligibility import Eligibility, Terms
from bot.matches.writing import outbox_messages
from bot.storage import blocks, challenges, locks
from bot.storage.challenges import Challenge
from bot.storage.homes import is_private
from bot.storage.records import ChallengeState, Person
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

    def __init__(self, context: ServiceContext, eligibility: Eligibility, steps: ChallengeSteps) -> None:
        self._context = context
        self._eligibility = eligibility
        self._steps = steps
        self._asked_at: datetime | None = None
        self._asked_up_to: tuple[datetime, int] | None = None
        """When the last challenge expires about which it was asked, and its id; None between two rounds."""

    @retried
    async def offer(
        self,
        actor: Actor,
        opponent: Person | None,
        terms: Terms,
        *,
        levels: Sequence[int] = (),
        code: str | None = None,
    ) -> int:
        """Store a challenge, have its card posted and return its id. Raises ``Refusal``.

        Computer players of ``levels`` have a seat. A ``code``, which cannot be guessed, is that of a link. In a private
        home it is for two people, and neither rated nor timed.
        """
        if is_private(actor.guild_id):
            terms = replace(terms, rated=False).at(None)
            if terms.players != 2 or levels:
                raise Refusal(_("Outside of servers that I am in, a match is for two people."))
        self._eligibility.check_terms(actor.person, opponent, terms)
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            await locks.people(tx, [actor.person.id])
            await self._eligibility.check_place(tx, actor)
            await self._eligibility.check_may_challenge(tx, actor.guild_id, actor.person, opponent)
            challenge_id = await self._steps.add(tx, actor, actor.channel, opponent, terms, None, levels, code)
            await self._context.keep_response(tx, actor, outbox_messages.topic_of_challenge(challenge_id))
            await outbox_messages.card(tx, challenge_id, outbox_messages.OFFERED, self._context.clock())
        log.info("challenged", challenge=challenge_id, game=terms.game, variant=terms.variant, open=opponent is None)
        return challenge_id

    async def of_code(self, code: str, person: Person | None = None) -> Challenge:
        """Return the open challenge of a code, for a person or for anybody to look at. Raises ``Refusal``."""
        async with self._context.database.read() as tx:
            challenge = self._steps.checked(await challenges.of_code(tx, code))
            if person is not None and await blocks.between(tx, person.id, challenge.challenger_id):
                raise Refusal(APART)
        return challenge

    @retried
    async def accept(self, actor: Actor, challenge_id: int) -> int | None:
        """Give a person a seat; if that starts the match, return its id. Raises ``Refusal``.

        Who has left the server loses their seat; the challenge of one who has left is called off.
        """
        gone, match_id = await self._steps.gone(actor.guild_id, challenge_id), None
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            challenge = await self._steps.without(tx, await self._steps.open(tx, actor, challenge_id), gone)
            if challenge.state is ChallengeState.OPEN:
                match_id = await self._steps.join(tx, actor, challenge)
        if challenge.state is not ChallengeState.OPEN:
            raise Refusal(_("{person} isn't in this server."), person=challenge.joined[0])
        self._steps.after_commit(challenge, match_id)
        return match_id

    @retried
    async def leave(self, actor: Actor, challenge_id: int) -> None:
        """Give a seat in an open challenge back. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            challenge = await self._steps.open(tx, actor, challenge_id)
            if actor.person.id == challenge.challenger_id:
                raise Refusal(_OWN_CHALLENGE)
            if actor.person.id not in {joined.id for joined in challenge.joined}:
                raise Refusal(_("You have no seat in this challenge."))
            await challenges.leave(tx, challenge.id, actor.person.id)
            await outbox_messages.card(tx, challenge.id, f"leave:{actor.interaction_id}", self._context.clock())

    @retried
    async def start(self, actor: Actor, challenge_id: int) -> int:
        """Start a match with the seats taken so far, but of who has left, and return its id. Raises ``Refusal``."""
        gone = await self._steps.gone(actor.guild_id, challenge_id) - {actor.person.id}
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            challenge = await self._steps.without(tx, await self._steps.open(tx, actor, challenge_id), gone)
            if actor.person.id != challenge.challenger_id:
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
                await self._eligibility.check_room(tx, actor.guild_id, player, actor.person)
            match_id = await self._steps.begin(tx, challenge)
        self._steps.after_commit(challenge, match_id)
        return match_id

    @retried
    async def decline(self, actor: Actor, challenge_id: int) -> None:
        """Decline a challenge as the person it was meant for. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            challenge = await self._steps.open(tx, actor, challenge_id)
            if actor.person.id == challenge.challenger_id:
                raise Refusal(_OWN_CHALLENGE)
            if actor.person.id != challenge.opponent_id:
                raise Refusal(_("Only the person who was challenged can decline."))
            await self._context.keep_response(tx, actor, outbox_messages.topic_of_challenge(challenge_id))
            await self._steps.end(tx, challenge, ChallengeState.DECLINED)
        log.info("declined", challenge=challenge.id)

    @retried
    async def cancel(self, actor: Actor, challenge_id: int) -> None:
        """Cancel a challenge as its challenger. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            challenge = await self._steps.open(tx, actor, challenge_id)
            if actor.person.id != challenge.challenger_id:
                raise Refusal(_("Only the challenger can cancel this challenge."))
            await self._context.keep_response(tx, actor, outbox_messages.topic_of_challenge(challenge_id))
            await self._steps.end(tx, challenge, ChallengeState.CANCELLED)
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
            lasting = await challenges.open_before(tx, before, after, most=ASKED_ABOUT)
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
        gone = await self._steps.gone(guild_id, challenge_id, has_left)
        invited = challenge.opponent_id
        refused = invited is not None and challenge.players == 2 and await has_left(guild_id, invited)
        if not gone and not refused:
            return
        async with self._context.database.write() as tx:
            locked = await challenges.get(tx, challenge_id, lock=True)
            if locked is None or locked.state is not ChallengeState.OPEN:
                return
            challenge = await self._steps.without(tx, locked, gone)
            now = self._context.clock()
            if challenge.state is ChallengeState.OPEN and refused:
                await self._steps.end(tx, challenge, ChallengeState.CANCELLED)
            elif challenge.state is ChallengeState.OPEN:
                await outbox_messages.card(tx, challenge_id, f"gone:{now.timestamp()}", now)
        log.info("people of a challenge have left", challenge=challenge_id)

    @retried
    async def expire(self) -> None:
        """End every open challenge that has expired."""
        now = self._context.clock()
        async with self._context.database.read() as tx:
            due = await challenges.expired_ids(tx, now)
        if not due:
            return
        async with self._context.database.write() as tx:
            for challenge_id in due:
                challenge = await challenges.get(tx, challenge_id, lock=True)
                if challenge is not None and challenge.state is ChallengeState.OPEN:
                    await self._steps.end(tx, challenge, ChallengeState.EXPIRED)
        log.info("expired", challenges=due)
