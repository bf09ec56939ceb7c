"""Cups: started, joined, begun at their time, left, closed, and started again.

Results come in where matches end (``bot.matches.writing.cups``). After it has begun, a cup needs no request to get to
its end.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from random import Random

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.matches.model.actor import Actor
from bot.matches.model.cups import FEWEST, MOST
from bot.matches.model.pace import LONGEST, SHORTEST
from bot.matches.model.refusals import LimitReached, Refusal, Stale, check_installed
from bot.matches.service_context import ServiceContext, call_each
from bot.matches.services.cup_queries import no_such_cup
from bot.matches.services.eligibility import Eligibility, who_left
from bot.matches.writing import cups as writing
from bot.matches.writing import outbox_messages
from bot.storage import blocks, cups, guilds, locks
from bot.storage.contest_states import CupStart, CupState, Withdrawal
from bot.storage.cups import Cup
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n

log = structlog.get_logger(__name__)

POSTPONED = timedelta(hours=1)
"""How long a cup waits at a time whose game is not installed."""


@dataclass(frozen=True, slots=True)
class CupTerms:
    """The terms of a cup. ``places`` is how many may join.

    ``pace`` is the seconds in a bank of time, and ``increment`` those that a move adds; None if each has a whole bank.

    It begins, or closes, when ``starts_in`` is over; what ``start`` names may begin it before.
    """

    game: str
    variant: str
    places: int
    rated: bool
    pace: int
    start: CupStart
    starts_in: timedelta
    language: str = "en"
    increment: int | None = None
    grace: bool | None = None
    """Whether a day away is spent before a loss on time, or weekly rest counts; None is as the server has it."""
    rest_counts: bool | None = None


class Cups:
    """Starts cups, lets people join and leave them, begins, cancels and closes them."""

    def __init__(self, context: ServiceContext, eligibility: Eligibility) -> None:
        self._context = context
        self._eligibility = eligibility

    @retried
    async def start(self, actor: Actor, terms: CupTerms) -> int:
        """Store a cup that its starter has joined, have its card posted, and return its id. Raises ``Refusal``."""
        check_terms(terms)
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            await locks.guild(tx, actor.guild_id)
            await locks.people(tx, [actor.person.id])
            await self._eligibility.check_place(tx, actor)
            cup_id = await self._add(tx, actor, actor.channel, terms)
        log.info("cup started", cup=cup_id, game=terms.game, variant=terms.variant)
        return cup_id

    @retried
    async def again(self, actor: Actor, cup_id: int) -> int:
        """Start a cup that is over once more, by a person who played in it; return the new id. Raises ``Refusal``.

        The others who played are invited, where they may be.
        """
        guild_id, person = actor.guild_id, actor.person
        played = await self._context.read(cups.get, cup_id)
        others = () if played is None else (player.person for player in played.players if player.person.id != person.id)
        gone = await who_left(guild_id, others, self._context.has_left)
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            await locks.guild(tx, actor.guild_id)
            cup = await self._lock_cup(tx, actor, cup_id)
            if cup.state is not CupState.OVER:
                raise Refusal(_("This cup is not over yet."))
            if cup.player_of(person.id) is None:
                raise Refusal(_("Only those who played in this cup can start it again."))
            check_installed(cup.game)
            before = await cups.again(tx, cup_id)
            if before is not None and before.state in (CupState.OPEN, CupState.RUNNING, CupState.OVER):
                raise Stale(_("Somebody has already started another one: Cup {cup}.", cup=before.id))
            if before is not None:
                await cups.change(tx, before.id, again_of=None)
            await locks.people(tx, [person.id])
            await self._eligibility.check_place(tx, actor, cup.channel_id)
            persons = [player.person for player in cup.players]
            present = [who for who in persons if who.mentionable and who.id not in gone]
            places, days = max(FEWEST, len(present)), timedelta(days=self._context.limits.challenge_days)
            how = CupStart.FULL, days, cup.language, cup.increment, cup.grace, cup.rest_counts
            terms = CupTerms(cup.game, cup.variant, places, cup.rated, cup.pace, *how)
            new_id = await self._add(tx, actor, cup.channel_id, terms, again_of=cup_id)
            invited = await self._eligibility.invitable(tx, guild_id, person, present, gone)
            if (new := await cups.get(tx, new_id)) is not None:
                await self._eligibility.invite(tx, person.id, invited, new.created_at)
        log.info("cup started again", cup=new_id, before=cup_id)
        return new_id

    @retried
    async def join(self, actor: Actor, cup_id: int) -> None:
        """Add a person to an open cup, and begin it if that fills it and it begins when full. Raises ``Refusal``."""
        person = actor.person
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            cup = await self._open(tx, actor, cup_id)
            check_installed(cup.game)
            if cup.player_of(person.id) is not None:
                raise Refusal(_("You have already joined this cup."))
            if len(cup.players) >= cup.places:
                raise Refusal(_("This cup is full."))
            await locks.people(tx, [person.id, *(player.person.id for player in cup.players)])
            await self._eligibility.check_room(tx, actor.guild_id, person, person)
            for player in cup.players:
                if await blocks.between(tx, person.id, player.person.id):
                    raise Refusal(_("You can't join this cup."))
            now = self._context.clock()
            await cups.join(tx, cup_id, person, now)
            joined = await cups.get(tx, cup_id)
            assert joined is not None
            if cup.start is CupStart.FULL and len(joined.players) == cup.places:
                await self._begin(tx, joined)
            else:
                await outbox_messages.cup(tx, cup_id, f"join:{actor.interaction_id}", now)
        log.info("cup joined", cup=cup_id)

    @retried
    async def leave(self, actor: Actor, cup_id: int) -> None:
        """Take a person out of an open cup, or withdraw them from a running one. Raises ``Refusal``."""
        await self._take_out(actor, cup_id, actor.person.id, Withdrawal.OWN)

    @retried
    async def remove(self, actor: Actor, cup_id: int, user_id: int) -> None:
        """Remove a person from a cup, for those who manage the server. Raises ``Refusal``."""
        await self._take_out(actor, cup_id, user_id, Withdrawal.REMOVED)

    @retried
    async def begin(self, actor: Actor, cup_id: int) -> None:
        """Begin an open cup with those who have joined. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            cup = await self._open(tx, actor, cup_id)
            _check_may_decide(cup, actor)
            await self._eligibility.check_not_barred(tx, actor.guild_id, actor.person, actor.person)
            if cup.start is CupStart.TIME:
                raise Refusal(_("This cup begins at its set time, not before."))
            check_installed(cup.game)
            if len(cup.players) < FEWEST:
                raise Refusal(_n("A cup needs at least {n} player.", "A cup needs at least {n} players.", FEWEST))
            await locks.people(tx, [player.person.id for player in cup.players])
            await self._begin(tx, cup)

    @retried
    async def cancel(self, actor: Actor, cup_id: int) -> None:
        """Cancel an open cup. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            cup = await self._open(tx, actor, cup_id)
            _check_may_decide(cup, actor)
            await writing.end(tx, cup, CupState.CANCELLED, self._context.clock())
        log.info("cup cancelled", cup=cup_id)

    @retried
    async def close(self, actor: Actor, cup_id: int) -> None:
        """Close a cup without results, for those who manage the server. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            cup = await self._lock_cup(tx, actor, cup_id)
            _check_goes_on(cup)
            state = CupState.CLOSED if cup.state is CupState.RUNNING else CupState.CANCELLED
            await writing.end(tx, cup, state, self._context.clock())
        log.info("cup closed", cup=cup_id)

    @retried
    async def move(self, actor: Actor, cup_id: int, channel_id: int) -> None:
        """Have the message of a cup posted in a channel, and its further matches begun there. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            cup = await self._lock_cup(tx, actor, cup_id)
            await cups.change(tx, cup.id, channel_id=channel_id, message_id=None)
            await outbox_messages.cup(tx, cup.id, f"moved:{actor.interaction_id}", self._context.clock())
        log.info("cup moved", cup=cup_id)

    @retried
    async def withdraw_departed(self, cup_id: int, user_id: int) -> None:
        """Withdraw a person from a running cup because they have left the server."""
        async with self._context.database.write() as tx:
            cup = await cups.get(tx, cup_id, lock=True)
            running = None if cup is None else await writing.with_people(tx, cup)
            if running is not None:
                await writing.withdraw(tx, running, user_id, Withdrawal.GONE, self._context.clock())
        log.info("cup left", cup=cup_id, why=Withdrawal.GONE.value)

    @retried
    async def cancel_silently(self, cup_id: int) -> None:
        """Cancel an open cup whose card cannot be seen."""
        async with self._context.database.write() as tx:
            cup = await cups.get(tx, cup_id, lock=True)
            if cup is not None and cup.state is CupState.OPEN:
                await cups.change(tx, cup_id, state=CupState.CANCELLED, ended_at=self._context.clock())

    async def begin_due(self) -> None:
        """Begin the open cups whose time has come; close those that too few have joined."""
        async with self._context.database.read() as tx:
            due = await cups.due(tx, self._context.clock())
        await call_each("cups that could not begin", (partial(self._begin_at_time, cup_id) for cup_id in due))

    async def go_on(self) -> None:
        """Begin the matches of running cups that waited for a game which is installed again."""
        async with self._context.database.read() as tx:
            waiting = await cups.waiting_for(tx, sorted(GAMES))
        await call_each("cups that could not go on", (partial(self._go_on, cup_id) for cup_id in waiting))

    @retried
    async def _take_out(self, actor: Actor, cup_id: int, user_id: int, why: Withdrawal) -> None:
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            cup = await self._lock_cup(tx, actor, cup_id)
            _check_goes_on(cup)
            player = cup.player_of(user_id)
            if player is None or player.withdrawal is not None:
                own = why is Withdrawal.OWN
                raise Refusal(_("You are not in this cup.") if own else _("They are not in this cup."))
            await locks.people(tx, [player.person.id for player in cup.players])
            await writing.take_out(tx, cup, user_id, why, self._context.clock())
        log.info("cup left", cup=cup_id, why=why.value)

    @retried
    async def _begin_at_time(self, cup_id: int) -> None:
        now = self._context.clock()
        async with self._context.database.write() as tx:
            cup = await cups.get(tx, cup_id, lock=True)
            if cup is None or cup.state is not CupState.OPEN or cup.starts_at > now:
                return
            if len(cup.players) < FEWEST:
                await writing.end(tx, cup, CupState.TOO_FEW, now)
            elif cup.game not in GAMES:
                await cups.change(tx, cup_id, starts_at=now + POSTPONED)
                await outbox_messages.cup(tx, cup_id, f"postponed:{now.timestamp()}", now)
            else:
                await locks.people(tx, [player.person.id for player in cup.players])
                await self._begin(tx, cup)

    @retried
    async def _go_on(self, cup_id: int) -> None:
        async with self._context.database.write() as tx:
            cup = await cups.get(tx, cup_id, lock=True)
            running = None if cup is None else await writing.with_people(tx, cup)
            if running is not None and running.cup.waiting:
                await writing.go_on(tx, running, self._context.clock())

    async def _add(
        self, tx: AsyncConnection, actor: Actor, channel_id: int, terms: CupTerms, *, again_of: int | None = None
    ) -> int:
        """Store an open cup with its starter in it, whose lock the caller holds. Raises ``Refusal``."""
        limit, now = self._context.limits.cups, self._context.clock()
        guild_id, starter = actor.guild_id, actor.person
        settings = await guilds.settings(tx, guild_id)
        if not actor.can_manage_server and not settings.cups:
            raise Refusal(_("In this server only people who manage it can start a cup."))
        await self._eligibility.check_called_off(tx, guild_id, starter)
        started = await cups.started_by(tx, starter.id, guild_id)
        if not actor.can_manage_server and started >= self._context.limits.cups_per_person:
            raise LimitReached(
                _n(
                    "You have {n} cup open or running here, which is the limit.",
                    "You have {n} cups open or running here, which is the limit.",
                    started,
                )
            )
        if await cups.count_unended(tx, guild_id) >= limit:
            raise LimitReached(
                _n(
                    "{n} cup is open or running in this server, which is the limit.",
                    "{n} cups are open or running in this server, which is the limit.",
                    limit,
                )
            )
        await self._eligibility.check_room(tx, guild_id, starter, starter)
        cup_id = await cups.add(
            tx,
            guild_id=guild_id,
            channel_id=channel_id,
            game=terms.game,
            variant=terms.variant,
            places=terms.places,
            rated=terms.rated,
            pace=terms.pace,
            increment=terms.increment,
            grace=settings.grace if terms.grace is None else terms.grace,
            rest_counts=settings.rest_counts if terms.rest_counts is None else terms.rest_counts,
            start=terms.start,
            starts_at=now + terms.starts_in,
            starter_id=starter.id,
            language=terms.language,
            again_of=again_of,
            created_at=now,
        )
        await cups.join(tx, cup_id, starter, now)
        await outbox_messages.cup(tx, cup_id, "start", now)
        return cup_id

    async def _begin(self, tx: AsyncConnection, cup: Cup) -> None:
        """Begin a cup whose people are locked, in an order drawn by lot: the same one each time this is tried."""
        order = [player.person.id for player in cup.players]
        Random(f"{cup.id} {cup.created_at.isoformat()}").shuffle(order)
        await writing.begin(tx, cup, order, self._context.clock())
        log.info("cup begun", cup=cup.id, players=len(order))

    async def _open(self, tx: AsyncConnection, actor: Actor, cup_id: int) -> Cup:
        """Return an open cup, locked. Raises ``Refusal`` if there is none, ``Stale`` if it is no longer open."""
        cup = await self._lock_cup(tx, actor, cup_id)
        _check_goes_on(cup)
        if cup.state is CupState.RUNNING:
            raise Stale(_("This cup has already begun."))
        return cup

    async def _lock_cup(self, tx: AsyncConnection, actor: Actor, cup_id: int) -> Cup:
        cup = await cups.get(tx, cup_id, lock=True)
        if cup is None or cup.guild_id != actor.guild_id:
            raise no_such_cup()
        return cup


def check_terms(terms: CupTerms) -> None:
    """Raise ``Refusal`` for a game that is not for two, and for places or a pace that no cup has."""
    check_installed(terms.game)
    game = GAMES[terms.game]
    if 2 not in game.variant(terms.variant).players:
        raise Refusal(_("A cup needs a game for two, and {game} isn't one.", game=game.name))
    if not FEWEST <= terms.places <= MOST:
        raise Refusal(_("A cup is for {fewest} to {most} players.", fewest=FEWEST, most=MOST))
    if not SHORTEST <= terms.pace <= LONGEST:
        raise Refusal(_("A cup needs a time limit for moves, or it might never end. Choose one with `pace`."))


def _check_may_decide(cup: Cup, actor: Actor) -> None:
    if actor.person.id != cup.starter_id and not actor.can_manage_server:
        raise Refusal(_("Only the person who started this cup can do that, and people who manage the server."))


def _check_goes_on(cup: Cup) -> None:
    """Raise ``Stale`` for a cup that has ended."""
    if cup.state not in (CupState.OPEN, CupState.RUNNING):
        raise Stale(_("This cup has ended."))
