"""Matches that end off the board: resigned, out of time, opponent gone from the server, or abandoned."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime

import structlog

from bot.games import GAMES
from bot.matches.model.game_state import ABANDONED, IS_GONE, RESIGNS, TIMES_OUT, state_without_game
from bot.matches.model.refusals import Quarantined, Refusal, Stale
from bot.matches.model.turn import MOVED_ON, TurnRequest, single_entry
from bot.matches.service_context import ServiceContext
from bot.matches.services.turn_transaction import TurnTransaction
from bot.matches.writing import cups, outbox_messages
from bot.storage import due, guilds, matches, people
from bot.storage.records import Match, MatchState, MoveKind, RequestId
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)

WhoIsGone = Callable[[Match], Awaitable[frozenset[int]]]
"""Returns the ids of people to move in a match who are no longer in the server."""


async def none_gone(_match: Match) -> frozenset[int]:
    """Assume that all people are in the server."""
    return frozenset()


class Forfeits:
    """Lets seats drop out. With two players that ends the match; with more the others play on.

    An abandoned match against computer players without a pace is closed instead, and counts as no loss.
    """

    def __init__(self, context: ServiceContext, transaction: TurnTransaction) -> None:
        self._context = context
        self._transaction = transaction

    async def may_resign(self, request: TurnRequest) -> Match:
        """Return the match that the requester could resign now. Raises ``Refusal``."""
        return (await self._transaction.asked(request))[0]

    @retried
    async def resign(self, request: TurnRequest) -> None:
        """Resign a match. Raises ``Refusal``."""
        try:
            match, seat = await self._transaction.asked(request)
        except Refusal:
            if await self._transaction.repeated(request, MoveKind.DROP, RESIGNS):
                return
            raise
        await self._drop(match, seat.seat, RESIGNS, request.at, request.interaction_id)

    @retried
    async def claim(self, request: TurnRequest, who_is_gone: WhoIsGone = none_gone) -> bool:
        """Claim the win because the person to move is out of time, or gone from the server.

        Return whether the match is over; with three or more seats left, the others play on. Raises ``Refusal`` if
        neither is true.
        """
        try:
            match, seat = await self._transaction.asked(request)
        except Stale:
            claimed = await self._transaction.repeated(request, MoveKind.DROP, TIMES_OUT, IS_GONE, own=False)
            if claimed is None:
                raise
            return claimed.state is MatchState.OVER
        if seat.to_move:
            raise Refusal(_("It's your own turn, so there's nothing to claim."))
        late = match.movers[0]
        over = sum(not seat.dropped for seat in match.seats) == 2
        if not late.person.computer and late.person.id in await who_is_gone(match):
            await self._drop(match, late.seat, IS_GONE, request.at, request.interaction_id)
            return over
        if match.time_ends_at is None:
            raise Refusal(_("This match has no time limit, so there's nothing to claim."))
        if match.time_ends_at > request.at:
            raise Refusal(_("{person} still has time left; the board shows how much."), person=late.person)
        await self._drop(match, late.seat, TIMES_OUT, request.at, request.interaction_id)
        return over

    @retried
    async def give_up(self, match_id: int, seat: int) -> bool:
        """Let a seat drop out, as when the data of its player is deleted; return whether it did.

        A seat that dropped out before and a match that is over are left alone. A match whose game is not installed
        ends. Raises ``Stale`` if the match moves on meanwhile.
        """
        match = await self._transaction.find(match_id)
        if match is None or match.state is not MatchState.RUNNING or match.seats[seat].dropped:
            return False
        if match.game in GAMES:
            await self._drop(match, seat, RESIGNS, self._context.clock())
        else:
            await self._end_without_game(match, seat)
        return True

    @retried
    async def time_out(self, match_id: int) -> None:
        """Let the person to move lose if their time is certainly up; close a match without a pace."""
        now = await self._context.credited_now()
        match = await self._transaction.find(match_id)
        if match is None or not _time_is_up(match, now):
            return
        if match.pace is None:
            await self._enter(match, match.movers[0].seat, MoveKind.CLOSED, ABANDONED, now)
        else:
            await self._drop(match, match.movers[0].seat, TIMES_OUT, now)

    async def notice_late(self) -> None:
        """End every match whose time is up, or tell the opponent that they may claim the win.

        A failure in one match does not stop the others; it is raised at the end. Quarantined matches are skipped.
        """
        now = await self._context.credited_now()
        async with self._context.database.read() as tx:
            late = await due.to_flag(tx, now, self._context.partition)
        failed: list[Exception] = []
        for match_id in late:
            try:
                if match_id not in self._transaction.quarantined and await self._flag(match_id):
                    await self.time_out(match_id)
            except (Quarantined, Stale) as error:
                log.info("match not ended", match=match_id, reason=str(error))
            except Exception as error:
                failed.append(error)
        if failed:
            raise ExceptionGroup("some matches whose time is up could not be ended", failed)

    @retried
    async def remind(self) -> None:
        """Have all due reminders posted."""
        now = await self._context.credited_now()
        async with self._context.database.read() as tx:
            slow = await due.to_remind(tx, now, self._context.partition)
        if not slow:
            return
        async with self._context.database.write() as tx:
            for match_id in slow:
                match = await matches.get(tx, match_id, lock=True)
                if match is None or match.remind_at is None or match.remind_at > now:
                    continue
                await matches.change(tx, match_id, remind_at=None)
                if match.deadline_at is None or match.deadline_at <= now:
                    continue
                await cups.check_mover(tx, match, now)
                if (await people.preferences(tx, match.movers[0].person.id)).reminders:
                    await outbox_messages.reminder(tx, match_id, match.ply, now)
        self._context.wake()

    @retried
    async def _flag(self, match_id: int) -> bool:
        """Note that the time of a match is up; return whether the match ends without a claim."""
        now = await self._context.credited_now()
        async with self._context.database.write() as tx:
            match = await matches.get(tx, match_id, lock=True)
            if match is None or match.flagged or not _time_is_up(match, now):
                return False
            if match.alone or match.cup_id is not None or (await guilds.settings(tx, match.guild_id)).automatic:
                return True
            await matches.change(tx, match_id, flagged=True)
            await outbox_messages.late(tx, match_id, match.ply, now)
        self._context.wake()
        return False

    async def _drop(
        self, match: Match, seat: int, text: str, at: datetime, interaction_id: RequestId | None = None
    ) -> None:
        await self._enter(match, seat, MoveKind.DROP, text, at, interaction_id)

    async def _enter(
        self, match: Match, seat: int, kind: MoveKind, text: str, at: datetime, interaction_id: RequestId | None = None
    ) -> None:
        """Store an entry that is no move. Raises ``Stale`` if it is about time, and the clock has time again."""
        before = await self._transaction.state(match)
        turn = await self._context.compute(single_entry, match, before, seat, kind, text, at)
        async with self._transaction.unchanged(match, interaction_id) as (tx, current):
            if text in (TIMES_OUT, ABANDONED) and not _time_is_up(current, at):
                raise Stale(MOVED_ON)
            await self._transaction.append(tx, current, turn)
        self._transaction.committed(turn)

    async def _end_without_game(self, match: Match, seat: int) -> None:
        """End a match whose game is not installed: one of two wins; with more seats it counts for nothing."""
        now, two = self._context.clock(), len(match.seats) == 2
        kind, text = (MoveKind.DROP, RESIGNS) if two else (MoveKind.CLOSED, ABANDONED)
        turn = single_entry(match, state_without_game(match.ply, len(match.seats)), seat, kind, text, now)
        async with self._transaction.unchanged(match, None) as (tx, current):
            await self._transaction.append(tx, current, turn)
        self._context.wake()


def _time_is_up(match: Match, now: datetime) -> bool:
    return match.state is MatchState.RUNNING and match.deadline_at is not None and match.deadline_at <= now
