"""Checks before a challenge or match: limits, blocks, allowed channels, bars, and possible terms."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.matches.model.actor import Actor
from bot.matches.model.pace import Pace, columns
from bot.matches.model.refusals import Channels, LimitReached, Refusal, check_installed
from bot.matches.service_context import HasLeft, ServiceContext
from bot.matches.writing import cups, outbox_messages
from bot.storage import abuse_counters, bars, blocks, challenges, guilds, match_lists, page_access
from bot.storage import cups as stored_cups
from bot.storage.abuse_counters import KEPT, AbuseCounter
from bot.storage.bars import Bar
from bot.storage.challenges import Challenge
from bot.storage.contest_states import Withdrawal
from bot.storage.cups import Cup
from bot.storage.records import EVERYWHERE, ChallengeState, First, Person, RequestId
from bot.storage.transactions import Conflict, retried
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n

log = structlog.get_logger(__name__)

CALLED_OFF_WITHIN = timedelta(hours=1)
"""For how long a cancelled challenge counts against its challenger."""

YOU_ARE_BARRED = _(
    "The people who manage this server have barred you from playing here. Matches you're in go on; "
    "to have the bar lifted, ask them."
)
YOU_ARE_BARRED_EVERYWHERE = _(
    "The people who run this bot have barred you from playing. Matches you're in go on; "
    "to have the bar lifted, ask them."
)


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a challenge. ``players`` is the number of seats, the challenger's included."""

    game: str
    variant: str
    players: int
    first: First = First.RANDOM
    rated: bool = True
    pace: int | None = None
    """Seconds in a bank of time; None for no limit."""
    language: str = "en"
    """The tag of the language in which the bot posts about the challenge and its match."""
    increment: int | None = None
    """Seconds that a move adds to the bank; None if every move has a whole one."""

    def at(self, pace: Pace | None) -> Terms:
        """Return these terms at a pace."""
        seconds, increment = columns(pace).values()
        return replace(self, pace=seconds, increment=increment)


async def who_left(guild_id: int, persons: Iterable[Person], has_left: HasLeft) -> frozenset[int]:
    """Return which of some people are certainly no longer in a server. Not for use inside a transaction."""
    return frozenset([person.id for person in persons if person.mentionable and await has_left(guild_id, person.id)])


async def invited_by(tx: AsyncConnection, inviter_id: int, people_ids: Iterable[int], at: datetime) -> tuple[int, ...]:
    """Return which of some people a person invited at that time; none a day later, when no invitation is kept."""
    inviter, just_before = f"{await abuse_counters.number(tx, inviter_id)}", at - timedelta(microseconds=1)
    counter, times = AbuseCounter.INVITATION, abuse_counters.times
    return tuple([user_id for user_id in people_ids if await times(tx, user_id, counter, inviter, at, just_before)])


def minutes_to_wait(times: Collection[datetime], limit: int, within: timedelta, now: datetime) -> int | None:
    """Return how long a person waits who did something at some times, of which ``limit`` may lie ``within`` a span."""
    if len(times) < limit:
        return None
    return ceil((sorted(times)[-limit] + within - now) / timedelta(minutes=1))


class Eligibility:
    """The checks of every challenge and new match. Each raises ``Refusal`` with a sentence for the person."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    def check_terms(self, challenger: Person, opponent: Person | None, terms: Terms) -> None:
        """Raise ``Refusal`` for a number of players that the game does not allow, and for a challenge to oneself."""
        check_installed(terms.game)
        game = GAMES[terms.game]
        variant = game.variant(terms.variant)
        if terms.players not in variant.players:
            fewest, most = variant.players.start, variant.players.stop - 1
            if fewest == most:
                meant = _n("{game} ({variant}) is for {n} player.", "{game} ({variant}) is for {n} players.", most)
            else:
                meant = _("{game} ({variant}) is for {fewest} to {most} players.", fewest=fewest, most=most)
            raise Refusal(meant.filled(game=game.name, variant=variant.name))
        if opponent is not None and opponent.id == challenger.id:
            raise Refusal(_("You can't challenge yourself. Leave the opponent out to challenge anyone."))

    async def check_place(self, tx: AsyncConnection, actor: Actor, channel_id: int | None = None) -> None:
        """Raise ``Refusal`` if the server does not allow play where a person is, or in the channel given."""
        allowed = (await guilds.settings(tx, actor.guild_id)).channels
        if allowed and not {channel_id or actor.channel_id, actor.parent_id}.intersection(allowed):
            raise Refusal(_("In this server games are played in {channels}."), channels=Channels(allowed))

    async def check_may_challenge(
        self,
        tx: AsyncConnection,
        guild_id: int,
        challenger: Person,
        opponent: Person | None,
        gone: Collection[int] = (),
    ) -> None:
        """Raise ``Refusal`` if the challenger has reached a limit or is barred, or may not invite the opponent.

        ``gone`` are people who have left the server.
        """
        limits = self._context.limits
        if await challenges.open_of(tx, guild_id, challenger.id) >= limits.challenges:
            raise LimitReached(
                _n(
                    "You have {n} challenge open, which is the limit. Cancel it or wait for an answer.",
                    "You have {n} challenges open, which is the limit. Cancel one or wait for an answer.",
                    limits.challenges,
                )
            )
        await self.check_called_off(tx, guild_id, challenger)
        await self.check_room(tx, guild_id, challenger, challenger)
        if opponent is not None:
            await self.check_invitable(tx, guild_id, challenger, opponent, gone)

    async def check_called_off(self, tx: AsyncConnection, guild_id: int, person: Person) -> None:
        """Raise ``Refusal`` if a person has cancelled too many challenges and cups within an hour."""
        limit, now = self._context.limits.cancellations_per_hour, self._context.clock()
        since = now - CALLED_OFF_WITHIN
        called_off = [
            *await challenges.called_off(tx, guild_id, person.id, since, now),
            *await stored_cups.called_off(tx, guild_id, person.id, since, now),
        ]
        wait = minutes_to_wait(called_off, limit, CALLED_OFF_WITHIN, now)
        if wait is not None:
            raise LimitReached(
                _n(
                    "You've cancelled {number} challenges and cups lately. You can start one again in {n} minute.",
                    "You've cancelled {number} challenges and cups lately. You can start one again in {n} minutes.",
                    wait,
                    number=len(called_off),
                )
            )

    async def note_begun_alone(self, tx: AsyncConnection, guild_id: int, person: Person) -> None:
        """Keep that a person begins a match against computer players alone; raise ``Refusal`` after too many an hour.

        Each opens a thread, and Discord lets a server have a thousand.
        """
        now = self._context.clock()
        begun = await abuse_counters.times(tx, person.id, AbuseCounter.COMPUTER, str(guild_id), now)
        wait = minutes_to_wait(begun, self._context.limits.computer_matches_per_hour, KEPT[AbuseCounter.COMPUTER], now)
        if wait is not None:
            raise LimitReached(
                _n(
                    "You've begun {number} matches against me within an hour. You can begin another in {n} minute.",
                    "You've begun {number} matches against me within an hour. You can begin another in {n} minutes.",
                    wait,
                    number=len(begun),
                )
            )
        await abuse_counters.note(tx, person.id, AbuseCounter.COMPUTER, str(guild_id), now)

    async def check_not_barred(self, tx: AsyncConnection, guild_id: int, person: Person, reader: Person) -> None:
        """Raise ``Refusal``, worded for ``reader``, if a person is barred from a server."""
        bar = await bars.holding(tx, guild_id, person.id)
        if bar is None:
            return
        if person.id != reader.id:
            raise Refusal(_("{person} has been barred from playing here."), person=person)
        raise Refusal(YOU_ARE_BARRED_EVERYWHERE if bar.guild_id == EVERYWHERE else YOU_ARE_BARRED)

    async def check_room(self, tx: AsyncConnection, guild_id: int, person: Person, reader: Person) -> None:
        """Raise ``Refusal``, worded for ``reader``, if a person is barred or has reached the limit of matches."""
        await self.check_not_barred(tx, guild_id, person, reader)
        limit = self._context.limits.matches
        if await match_lists.running_count(tx, guild_id, person.id) < limit:
            return
        if person.id == reader.id:
            raise Refusal(
                _n(
                    "You have {n} match running, which is the limit. Finish one first.",
                    "You have {n} matches running, which is the limit. Finish one first.",
                    limit,
                )
            )
        raise Refusal(
            _n(
                "{person} has {n} match running, which is the limit.",
                "{person} has {n} matches running, which is the limit.",
                limit,
            ),
            person=person,
        )

    async def check_invitable(
        self, tx: AsyncConnection, guild_id: int, inviter: Person, person: Person, gone: Collection[int]
    ) -> None:
        """Raise ``Refusal`` for a person who is ``gone`` from the server or barred, or where one blocks the other."""
        if person.id in gone:
            raise Refusal(_("{person} isn't in this server."), person=person)
        if await blocks.between(tx, inviter.id, person.id):
            raise Refusal(_("You and {person} can't challenge each other."), person=person)
        await self.check_not_barred(tx, guild_id, person, inviter)

    async def invitable(
        self, tx: AsyncConnection, guild_id: int, inviter: Person, persons: Iterable[Person], gone: Collection[int]
    ) -> list[Person]:
        """Return those of some people whom a person may invite (``check_invitable``), but not that person."""
        invitable = []
        for person in persons:
            if person.mentionable and person.id != inviter.id:
                with suppress(Refusal):
                    await self.check_invitable(tx, guild_id, inviter, person, gone)
                    invitable.append(person)
        return invitable

    async def invite(self, tx: AsyncConnection, inviter_id: int, persons: Iterable[Person], at: datetime) -> None:
        """Note that a person invites others to what they store ``at`` that time, each of them once a day at most."""
        inviter = f"{await abuse_counters.number(tx, inviter_id)}"
        for person in persons:
            if not await abuse_counters.times(tx, person.id, AbuseCounter.INVITATION, inviter, at):
                await abuse_counters.note(tx, person.id, AbuseCounter.INVITATION, inviter, at)


EndChallenge = Callable[[AsyncConnection, Challenge, ChallengeState], Awaitable[None]]
"""Ends a challenge without a match, and has its card say so."""


class Bars:
    """Bars people from a server, or from all of them.

    A barred person begins nothing new and leaves the cups they are in. Their running matches go on, so that their
    opponents lose nothing.
    """

    def __init__(self, context: ServiceContext, end_challenge: EndChallenge) -> None:
        self._context = context
        self._end_challenge = end_challenge

    @retried
    async def bar(
        self, guild_id: int, user_id: int, interaction_id: RequestId | None = None, *, by: int | None = None
    ) -> None:
        """Bar a person from a server, or ``EVERYWHERE``; notify them, and end their open challenges there.

        They are told at most once a day of one server, and not if they have blocked the person ``by`` whom they are
        barred. Raises ``Refusal`` if they are barred there already.
        """
        now = self._context.clock()
        async with self._context.database.write() as tx:
            if interaction_id is not None:
                await self._context.mark_processed(tx, interaction_id)
            proposed, joined = await self._lock_proposed(tx, guild_id, user_id)
            if any(bar.guild_id == guild_id for bar in await bars.of_person(tx, user_id)):
                raise Refusal(_("They are barred already."))
            bar_id = await bars.add(tx, guild_id, user_id, now)
            told = await abuse_counters.times(tx, user_id, AbuseCounter.BAR, str(guild_id), now)
            if not told and (by is None or not await blocks.who_blocked(tx, by, [user_id])):
                await abuse_counters.note(tx, user_id, AbuseCounter.BAR, str(guild_id), now)
                await outbox_messages.bar_notice(tx, Bar(bar_id, guild_id, user_id, now))
            await page_access.end_of_person(tx, user_id, guild_id)
            for challenge in proposed:
                # A challenge by a person or to them ends; in any other they lose their seat.
                if user_id in (challenge.challenger_id, challenge.opponent_id):
                    await self._end_challenge(tx, challenge, ChallengeState.CANCELLED)
                else:
                    await challenges.leave(tx, challenge.id, user_id)
                    await outbox_messages.card(tx, challenge.id, f"barred:{bar_id}", self._context.clock())
            for cup in joined:
                await cups.take_out(tx, cup, user_id, Withdrawal.BARRED, now)
        log.info("barred", bar=bar_id, server=guild_id or "every")

    @retried
    async def unbar(self, guild_id: int, user_id: int) -> None:
        """Lift a bar. Raises ``Refusal`` if there is none."""
        async with self._context.database.write() as tx:
            if not await bars.remove(tx, guild_id, user_id):
                raise Refusal(_("They are not barred."))
        log.info("bar lifted", server=guild_id or "every")

    async def _lock_proposed(
        self, tx: AsyncConnection, guild_id: int, user_id: int
    ) -> tuple[list[Challenge], list[Cup]]:
        """Lock a person, and the open challenges and the cups they are part of; return these. Raises ``Conflict``."""
        ids = await challenges.open_about(tx, user_id, guild_id)
        locked = [await challenges.get(tx, challenge_id, lock=True) for challenge_id in ids]
        joined = await cups.lock_all_of(tx, user_id, guild_id)
        still_open = await challenges.open_about(tx, user_id, guild_id)
        if set(still_open) - set(ids):
            raise Conflict
        return [challenge for challenge in locked if challenge is not None and challenge.id in still_open], joined
