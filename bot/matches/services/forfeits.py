"""Matches that end off the board: resigned, out of time, opponent gone from the server, or abandoned."""

from __future__ import annotations

from datetime import datetime
from functools import partial

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.matches.game_states import GameStates
from bot.matches.model.game_state import ABANDONED, IS_GONE, RESIGNS, TIMES_OUT, state_without_game
from bot.matches.model.pace import is_live
from bot.matches.model.policies import clocks
from bot.matches.model.policies.acts import counts_for_ratings
from bot.matches.model.policies.news import DIRECTLY, IN_CHANNEL, where
from bot.matches.model.quiet_hours import reminded_at
from bot.matches.model.refusals import Quarantined, Refusal, is_playable
from bot.matches.model.turn import same_turn, single_entry
from bot.matches.service_context import ServiceContext, call_each
from bot.matches.services.graces import give_grace
from bot.matches.services.preferences import quiet_hours
from bot.matches.services.turn import Turn, step
from bot.matches.writing import cups, move_log, outbox_messages, pauses
from bot.matches.writing.move_log import load_match
from bot.matches.writing.outbox_messages import MessageKind
from bot.storage import cups as stored_cups
from bot.storage import due, guilds, matches, mentions, people
from bot.storage.people import Preferences
from bot.storage.records import EntryKind, Match, MatchState, News
from bot.storage.transactions import Conflict, retried
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)


class Forfeits:
    """Lets seats drop out. With two players that ends the match; with more the others play on.

    An abandoned match without a pace is closed instead: by itself against computer players, else by one
    of its people. So is one that counts no more for its cup. A closed match has no result.
    """

    def __init__(self, context: ServiceContext, game_states: GameStates) -> None:
        self._context = context
        self._game_states = game_states

    @step
    async def may_resign(self, turn: Turn) -> Match:
        """Return the match that a person could resign now. Raises ``Refusal``."""
        return turn.match

    @step
    async def resign(self, turn: Turn) -> None:
        """Resign a match. Raises ``Refusal``."""
        if turn.repeated(EntryKind.DROP, RESIGNS) is None:
            await self._drop(turn, turn.seat.seat, RESIGNS)

    @step
    async def claim_win(self, turn: Turn) -> bool:
        """Claim the win because the person to move is out of time, or gone from the server.

        Return whether the match is over; with three or more seats left, the others play on. Raises ``Refusal`` if
        neither is true.
        """
        claimed = turn.repeated(EntryKind.DROP, TIMES_OUT, IS_GONE, own=False)
        if claimed is not None:
            return claimed.state is MatchState.OVER
        match, late = turn.match, turn.match.mover
        if turn.seat == late:
            raise Refusal(_("It's your own turn, so there's nothing to claim."))
        over = sum(not seat.dropped for seat in match.seats) == 2
        if not late.person.computer and await self._context.has_left(match.guild_id, late.person.id):
            await self._drop(turn, late.seat, IS_GONE)
            return over
        if match.time_ends_at is None:
            raise Refusal(_("This match has no time limit, so there's nothing to claim."))
        if match.time_ends_at > turn.at or not await self._drop(turn, late.seat, TIMES_OUT):
            raise Refusal(_("{person} still has time left; the board shows how much."), person=late.person)
        return over

    @step
    async def may_close(self, turn: Turn) -> Match:
        """Return the match that a person could close now. Raises ``Refusal``."""
        await self._check_may_close(turn)
        return turn.match

    @step
    async def close(self, turn: Turn) -> None:
        """Close an abandoned match, or one that counts no more for its cup. Raises ``Refusal``."""
        # Both may press at once.
        if turn.repeated(EntryKind.CLOSED, ABANDONED, own=None) is None:
            await self._check_may_close(turn)
            await self._enter(turn, turn.seat.seat, EntryKind.CLOSED, ABANDONED)

    async def _check_may_close(self, turn: Turn) -> None:
        match = turn.match
        async with self._context.database.read() as tx:
            if not await _is_closable(tx, match, turn.at):
                raise Refusal(_("This match still counts, so it can't be closed. You can resign."))
            cup = None if match.cup_id is None else await stored_cups.get(tx, match.cup_id)
            players = () if cup is None else cup.players
            out = {player.person.id for player in players if player.withdrawal is not None}
            stayed = any(other.person.id not in out for other in match.seats)
            out_of_cup = turn.seat.person.id in out and stayed
            if out_of_cup and counts_for_ratings(match, await matches.moves_of(tx, match.id)):
                # Nobody gets out of losing a rated match by leaving the cup.
                raise Refusal(
                    _(
                        "You have left the cup, but this match still counts for ratings, so only your opponent can "
                        "close it. You can resign."
                    )
                )

    @retried
    async def give_up(self, match_id: int, seat: int) -> bool:
        """Let a seat drop out, as when the data of its player is deleted; return whether it did.

        A seat that dropped out before and a match that is over are left alone. A match whose game is not installed
        ends.
        """
        match = await self._context.read(matches.get, match_id)
        if match is None or match.state is not MatchState.RUNNING or match.seats[seat].dropped:
            return False
        if match.game in GAMES:
            return await self._drop(await self._due(match, self._context.clock()), seat, RESIGNS)
        # Without its game, one of two wins; with more seats the match counts for nothing.
        kind, text = (EntryKind.DROP, RESIGNS) if len(match.seats) == 2 else (EntryKind.CLOSED, ABANDONED)
        state = state_without_game(match.ply, len(match.seats))
        async with self._context.database.write() as tx:
            current = await load_match(tx, match.guild_id, match.id, lock=True)
            if not same_turn(current, match):
                raise Conflict
            await move_log.append(tx, single_entry(current, state, seat, kind, text, self._context.clock()))
        return True

    @retried
    async def time_out(self, match_id: int) -> bool:
        """Let the person to move lose if their time is certainly up; close a match without a pace of one person.

        Return False if they have time again, by a grace or because it was given back.
        """
        now = await self._context.credited_now()
        match = await self._context.read(matches.get, match_id)
        if match is None or not _time_is_up(match, now):
            return match is None or match.state is not MatchState.RUNNING
        turn = await self._due(match, now)
        if match.pace is None:
            return await self._enter(turn, match.mover.seat, EntryKind.CLOSED, ABANDONED)
        return await self._drop(turn, match.mover.seat, TIMES_OUT)

    async def notice_late(self) -> None:
        """End every match whose time is up, or tell the opponent that they may claim the win or close the match.

        A failure in one match does not stop the others; it is raised at the end. Quarantined matches are skipped.
        """
        now = await self._context.credited_now()
        async with self._context.database.read() as tx:
            late = await due.to_flag(tx, now, self._context.away)
        if late:
            # A move counts that was received before the time was up, and is being played now.
            await self._context.requests_done()

        async def end(match_id: int) -> None:
            if match_id not in self._game_states.quarantined and await self._flag(match_id):
                await self._time_out_unless_quarantined(match_id)

        ending = (partial(end, match_id) for match_id in late)
        await call_each("matches whose time is up that could not be ended", ending)

    async def _time_out_unless_quarantined(self, match_id: int) -> None:
        try:
            await self.time_out(match_id)
        except Quarantined as error:
            log.info("match not ended", match=match_id, reason=str(error))

    @retried
    async def remind(self) -> None:
        """Have all due reminders posted, and end matches whose win was not claimed for long."""
        now = await self._context.credited_now()
        async with self._context.database.read() as tx:
            slow = await due.to_remind(tx, now, self._context.away)
        if not slow:
            return
        reminded: dict[tuple[int, int, News], list[Match]] = {}
        unclaimed = []
        async with self._context.database.write() as tx:
            for match_id in slow:
                match = await matches.get(tx, match_id, lock=True)
                if match is None or match.remind_at is None or match.remind_at > now:
                    continue
                if match.claim_until is not None:
                    unclaimed += [match_id] if await _ends_unclaimed(tx, match, match.claim_until, now) else []
                    continue
                await matches.change(tx, match_id, remind_at=None)
                if match.deadline_at is None or match.deadline_at <= now:
                    continue
                await cups.check_mover(tx, match, now)
                everybody = match.pace is None and not match.alone
                if everybody or is_live(match.pace):
                    await outbox_messages.reminder(tx, match_id, match.ply, now)
                    continue
                preferences = await people.preferences(tx, match.mover.person.id)
                news = where(match.mover.news or preferences.news, direct=match.direct)
                after = _after_quiet_hours(preferences, match.deadline_at, now)
                if after is not None:
                    await matches.change(tx, match_id, remind_at=after)
                elif preferences.reminders and news is not News.NONE:
                    reminded.setdefault((match.guild_id, match.mover.person.id, news), []).append(match)
            for (_guild_id, _user_id, news), waiting in reminded.items():
                if news in IN_CHANNEL:
                    await outbox_messages.reminders(tx, waiting, now)
                if news in DIRECTLY:
                    await outbox_messages.reminders_directly(tx, waiting, now)
        ending = (partial(self._time_out_unless_quarantined, match_id) for match_id in unclaimed)
        await call_each("matches with an unclaimed win that could not be ended", ending)

    @retried
    async def tell_held(self) -> None:
        """Have people told of turns that were held back, and still wait for them."""
        now = self._context.clock()
        async with self._context.database.read() as tx:
            held = await due.to_tell(tx, now, self._context.away)
        if not held:
            return
        async with self._context.database.write() as tx:
            for match_id in held:
                match, taken = await matches.get(tx, match_id, lock=True), await mentions.take_held(tx, match_id)
                if match is None or taken is None or match.state is not MatchState.RUNNING:
                    continue
                ply, mentioned = taken
                if match.paused_until is not None and match.paused_until > now:
                    await mentions.hold(tx, match, match.ply, match.paused_until, mentioned=False)
                    continue
                # A clock that stands because the bot lacks its rules goes on later: until then the pause is noted.
                if match.paused_until is not None and match.stopped_at is None:
                    await pauses.over(tx, match_id, now)
                if match.ply == ply:
                    await outbox_messages.turn_later(tx, match_id, ply, now, mentioned=mentioned)

    @retried
    async def _flag(self, match_id: int) -> bool:
        """Note that the time of a match is up; return whether the match ends without a claim."""
        now = await self._context.credited_now()
        async with self._context.database.write() as tx:
            match = await matches.get(tx, match_id, lock=True)
            if match is None or match.flagged or not _time_is_up(match, now):
                return False
            if clocks.ends_itself(match, automatic=(await guilds.settings(tx, match.guild_id)).automatic):
                return True
            if await give_grace(tx, match, now):
                return False
            await matches.change(tx, match_id, flagged=True)
            if match.pace is not None:
                until = now + clocks.UNCLAIMED
                await matches.change(tx, match_id, told_deadline_at=until, remind_at=until - clocks.TOLD_AGAIN)
            reminders = {MessageKind.REMINDER, MessageKind.REMINDERS}
            await outbox_messages.retire_notices(tx, match_id, match.ply + 1, now, reminders)
            await outbox_messages.late(tx, match_id, match.ply, now)
        return False

    async def _due(self, match: Match, at: datetime) -> Turn:
        """Return a turn that no person asks for. Raises ``Quarantined``."""
        return Turn(self._context, self._game_states, match, match.mover, at, await self._game_states.of(match))

    async def _drop(self, turn: Turn, seat: int, text: str) -> bool:
        return await self._enter(turn, seat, EntryKind.DROP, text)

    async def _enter(self, turn: Turn, seat: int, kind: EntryKind, text: str) -> bool:
        """Store an entry that is no move; return False if a grace was given instead.

        Raises ``Conflict`` if the reason for it no longer holds.
        """
        played = await turn.entry(kind, text, seat)
        async with turn.locked() as (tx, current):
            in_time = text == TIMES_OUT and not _time_is_up(current, turn.at)
            if in_time or (text == ABANDONED and not await _is_closable(tx, current, turn.at)):
                raise Conflict
            if text == TIMES_OUT and await give_grace(tx, current, turn.at):
                log.info("grace given", match=current.id, ply=current.ply)
                return False
            await turn.store(tx, current, played)
        return True


def _after_quiet_hours(preferences: Preferences, deadline: datetime, now: datetime) -> datetime | None:
    """Return when a reminder comes that is due in quiet hours; None for now."""
    after = reminded_at(now, deadline, now, quiet_hours(preferences, now))
    return after if after > now else None


async def _ends_unclaimed(tx: AsyncConnection, match: Match, until: datetime, now: datetime) -> bool:
    """Return whether the win of a match was not claimed in time; two days before that, tell the others once more.

    Where nobody could be told then, because the bot was away, they have two days from now on.
    """
    if not is_playable(match):
        later = now + clocks.TOLD_AGAIN
        await matches.change(tx, match.id, told_deadline_at=max(until, later + clocks.TOLD_AGAIN), remind_at=later)
        return False
    if match.remind_at is not None and match.remind_at >= until:
        return True
    until = max(until, now + clocks.TOLD_AGAIN)
    await matches.change(tx, match.id, told_deadline_at=until, remind_at=until)
    await outbox_messages.retire_notices(tx, match.id, match.ply + 1, now, {MessageKind.LATE})
    await outbox_messages.late(tx, match.id, match.ply, now, again=True)
    return False


def _time_is_up(match: Match, now: datetime) -> bool:
    return match.state is MatchState.RUNNING and match.deadline_at is not None and match.deadline_at <= now


async def _is_closable(tx: AsyncConnection, match: Match, now: datetime) -> bool:
    """Return whether a match may be closed: untimed and idle for long, or of no account for its cup any more."""
    if match.pace is None:
        return _time_is_up(match, now)
    return match.cup_id is not None and await stored_cups.is_uncounted(tx, match.id)
