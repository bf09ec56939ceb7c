"""Draws, take-backs, another pace and pauses by agreement: offered, then accepted, declined or withdrawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.game_states import GameStates
from bot.matches.model.actor import Actor
from bot.matches.model.game_state import AGREES, RESIGNS, TAKES_BACK, effective_entries
from bot.matches.model.pace import Pace, columns
from bot.matches.model.policies.clocks import LONGEST_PAUSE, has_expired, head_start, may_pause
from bot.matches.model.refusals import MatchOver, NoSuchMatch, Refusal, Stale
from bot.matches.model.turn import PlayedTurn
from bot.matches.service_context import ServiceContext
from bot.matches.services.computer_players import ComputerPlayers
from bot.matches.services.turn import Turn, step
from bot.matches.writing import clocks, outbox_messages, pauses
from bot.storage import blocks, matches, mentions
from bot.storage.matches import Offer
from bot.storage.records import Entry, EntryKind, Match, OfferKind, OfferState, Seat
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)

_ONLY_TWO = _("Only two-player matches can end in an agreed draw.")
_NO_SUCH_OFFER = _("There's no such offer here.")
_ENDED = {
    OfferState.ACCEPTED: _("That's already been agreed."),
    OfferState.DECLINED: _("That was declined."),
    OfferState.WITHDRAWN: _("That was withdrawn."),
    OfferState.LAPSED: _("That has lapsed."),
}
_TOO_LATE = _("A live pace is offered for ten minutes. Offer it again, and both of you begin at once.")
_ASKED_BEFORE = {
    OfferKind.DRAW: _("You've already offered a draw. You can offer another after the next move."),
    OfferKind.TAKEBACK: _("You've already asked to take this move back."),
    OfferKind.PACE: _("You've already offered another pace. You can offer one again after the next move."),
    OfferKind.PAUSE: _("You've already offered a pause. You can offer one again after the next move."),
}


class Answer(StrEnum):
    """An answer to an offer. Declining one's own offer withdraws it."""

    ACCEPT = "accept"
    DECLINE = "decline"
    WITHDRAW = "withdraw"


class Agreements:
    """Makes and answers offers."""

    def __init__(self, context: ServiceContext, game_states: GameStates, computer_players: ComputerPlayers) -> None:
        self._context = context
        self._game_states = game_states
        self._computer_players = computer_players

    @step
    async def may_offer_draw(self, turn: Turn) -> Match:
        """Return the match in which a person asks to offer a draw. Raises ``Refusal`` where none can be offered."""
        agreed = turn.repeated(EntryKind.DRAW, AGREES, own=None)
        if agreed is not None and not agreed.alone:
            return agreed
        if len(turn.match.seats) != 2:
            raise Refusal(_ONLY_TWO)
        if turn.match.alone:
            await self._check_not_offered(turn)
        return turn.match

    @step
    async def offer_draw(self, turn: Turn) -> OfferState:
        """Offer a draw, or accept the one that the opponent has offered; return the state of the offer.

        A computer player answers at once. Raises ``Refusal``.
        """
        if turn.repeated(EntryKind.DRAW, AGREES, own=None) is not None:
            return OfferState.ACCEPTED
        match, seat = turn.match, turn.seat
        if len(match.seats) != 2:
            raise Refusal(_ONLY_TWO)
        if match.alone:
            # A computer player is offered a draw once per ply, and answers at once.
            await self._check_not_offered(turn)
            agrees = await self._computer_players.agrees_to_draw(match, turn.state)
            answer = OfferState.ACCEPTED if agrees else OfferState.DECLINED
            drawn = await turn.entry(EntryKind.DRAW, AGREES)
            async with turn.locked() as (tx, current):
                # Checked again: the same person may have offered twice at once.
                made = await matches.offers_of_seat(tx, match.id, OfferKind.DRAW, seat.seat)
                _check_not_asked(made, OfferKind.DRAW, match.ply)
                offer_id = await matches.add_offer(tx, match.id, OfferKind.DRAW, seat.seat, match.ply, turn.at)
                await matches.change_offer(tx, offer_id, state=answer)
                if agrees:
                    await turn.store(tx, current, drawn)
            return _logged(match, OfferKind.DRAW, answer)
        # Computed now, because nothing is computed inside a transaction; used if the opponent has offered.
        drawn = await turn.entry(EntryKind.DRAW, AGREES, 1 - seat.seat)
        async with turn.locked() as (tx, current):
            offered = _first_open(await matches.offers_of_seat(tx, match.id, OfferKind.DRAW, 1 - seat.seat))
            if offered is not None:
                await _end(tx, offered, OfferState.ACCEPTED, turn.at)
                await turn.store(tx, current, drawn)
            else:
                await _add(tx, current, OfferKind.DRAW, seat, turn.at)
        return _logged(match, OfferKind.DRAW, OfferState.OPEN if offered is None else OfferState.ACCEPTED)

    async def _check_not_offered(self, turn: Turn) -> None:
        async with self._context.database.read() as tx:
            made = await matches.offers_of_seat(tx, turn.match.id, OfferKind.DRAW, turn.seat.seat)
        _check_not_asked(made, OfferKind.DRAW, turn.match.ply)

    @step
    async def ask_takeback(self, turn: Turn) -> str | None:
        """Ask to take one's own last move back, if no other move followed; return the move.

        Computer players agree at once: then the move is taken back, and None is returned. A person who plays against
        computer players alone may take a move back after the reply, too. Raises ``Refusal``.
        """
        if turn.repeated(EntryKind.TAKEBACK, TAKES_BACK) is not None:
            return None
        match, seat, state = turn.match, turn.seat, turn.state
        if not match.alone and (state.last is None or state.last_seat != seat.seat or seat == match.mover):
            raise Refusal(_("Only your own last move can be taken back, and only until the next one is made."))
        if match.alone or match.mover.person.computer:
            taken_back = await turn.take_back(seat.seat)
            if state.last is None or seat.seat != taken_back.after.position.to_move:
                raise Refusal(_("You have no move to take back yet."))
            await _store_taken_back(turn, taken_back)
            return None
        async with turn.locked() as (tx, current):
            await _add(tx, current, OfferKind.TAKEBACK, seat, turn.at)
        _logged(match, OfferKind.TAKEBACK, OfferState.OPEN)
        return str(state.last)

    @step
    async def reopen_set_up(self, turn: Turn) -> None:
        """Take back the ready-made set-up that was taken for a person without asking, so that they make their own.

        What followed by itself is taken back, too. Raises ``Refusal`` once they, or another person, have done more.
        """
        if turn.repeated(EntryKind.TAKEBACK, TAKES_BACK) is not None:
            return
        match, seat = turn.match, turn.seat
        async with self._context.database.read() as tx:
            kept = effective_entries((await matches.moves_of(tx, match.id))[: match.ply])
        if not may_reopen(match, seat, kept):
            raise Refusal(
                _("Your set-up can be changed only before your first move, and before the others arrange or move.")
            )
        await _store_taken_back(turn, await turn.take_back(seat.seat))

    @step
    async def offer_pace(self, turn: Turn, pace: Pace | None) -> OfferState:
        """Offer another pace for the rest of a match of two people, or accept the same one that the other has offered.

        Return the state of the offer. With the new pace each has a whole bank of time. Raises ``Refusal``.
        """
        match, seat = turn.match, turn.seat
        if len(match.seats) != 2 or match.computers:
            raise Refusal(_("Only a match of two people can change its pace."))
        if match.cup_id is not None:
            raise Refusal(_("All matches of a cup have the pace of the cup."))
        if match.ladder:
            raise Refusal(_("The matches of the ladder keep their pace."))
        if match.answered:
            raise Refusal(_("Outside of servers that I am in, a match has no clock."))
        if Pace.of(match.pace, match.increment) == pace:
            raise Refusal(_("That's the pace of this match already."))
        async with turn.locked() as (tx, current):
            made = await matches.offers_of_seat(tx, match.id, OfferKind.PACE, 1 - seat.seat)
            made = await _without_expired(tx, made, turn.at)
            offered = _first_open([offer for offer in made if Pace.of(offer.pace, offer.increment) == pace])
            if offered is None:
                await _add(tx, current, OfferKind.PACE, seat, turn.at, **columns(pace))
            else:
                await _end(tx, offered, OfferState.ACCEPTED, turn.at)
                await _change_pace(tx, current, offered, turn)
        return _logged(match, OfferKind.PACE, OfferState.OPEN if offered is None else OfferState.ACCEPTED)

    @step
    async def offer_pause(self, turn: Turn, days: int) -> OfferState:
        """Offer to stop the clock of a match for some days, or accept as long a pause that the other has offered.

        Return the state of the offer. Raises ``Refusal``.
        """
        match, seat, length = turn.match, turn.seat, timedelta(days=days)
        if not timedelta(0) < length <= LONGEST_PAUSE:
            raise Refusal(_("A pause is two weeks at the longest."))
        seconds = int(length.total_seconds())
        async with turn.locked() as (tx, current):
            _check_may_pause(current)
            made = await matches.offers_of_seat(tx, match.id, OfferKind.PAUSE, 1 - seat.seat)
            offered = _first_open([offer for offer in made if offer.pace == seconds])
            if offered is None:
                await _add(tx, current, OfferKind.PAUSE, seat, turn.at, pace=seconds)
            else:
                await _end(tx, offered, OfferState.ACCEPTED, turn.at)
                await pauses.begin(tx, current, turn.at + length, turn.at)
        return _logged(match, OfferKind.PAUSE, OfferState.OPEN if offered is None else OfferState.ACCEPTED)

    @step
    async def end_pause(self, turn: Turn) -> None:
        """Let the clock of a paused match go on. Raises ``Refusal``."""
        async with turn.locked() as (tx, current):
            if current.paused_until is None or current.paused_until <= turn.at:
                raise Refusal(_("This match isn't paused."))
            await pauses.end(tx, current, turn.at)
        log.info("pause ended", match=turn.match.id, ply=turn.match.ply)

    @retried
    async def answer(self, actor: Actor, offer_id: int, answer: Answer) -> OfferState:
        """Accept or decline an offer, or withdraw one's own; return its new state. Raises ``Refusal``.

        A draw still stands after a move in the same instant by who offers it, and is agreed all the same.
        """
        offer = await self._context.read(matches.offer, offer_id)
        if offer is None:
            raise Refusal(_NO_SUCH_OFFER)
        try:
            return await self._answer(replace(actor, at=self._context.clock()), offer.match_id, None, offer, answer)
        except NoSuchMatch:
            raise Refusal(_NO_SUCH_OFFER) from None
        except MatchOver:
            if offer.state is OfferState.OPEN:
                raise
            raise Stale(_ENDED[offer.state]) from None

    @step
    async def _answer(self, turn: Turn, offer: Offer, answer: Answer) -> OfferState:
        match, seat = turn.match, turn.seat
        state, played = _becomes(match, offer, seat, answer, turn.at), None
        if state is OfferState.ACCEPTED:
            match offer.kind:
                case OfferKind.DRAW:
                    played = await turn.entry(EntryKind.DRAW, AGREES, offer.seat)
                case OfferKind.RESIGN:
                    played = await turn.entry(EntryKind.DROP, RESIGNS, offer.seat)
                case OfferKind.TAKEBACK:
                    played = await turn.take_back(offer.seat)
        async with turn.locked() as (tx, current):
            offer = await matches.offer(tx, offer.id, lock=True) or offer
            await _end(tx, offer, _becomes(match, offer, seat, answer, turn.at), turn.at)
            if played is not None:
                await turn.store(tx, current, played)
            elif state is OfferState.ACCEPTED and offer.kind is OfferKind.PAUSE:
                _check_may_pause(current)
                await pauses.begin(tx, current, turn.at + timedelta(seconds=offer.pace or 0), turn.at)
            elif state is OfferState.ACCEPTED:
                await _change_pace(tx, current, offer, turn)
        if state is OfferState.LAPSED:
            raise Stale(_TOO_LATE)
        return _logged(match, offer.kind, state)


def _check_may_pause(match: Match) -> None:
    """Raise ``Refusal`` that says why a match cannot be paused, if it cannot."""
    if match.paused_until is not None:
        raise Refusal(_("This match is paused already."))
    if not may_pause(match):
        raise Refusal(_("Only a slow match between two people can be paused, and none of a cup or the ladder."))


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


def _becomes(match: Match, offer: Offer, seat: Seat, answer: Answer, at: datetime) -> OfferState:
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
    if answer is Answer.DECLINE:
        return OfferState.DECLINED
    return OfferState.LAPSED if has_expired(offer, at) else OfferState.ACCEPTED


async def _add(
    tx: AsyncConnection, match: Match, kind: OfferKind, seat: Seat, at: datetime, **pace: int | None
) -> None:
    """Store an offer and have it posted. Raises ``Refusal`` for a second one of its kind at the same ply."""
    made = await _without_expired(tx, await matches.offers_of_seat(tx, match.id, kind, seat.seat), at)
    _check_not_asked(made, kind, match.ply)
    offer_id = await matches.add_offer(tx, match.id, kind, seat.seat, match.ply, at, **pace)
    # A block suppresses the notification but not the offer: the two go on with their match.
    blocking = await blocks.who_blocked(tx, seat.person.id, [other.person.id for other in match.seats])
    silent = [other.seat for other in match.seats if other.person.id in blocking]
    await outbox_messages.offer(tx, match.id, offer_id, OfferState.OPEN, at, notified=silent)


async def _without_expired(tx: AsyncConnection, made: Sequence[Offer], at: datetime) -> list[Offer]:
    """Have open offers lapse that are too old, and return the others."""
    expired = [offer for offer in made if offer.state is OfferState.OPEN and has_expired(offer, at)]
    for offer in expired:
        await _end(tx, offer, OfferState.LAPSED, at)
    return [offer for offer in made if offer not in expired]


async def _end(tx: AsyncConnection, offer: Offer, state: OfferState, at: datetime) -> None:
    await matches.change_offer(tx, offer.id, state=state)
    await outbox_messages.offer(tx, offer.match_id, offer.id, state, at)


async def _store_taken_back(turn: Turn, taken_back: PlayedTurn) -> None:
    async with turn.locked() as (tx, current):
        await turn.store(tx, current, taken_back)
    _logged(turn.match, OfferKind.TAKEBACK, OfferState.ACCEPTED)


async def _change_pace(tx: AsyncConnection, match: Match, offer: Offer, turn: Turn) -> None:
    """Give a locked match the pace of an offer, and each player a whole bank; have its board posted again."""
    await matches.fill_banks(tx, match.id)
    bank = None if offer.pace is None else timedelta(seconds=offer.pace)
    person, counts = match.mover.person, match.rest_counts
    clock = await clocks.next_clock(
        tx,
        bank,
        person,
        turn.at,
        alone=match.alone,
        pace=offer.pace,
        rest_counts=counts,
        head_start=head_start(offer.pace, people=len(match.seats)),
    )
    if match.paused_until is not None:
        # The new board tells that it is their turn, and no pause ends any more.
        await mentions.take_held(tx, match.id)
    await matches.change(tx, match.id, pace=offer.pace, increment=offer.increment, graces=0, **clock.columns())
    everybody = [seat.seat for seat in match.seats]
    assert turn.actor is not None
    await outbox_messages.board_again(tx, match, turn.actor.interaction_id, turn.at, notified=everybody)
    await outbox_messages.deadline_changes(tx, [match.id], turn.at)


def _logged(match: Match, kind: OfferKind, state: OfferState) -> OfferState:
    """Log the new state of an offer, and return it."""
    log.info("offer", match=match.id, ply=match.ply, kind=kind.value, state=state.value)
    return state
