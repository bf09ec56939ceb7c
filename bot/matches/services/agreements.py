"""Draws, take-backs and another pace by agreement: offered, then accepted, declined or withdrawn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.matches.model.actor import Actor
from bot.matches.model.game_state import AGREES, RESIGNS, TAKES_BACK, effective_entries, replay
from bot.matches.model.pace import Pace, columns
from bot.matches.model.refusals import MatchOver, NoSuchMatch, Refusal, Stale
from bot.matches.model.turn import PlayedTurn, TurnRequest, single_entry
from bot.matches.service_context import ServiceContext
from bot.matches.services.computer_players import ComputerPlayers
from bot.matches.services.turn_transaction import TurnTransaction
from bot.matches.writing import clocks, outbox_messages
from bot.storage import matches, people
from bot.storage.matches import Offer
from bot.storage.records import Entry, EntryKind, Match, OfferKind, OfferState, Seat
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)

_ONLY_TWO = _("Only two-player matches can end in an agreed draw.")
_NO_SUCH_OFFER = _("There's no such offer in this server.")
_ENDED = {
    OfferState.ACCEPTED: _("That's already been agreed."),
    OfferState.DECLINED: _("That was declined."),
    OfferState.WITHDRAWN: _("That was withdrawn."),
    OfferState.LAPSED: _("That has lapsed, as the match has moved on."),
}
_ASKED_BEFORE = {
    OfferKind.DRAW: _("You've already offered a draw. You can offer another after the next move."),
    OfferKind.TAKEBACK: _("You've already asked to take this move back."),
    OfferKind.PACE: _("You've already offered another pace. You can offer one again after the next move."),
}


class Answer(StrEnum):
    """An answer to an offer. Declining one's own offer withdraws it."""

    ACCEPT = "accept"
    DECLINE = "decline"
    WITHDRAW = "withdraw"


class Agreements:
    """Makes and answers offers of draws, take-backs and another pace."""

    def __init__(
        self, context: ServiceContext, transaction: TurnTransaction, computer_players: ComputerPlayers
    ) -> None:
        self._context = context
        self._transaction = transaction
        self._computer_players = computer_players

    async def may_offer_draw(self, request: TurnRequest) -> Match:
        """Return the match in which a person asks to offer a draw. Raises ``Refusal`` where none can be offered."""
        try:
            match, seat = await self._transaction.load_for_player(request)
        except Stale:
            agreed = await self._transaction.already_applied(request, EntryKind.DRAW, AGREES, own=None)
            if agreed is None or agreed.alone:
                raise
            return agreed
        if len(match.seats) != 2:
            raise Refusal(_ONLY_TWO)
        if match.alone:
            await self._check_not_offered(match, seat)
        return match

    @retried
    async def offer_draw(self, request: TurnRequest) -> OfferState:
        """Offer a draw, or accept the one that the opponent has offered; return the state of the offer.

        A computer player answers at once. Raises ``Refusal``.
        """
        try:
            match, seat = await self._transaction.load_for_player(request)
        except Stale:
            if await self._transaction.already_applied(request, EntryKind.DRAW, AGREES, own=None):
                return OfferState.ACCEPTED
            raise
        if len(match.seats) != 2:
            raise Refusal(_ONLY_TWO)
        if match.alone:
            # A computer player is offered a draw once per ply, and answers at once.
            await self._check_not_offered(match, seat)
            agrees = await self._computer_players.agrees_to_draw(match, await self._transaction.state(match))
            answer = OfferState.ACCEPTED if agrees else OfferState.DECLINED
            drawn = await self._agreed_turn(match, OfferKind.DRAW, seat.seat, request.at)
            async with self._transaction.locked(match, request.interaction_id) as (tx, current):
                # Checked again: the same person may have offered twice at once.
                made = await matches.offers_of_seat(tx, match.id, OfferKind.DRAW, seat.seat)
                _check_not_asked(made, OfferKind.DRAW, match.ply)
                offer_id = await matches.add_offer(tx, match.id, OfferKind.DRAW, seat.seat, match.ply, request.at)
                await matches.change_offer(tx, offer_id, state=answer)
                if agrees:
                    await self._transaction.append(tx, current, drawn)
            self._log_offer(match, OfferKind.DRAW, answer, drawn if agrees else None)
            return answer
        # Computed now, because nothing is computed inside a transaction; used if the opponent has offered.
        drawn = await self._agreed_turn(match, OfferKind.DRAW, 1 - seat.seat, request.at)
        async with self._transaction.locked(match, request.interaction_id) as (tx, current):
            offered = _first_open(await matches.offers_of_seat(tx, match.id, OfferKind.DRAW, 1 - seat.seat))
            if offered is not None:
                await self._end(tx, offered, OfferState.ACCEPTED, request.at)
                await self._transaction.append(tx, current, drawn)
            else:
                await self._add(tx, current, OfferKind.DRAW, seat, request.at)
        if offered is None:
            self._log_offer(match, OfferKind.DRAW, OfferState.OPEN)
            return OfferState.OPEN
        self._log_offer(match, OfferKind.DRAW, OfferState.ACCEPTED, drawn)
        return OfferState.ACCEPTED

    async def _check_not_offered(self, match: Match, seat: Seat) -> None:
        async with self._context.database.read() as tx:
            made = await matches.offers_of_seat(tx, match.id, OfferKind.DRAW, seat.seat)
        _check_not_asked(made, OfferKind.DRAW, match.ply)

    @retried
    async def ask_takeback(self, request: TurnRequest) -> str | None:
        """Ask to take one's own last move back, if no other move followed; return the move.

        Computer players agree at once: then the move is taken back, and None is returned. A person who plays against
        computer players alone may take a move back after the reply, too. Raises ``Refusal``.
        """
        try:
            match, seat = await self._transaction.load_for_player(request)
        except Stale:
            if await self._transaction.already_applied(request, EntryKind.TAKEBACK, TAKES_BACK):
                return None
            raise
        state = await self._transaction.state(match)
        if not match.alone and (state.last is None or state.last_seat != seat.seat or seat == match.mover):
            raise Refusal(_("Only your own last move can be taken back, and only until the next one is made."))
        if match.alone or match.mover.person.computer:
            await self._take_back(match, seat, request)
            return None
        async with self._transaction.locked(match, request.interaction_id) as (tx, current):
            await self._add(tx, current, OfferKind.TAKEBACK, seat, request.at)
        self._log_offer(match, OfferKind.TAKEBACK, OfferState.OPEN)
        return str(state.last)

    @retried
    async def reopen_set_up(self, request: TurnRequest) -> None:
        """Take back the ready-made set-up that was taken for a person without asking, so that they make their own.

        What followed by itself is taken back, too. Raises ``Refusal`` once they, or another person, have done more.
        """
        try:
            match, seat = await self._transaction.load_for_player(request)
        except Stale:
            if await self._transaction.already_applied(request, EntryKind.TAKEBACK, TAKES_BACK):
                return
            raise
        async with self._context.database.read() as tx:
            kept = effective_entries((await matches.moves_of(tx, match.id))[: match.ply])
        if not may_reopen(match, seat, kept):
            raise Refusal(
                _("Your set-up can be changed only before your first move, and before the others arrange or move.")
            )
        turn = await self._agreed_turn(match, OfferKind.TAKEBACK, seat.seat, request.at)
        async with self._transaction.locked(match, request.interaction_id) as (tx, current):
            await self._transaction.append(tx, current, turn)
        self._log_offer(match, OfferKind.TAKEBACK, OfferState.ACCEPTED, turn)

    @retried
    async def offer_pace(self, request: TurnRequest, pace: Pace | None) -> OfferState:
        """Offer another pace for the rest of a match of two people, or accept the same one that the other has offered.

        Return the state of the offer. With the new pace each has a whole bank of time. Raises ``Refusal``.
        """
        match, seat = await self._transaction.load_for_player(request)
        if len(match.seats) != 2 or match.computers:
            raise Refusal(_("Only a match of two people can change its pace."))
        if match.cup_id is not None:
            raise Refusal(_("All matches of a cup have the pace of the cup."))
        if Pace.of(match.pace, match.increment) == pace:
            raise Refusal(_("That's the pace of this match already."))
        async with self._transaction.locked(match, request.interaction_id) as (tx, current):
            made = await matches.offers_of_seat(tx, match.id, OfferKind.PACE, 1 - seat.seat)
            offered = _first_open([offer for offer in made if Pace.of(offer.pace, offer.increment) == pace])
            if offered is None:
                await self._add(tx, current, OfferKind.PACE, seat, request.at, **columns(pace))
            else:
                await self._end(tx, offered, OfferState.ACCEPTED, request.at)
                await self._change_pace(tx, current, offered, request)
        state = OfferState.OPEN if offered is None else OfferState.ACCEPTED
        self._log_offer(match, OfferKind.PACE, state)
        return state

    async def _change_pace(self, tx: AsyncConnection, match: Match, offer: Offer, request: TurnRequest) -> None:
        """Give a locked match the pace of an offer, and each player a whole bank; have its board posted again."""
        await matches.fill_banks(tx, match.id)
        bank = None if offer.pace is None else timedelta(seconds=offer.pace)
        person, counts = match.mover.person, match.rest_counts
        clock = await clocks.next_clock(
            tx, bank, person, request.at, alone=match.alone, pace=offer.pace, rest_counts=counts
        )
        await matches.change(tx, match.id, pace=offer.pace, increment=offer.increment, graces=0, **clock.columns())
        everybody = [seat.seat for seat in match.seats]
        await outbox_messages.board_again(tx, match, request.interaction_id, request.at, notified=everybody)
        await outbox_messages.deadlines(tx, [match.id], request.at)

    async def _take_back(self, match: Match, seat: Seat, request: TurnRequest) -> None:
        """Take the last move of a seat back, with all entries after it. Raises ``Refusal`` if there is none."""
        turn = await self._agreed_turn(match, OfferKind.TAKEBACK, seat.seat, request.at)
        if turn.before.last is None or seat.seat != turn.after.position.to_move:
            raise Refusal(_("You have no move to take back yet."))
        async with self._transaction.locked(match, request.interaction_id) as (tx, current):
            await self._transaction.append(tx, current, turn)
        self._log_offer(match, OfferKind.TAKEBACK, OfferState.ACCEPTED, turn)

    @retried
    async def answer(self, actor: Actor, offer_id: int, answer: Answer) -> OfferState:
        """Accept or decline an offer, or withdraw one's own; return its new state. Raises ``Refusal``.

        An offer that still stands after a move, such as one's own in the same instant, is answered all the same.
        """
        try:
            return await self._answer(actor, offer_id, answer)
        except Stale:
            return await self._answer(actor, offer_id, answer)

    async def _answer(self, actor: Actor, offer_id: int, answer: Answer) -> OfferState:
        async with self._context.database.read() as tx:
            offer = await matches.offer(tx, offer_id)
        if offer is None:
            raise Refusal(_NO_SUCH_OFFER)
        request = TurnRequest(actor.guild_id, offer.match_id, actor.person, actor.interaction_id, self._context.clock())
        try:
            match, seat = await self._transaction.load_for_player(request)
        except NoSuchMatch:
            raise Refusal(_NO_SUCH_OFFER) from None
        except MatchOver:
            if offer.state is OfferState.OPEN:
                raise
            raise Stale(_ENDED[offer.state]) from None
        state = _becomes(match, offer, seat, answer)
        accepted = state is OfferState.ACCEPTED
        changes_pace = accepted and offer.kind is OfferKind.PACE
        ends_turn = accepted and not changes_pace
        turn = await self._agreed_turn(match, offer.kind, offer.seat, request.at) if ends_turn else None
        async with self._transaction.locked(match, actor.interaction_id) as (tx, current):
            offer = await matches.offer(tx, offer_id, lock=True) or offer
            await self._end(tx, offer, _becomes(match, offer, seat, answer), request.at)
            if turn is not None:
                await self._transaction.append(tx, current, turn)
            elif changes_pace:
                await self._change_pace(tx, current, offer, request)
        self._log_offer(match, offer.kind, state, turn)
        return state

    async def _add(
        self, tx: AsyncConnection, match: Match, kind: OfferKind, seat: Seat, at: datetime, **pace: int | None
    ) -> None:
        """Store an offer and have it posted. Raises ``Refusal`` for a second one of its kind at the same ply."""
        made = await matches.offers_of_seat(tx, match.id, kind, seat.seat)
        _check_not_asked(made, kind, match.ply)
        offer_id = await matches.add_offer(tx, match.id, kind, seat.seat, match.ply, at, **pace)
        # A block suppresses the notification but not the offer: the two go on with their match.
        blocking = await people.who_blocked(tx, seat.person.id, [other.person.id for other in match.seats])
        silent = [other.seat for other in match.seats if other.person.id in blocking]
        await outbox_messages.offer(tx, match.id, offer_id, OfferState.OPEN, at, notified=silent)

    async def _agreed_turn(self, match: Match, kind: OfferKind, seat: int, at: datetime) -> PlayedTurn:
        before = await self._transaction.state(match)
        if kind is OfferKind.DRAW:
            return single_entry(match, before, seat, EntryKind.DRAW, AGREES, at)
        if kind is OfferKind.RESIGN:
            return single_entry(match, before, seat, EntryKind.DROP, RESIGNS, at)
        entry = Entry(match.ply + 1, seat, EntryKind.TAKEBACK, TAKES_BACK, at)
        async with self._context.database.read() as tx:
            played = (await matches.moves_of(tx, match.id))[: match.ply]
        game, variant = GAMES[match.game], match.variant
        after = await self._context.compute(replay, game, variant, len(match.seats), [*played, entry])
        return PlayedTurn(match, before, (entry,), after)

    async def _end(self, tx: AsyncConnection, offer: Offer, state: OfferState, at: datetime) -> None:
        await matches.change_offer(tx, offer.id, state=state)
        await outbox_messages.offer(tx, offer.match_id, offer.id, state, at)

    def _log_offer(self, match: Match, kind: OfferKind, state: OfferState, turn: PlayedTurn | None = None) -> None:
        """Log the new state of an offer, and have it posted; ``turn`` is the one that accepted it."""
        log.info("offer", match=match.id, ply=match.ply, kind=kind.value, state=state.value)
        if turn is not None:
            self._transaction.after_commit(turn)


def may_reopen(match: Match, seat: Seat, kept: Sequence[Entry]) -> bool:
    """Return whether the ready-made set-up of a seat is all it has played, and no person has played since.

    ``kept`` are the entries that count.
    """
    own = [at for at, entry in enumerate(kept) if entry.seat == seat.seat]
    if not seat.ready_made or len(own) != 1:
        return False
    others = {other.seat for other in match.seats if other.ready_made}
    first = {entry.seat: at for at, entry in reversed(list(enumerate(kept)))}
    return all(
        match.seats[entry.seat].person.computer or (entry.seat in others and first[entry.seat] == at)
        for at, entry in enumerate(kept[own[0] + 1 :], own[0] + 1)
    )


def _check_not_asked(made: Sequence[Offer], kind: OfferKind, ply: int) -> None:
    """Raise ``Refusal`` if an offer of a kind is open, or was made at this ply before."""
    if _first_open(made) is not None:
        raise Refusal(_("You've already asked. Your opponent hasn't answered yet."))
    if any(offer.ply == ply for offer in made):
        raise Refusal(_ASKED_BEFORE[kind])


def _first_open(made: Sequence[Offer]) -> Offer | None:
    return next((offer for offer in made if offer.state is OfferState.OPEN), None)


def _becomes(match: Match, offer: Offer, seat: Seat, answer: Answer) -> OfferState:
    """Return the state of an offer after an answer from ``seat``. Raises ``Refusal`` if it may not give that answer."""
    if offer.state is not OfferState.OPEN:
        raise Stale(_ENDED[offer.state])
    if seat.seat == offer.seat:
        if answer is Answer.ACCEPT:
            raise Refusal(_("This is your own offer; only your opponent can accept it."))
        return OfferState.WITHDRAWN
    if answer is Answer.WITHDRAW:
        raise Refusal(_("Only the one who asked can withdraw it."))
    if offer.kind is OfferKind.TAKEBACK and seat != match.mover:
        raise Refusal(_("Only the player whose turn it is can answer."))
    return OfferState.ACCEPTED if answer is Answer.ACCEPT else OfferState.DECLINED
