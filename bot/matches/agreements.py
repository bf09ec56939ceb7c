"""What two players agree on: a draw, or taking the last move back. Offered, then accepted, declined or withdrawn."""

from __future__ import annotations

from enum import StrEnum

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.matches import announcing
from bot.matches.context import Context
from bot.matches.entries import append, check_ply, committed, locked
from bot.matches.positions import AGREES, TAKES_BACK, Positions, Standing, replay
from bot.matches.refusals import Refusal, Stale
from bot.storage.queries import matches, offers
from bot.storage.records import Match, MatchState, MoveKind, Offer, OfferKind, OfferState, Person, PlayedMove, Seat

log = structlog.get_logger(__name__)

_ENDED = {
    OfferState.ACCEPTED: "That was agreed on already.",
    OfferState.DECLINED: "That was declined.",
    OfferState.WITHDRAWN: "That was withdrawn.",
    OfferState.LAPSED: "That has lapsed: the match has moved on.",
}


class Answer(StrEnum):
    """What can be said to an offer; declining one's own is withdrawing it."""

    ACCEPT = "accept"
    DECLINE = "decline"
    WITHDRAW = "withdraw"


class Agreements:
    """Draws and take-backs."""

    def __init__(self, context: Context, positions: Positions) -> None:
        self._context = context
        self._positions = positions

    async def offer_draw(
        self, guild_id: int, match_id: int, person: Person, interaction_id: int, *, ply: int | None = None
    ) -> bool:
        """Offer a draw; accept the one the opponent has offered. Return whether the match is drawn now.

        ``ply`` is the ply of the control that was used. Raises ``Refusal``.
        """
        async with self._context.database.write() as tx:
            await self._context.claim(tx, interaction_id)
            match, seat = await self._playing(tx, guild_id, match_id, person)
            if len(match.seats) != 2:
                raise Refusal("A draw can be agreed on between two players only.")
            check_ply(match, ply)
            standing: Standing | None = None
            for offer in await self._open(tx, match, OfferKind.DRAW):
                if offer.seat == seat.seat:
                    raise Refusal("You have offered a draw already; the answer is awaited.")
                standing = await self._accept(tx, match, offer)
            if standing is None:
                await self._add(tx, match, OfferKind.DRAW, seat)
        self._done(match, standing, OfferKind.DRAW, OfferState.OPEN if standing is None else OfferState.ACCEPTED)
        return standing is not None

    async def ask_takeback(
        self, guild_id: int, match_id: int, person: Person, interaction_id: int, *, ply: int | None = None
    ) -> str:
        """Ask to take one's own last move back, as long as nobody has moved since; return the move.

        ``ply`` is the ply of the control that was used. Raises ``Refusal``.
        """
        async with self._context.database.write() as tx:
            await self._context.claim(tx, interaction_id)
            match, seat = await self._playing(tx, guild_id, match_id, person)
            check_ply(match, ply)
            standing = await self._positions.of(tx, match)
            if standing.last is None or standing.last_seat != seat.seat or seat.to_move:
                raise Refusal("Only your own last move can be taken back, and only until the next one is made.")
            if await self._open(tx, match, OfferKind.TAKEBACK):
                raise Refusal("You have asked already; the answer is awaited.")
            await self._add(tx, match, OfferKind.TAKEBACK, seat)
        self._done(match, None, OfferKind.TAKEBACK, OfferState.OPEN)
        return str(standing.last)

    async def answer(
        self, guild_id: int, offer_id: int, person: Person, interaction_id: int, answer: Answer
    ) -> OfferState:
        """Accept or decline an offer, or withdraw one's own; return what has become of it. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.claim(tx, interaction_id)
            offer = await offers.get(tx, offer_id, lock=True)
            if offer is None or await matches.guild_of(tx, offer.match_id) != guild_id:
                raise Refusal("There is no such offer in this server.")
            match, seat = await self._playing(tx, guild_id, offer.match_id, person)
            if offer.state is not OfferState.OPEN:
                raise Stale(_ENDED[offer.state])
            state, standing = _becomes(offer, seat, answer), None
            if state is OfferState.ACCEPTED:
                standing = await self._accept(tx, match, offer)
            else:
                await self._end(tx, offer, state)
        self._done(match, standing, offer.kind, state)
        return state

    async def _playing(self, tx: AsyncConnection, guild_id: int, match_id: int, person: Person) -> tuple[Match, Seat]:
        match = await locked(tx, match_id)
        if match.guild_id != guild_id:
            raise Refusal("There is no such match in this server.")
        seat = match.seat_of(person.id)
        if seat is None or seat.dropped:
            raise Refusal("You are not playing in this match.")
        if match.state is MatchState.OVER:
            raise Stale("This match is over.")
        return match, seat

    async def _open(self, tx: AsyncConnection, match: Match, kind: OfferKind) -> list[Offer]:
        return [offer for offer in await offers.open_in(tx, match.id) if offer.kind is kind]

    async def _add(self, tx: AsyncConnection, match: Match, kind: OfferKind, seat: Seat) -> None:
        now = self._context.clock()
        offer_id = await offers.add(tx, match.id, kind, seat.seat, match.ply, now)
        await announcing.offer(tx, match.id, offer_id, OfferState.OPEN, now)

    async def _accept(self, tx: AsyncConnection, match: Match, offer: Offer) -> Standing:
        now = self._context.clock()
        drawn = offer.kind is OfferKind.DRAW
        kind, text = (MoveKind.DRAW, AGREES) if drawn else (MoveKind.TAKEBACK, TAKES_BACK)
        entry = PlayedMove(match.ply + 1, offer.seat, kind, text, now)
        played = [*await matches.moves_of(tx, match.id), entry]
        standing = await self._context.compute(replay, GAMES[match.game], match.variant, len(match.seats), played)
        await self._end(tx, offer, OfferState.ACCEPTED)
        await append(tx, match, [entry], standing)
        committed(match, [entry], standing)
        return standing

    async def _end(self, tx: AsyncConnection, offer: Offer, state: OfferState) -> None:
        await offers.change(tx, offer.id, state=state)
        await announcing.offer(tx, offer.match_id, offer.id, state, self._context.clock())

    def _done(self, match: Match, standing: Standing | None, kind: OfferKind, state: OfferState) -> None:
        log.info("offer", match=match.id, ply=match.ply, kind=kind.value, state=state.value)
        if standing is not None:
            self._positions.remember(match.id, standing)
        self._context.wake()


def _becomes(offer: Offer, seat: Seat, answer: Answer) -> OfferState:
    """Return what becomes of an open offer by somebody's answer. Raises ``Refusal`` where it is not his to give."""
    if seat.seat == offer.seat:
        if answer is Answer.ACCEPT:
            raise Refusal("This is your own offer: the answer is your opponent's to give.")
        return OfferState.WITHDRAWN
    if answer is Answer.WITHDRAW:
        raise Refusal("Only the one who asked can withdraw it.")
    if offer.kind is OfferKind.TAKEBACK and not seat.to_move:
        raise Refusal("The answer is given by whoever is to move.")
    return OfferState.ACCEPTED if answer is Answer.ACCEPT else OfferState.DECLINED
