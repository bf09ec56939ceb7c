"""Stores matches from their text records, for the import command."""

from __future__ import annotations

from bot.matches.model.match_record import MatchRecord, RecordError
from bot.matches.service_context import ServiceContext
from bot.matches.writing import clocks
from bot.matches.writing.beginning import begin_turn
from bot.storage import locks, match_lists, matches
from bot.storage.matches import reason_columns
from bot.storage.records import OPERATOR, EntryKind, MatchState, NewMatch
from bot.storage.transactions import retried


class Archive:
    """Stores imported matches."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    @retried
    async def store(self, record: MatchRecord) -> int:
        """Store a match and return its new number. Raises ``RecordError`` if it is stored already.

        An imported match is unrated. If it is not over it goes on in its channel, without a pace.
        """
        result = record.game_state.result
        async with self._context.database.write() as tx:
            await locks.archive(tx)
            if await match_lists.same_as(tx, record.guild_id, record.game, record.started, record.people):
                raise RecordError("this match is already stored here")
            new = NewMatch(
                guild_id=record.guild_id,
                channel_id=record.channel_id,
                game=record.game,
                variant=record.variant,
                rated=False,
                rules=record.rules,
            )
            to_move = None if record.voided or result is not None else record.game_state.position.to_move
            match_id = await matches.add(tx, new, record.people, to_move=to_move, at=record.started)
            if record.played:
                await matches.add_moves(tx, match_id, record.played)
                last = record.played[-1].at
                await matches.change(tx, match_id, ply=record.game_state.ply, turn_at=last)
            for seat in {move.seat for move in record.played if move.kind is EntryKind.DROP}:
                await matches.change_seat(tx, match_id, seat, dropped=True)
            if result is not None:
                ended = record.ended or record.played[-1].at
                await matches.change(
                    tx, match_id, state=MatchState.OVER, ended_at=ended, **reason_columns(result.reason)
                )
                for seat in range(len(record.people)):
                    await matches.change_seat(tx, match_id, seat, won=result.won(seat, len(record.people)))
            if record.voided:
                ended = record.ended or record.started
                await matches.change(tx, match_id, state=MatchState.OVER, voided_by=OPERATOR, ended_at=ended)
            elif result is None:
                match, now = await matches.get(tx, match_id), self._context.clock()
                assert match is not None
                clock = await clocks.next_clock(tx, None, match.mover.person, now, alone=match.alone)
                await matches.change(tx, match_id, **clock.columns())
                await begin_turn(tx, match_id, match.ply, match.mover.person, now)
        return match_id
