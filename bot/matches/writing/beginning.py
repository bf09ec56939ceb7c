"""Begins matches and their turns, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.matches.model.game_state import first_game_state
from bot.matches.model.playability import check_installed
from bot.matches.writing import clocks, outbox_messages
from bot.storage import computer_turns, matches
from bot.storage.outbox import Begin, OutboxMessage
from bot.storage.records import Person


async def start_match(
    tx: AsyncConnection,
    *,
    guild_id: int,
    channel_id: int,
    game: str,
    variant: str,
    rated: bool,
    pace: int | None,
    people: Sequence[Person],
    at: datetime,
    language: str,
    cup: tuple[int, int] | None = None,
) -> int:
    """Store a match of ``people``, in turn order, whose first turn begins ``at``; return its id.

    ``cup`` is the cup that it is part of, and its round there. Raises ``Unavailable`` if the game is not installed.
    """
    check_installed(game)
    to_move = first_game_state(GAMES[game], variant, len(people)).position.to_move
    movers = [people[seat] for seat in to_move]
    alone = [person.computer for person in people].count(False) == 1
    clock = await clocks.next_clock(tx, pace, movers, at, alone=alone)
    match_id = await matches.add(
        tx,
        guild_id=guild_id,
        channel_id=channel_id,
        game=game,
        variant=variant,
        rated=rated,
        pace=pace,
        people=people,
        to_move=to_move,
        at=at,
        deadline_at=clock.deadline_at,
        remind_at=clock.remind_at,
        language=language,
        rules=GAMES[game].rules_major,
        cup=cup,
    )
    await outbox_messages.thread(tx, match_id, at)
    await begin_turn(tx, match_id, 0, movers, at)
    return match_id


async def begin_turn(
    tx: AsyncConnection,
    match_id: int,
    ply: int,
    movers: Iterable[Person],
    at: datetime,
    *,
    notified: Sequence[int] = (),
    begin: Begin | None = None,
) -> OutboxMessage | None:
    """Have the board of ``ply`` posted, or have the computer player among ``movers`` move.

    Return the message of the board if this process is to ``begin`` it and may.
    """
    if any(mover.computer for mover in movers):
        await computer_turns.add(tx, match_id, ply)
        return None
    return await outbox_messages.board(tx, match_id, ply, at, notified=notified, begin=begin)
