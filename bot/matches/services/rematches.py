"""Rematches: offered and answered as challenges, or started at once against computer players."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.actor import Actor
from bot.matches.model.pace import Pace
from bot.matches.model.refusals import Refusal, Stale, Voided, check_installed
from bot.matches.service_context import ServiceContext
from bot.matches.services.challenge_steps import ENDED, ChallengeSteps, rematch_seats
from bot.matches.services.eligibility import Eligibility, Terms, invited_by, who_left
from bot.matches.writing import outbox_messages
from bot.matches.writing.beginning import start_match
from bot.matches.writing.move_log import load_match
from bot.storage import challenges, locks, matches
from bot.storage.challenges import Challenge
from bot.storage.records import ChallengeState, Match, MatchState, NewMatch
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)


class Rematches:
    """Starts another match of the same people, with the seats swapped."""

    def __init__(self, context: ServiceContext, eligibility: Eligibility, steps: ChallengeSteps) -> None:
        self._context = context
        self._eligibility = eligibility
        self._steps = steps

    @retried
    async def ask(self, actor: Actor, match_id: int) -> int | None:
        """Offer a rematch, or accept the one that was offered; if a match starts, return its id.

        A computer player always accepts. Seats are swapped; with more than two the first seat moves to the end.
        Those who may be invited are mentioned. Raises ``Refusal``.
        """
        person = actor.person
        played = await self._context.read(matches.get, match_id)
        others = () if played is None else (seat.person for seat in played.seats if seat.person.id != person.id)
        gone = await who_left(actor.guild_id, others, self._context.has_left)
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            match = await load_match(tx, actor.guild_id, match_id, lock=True)
            if match.seat_of(person.id) is None:
                raise Refusal(_("Only those who played this match can ask for a rematch."))
            if match.state is not MatchState.OVER:
                raise Refusal(_("This match is not over yet."))
            if match.voided:
                raise Voided
            check_installed(match.game)
            offered = await challenges.rematch_of(tx, match_id, lock=True)
            if offered is not None:
                if offered.state is ChallengeState.OPEN:
                    offered = await self._steps.without(tx, offered, gone)
                # An offer that ended without a match makes room for another one. A person whose offer was declined may
                # not ask again; the one who declined may.
                refused = offered.state is ChallengeState.DECLINED and person.id == offered.challenger_id
                if offered.state not in (ChallengeState.OPEN, ChallengeState.STARTED) and not refused:
                    await challenges.change(tx, offered.id, rematch_of=None)
                    offered = None
            if offered is None:
                await self._eligibility.check_place(tx, actor, match.channel_id)
                started = await self._offer(tx, actor, match, gone)
            else:
                if offered.state is not ChallengeState.OPEN:
                    had = _("There has already been a rematch: match {match}.", match=offered.match_id)
                    ended = had if offered.state is ChallengeState.STARTED else ENDED[offered.state]
                    raise Stale(_("{ended} Use `/challenge` for another game.", ended=ended))
                if person.id in {joined.id for joined in offered.joined}:
                    raise Refusal(_("You've already asked for a rematch. It's waiting for an answer."))
                started = await self._steps.join(tx, actor, offered)
        if offered is not None:
            self._steps.after_commit(offered, started)
        else:
            log.info("asked for a rematch", match=match_id, started=started)
        return started

    async def invited(self, challenge: Challenge) -> tuple[int, ...]:
        """Return the people whom the challenge to a rematch of more than two invites, beside its challenger."""
        if challenge.rematch_of is None or challenge.opponent_id is not None:
            return ()
        async with self._context.database.read() as tx:
            match = await matches.get(tx, challenge.rematch_of)
            played = () if match is None else (seat.person.id for seat in match.seats if seat.person.mentionable)
            return await invited_by(tx, challenge.challenger_id, played, challenge.created_at)

    async def _offer(self, tx: AsyncConnection, actor: Actor, match: Match, gone: Collection[int]) -> int | None:
        person = actor.person
        others = [seat.person for seat in match.seats if seat.person.id != person.id and not seat.person.computer]
        if match.computers and not others:
            return await self._start(tx, actor, match)
        terms = replace(_terms(match), rated=match.rated)
        opponent = others[0] if len(match.seats) == 2 else None
        await locks.people(tx, [person.id])
        await self._eligibility.check_may_challenge(tx, match.guild_id, person, opponent, gone)
        invitable = await self._eligibility.invitable(tx, match.guild_id, person, others, gone)
        if not invitable:
            raise Refusal(_("Nobody you played with in this match is still here."))
        levels = [seat.person.level for seat in match.seats if seat.person.level is not None]
        challenge_id = await self._steps.add(tx, actor, match.channel_id, opponent, terms, match.id, levels)
        if opponent is None:
            stored = await challenges.get(tx, challenge_id)
            assert stored is not None
            await self._eligibility.invite(tx, person.id, invitable, stored.created_at)
        await self._context.keep_response(tx, actor, outbox_messages.topic_of_challenge(challenge_id))
        await outbox_messages.card(tx, challenge_id, outbox_messages.OFFERED, self._context.clock())
        return None

    async def _start(self, tx: AsyncConnection, actor: Actor, match: Match) -> int:
        """Start a rematch against computer players; a stored challenge keeps it from being started twice."""
        person = actor.person
        await locks.people(tx, [person.id])
        await self._eligibility.check_room(tx, match.guild_id, person, person)
        await self._eligibility.note_begun_alone(tx, match.guild_id, person)
        again = NewMatch(
            guild_id=match.guild_id,
            channel_id=match.channel_id,
            game=match.game,
            variant=match.variant,
            rated=False,
            pace=match.pace,
            increment=match.increment,
            language=match.language,
        )
        played = [person if seat.person.id == person.id else seat.person for seat in match.seats]
        match_id = await start_match(tx, again, rematch_seats(match, played), self._context.clock())
        asked = await self._steps.add(tx, actor, match.channel_id, None, _terms(match), match.id)
        await challenges.change(tx, asked, state=ChallengeState.STARTED, match_id=match_id)
        return match_id


def _terms(match: Match) -> Terms:
    """Return the terms of a match once more, not rated."""
    terms = Terms(match.game, match.variant, len(match.seats), rated=False, language=match.language)
    return terms.at(Pace.of(match.pace, match.increment))
