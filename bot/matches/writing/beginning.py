"""Begins matches and their turns, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.matches.model.game_state import first_game_state
from bot.matches.model.policies.clocks import head_start
from bot.matches.model.refusals import check_installed
from bot.matches.model.turn import automatic_entries
from bot.matches.writing import clocks, outbox_messages
from bot.storage import computer_turns, guilds, matches
from bot.storage.homes import is_private
from bot.storage.outbox import OutboxMessage
from bot.storage.records import NewMatch, Person

EASY_LEVEL = 2
"""Computer players up to this level are for beginners, whose set-up is ready-made."""


async def start_match(
    tx: AsyncConnection, new: NewMatch, people: Sequence[Person], at: datetime, *, rest_counts: bool | None = None
) -> int:
    """Store a match of ``people``, in turn order, whose first turn begins ``at``; return its id.

    Its rules are those of today, and ``rest_counts`` what the server wants unless it is given. Where pieces are set up,
    that is done for players of their first match of the game, and of any against a weak computer player. Raises
    ``Unavailable`` if the game is not installed.
    """
    check_installed(new.game)
    game = GAMES[new.game]
    if rest_counts is None:
        rest_counts = (await guilds.settings(tx, new.guild_id)).rest_counts
    new = replace(new, rules=game.rules_major, rest_counts=rest_counts)
    first = first_game_state(game, new.variant, len(people))
    sets_up = first.position.ready_made() is not None
    ready_made = await _ready_made(tx, new.game, people) if sets_up else frozenset[int]()
    entries, state = automatic_entries(first, ready_made, at)
    to_move = state.position.to_move
    assert to_move is not None
    mover = people[to_move]
    persons = [person.computer for person in people].count(False)
    bank = None if new.pace is None else timedelta(seconds=new.pace)
    start = head_start(new.pace, people=persons)
    clock = await clocks.next_clock(
        tx,
        bank,
        mover,
        at,
        alone=persons == 1,
        pace=new.pace,
        rest_counts=rest_counts,
        head_start=start,
        answered=is_private(new.guild_id) and persons > 1,
    )
    match_id = await matches.add(tx, new, people, to_move=to_move, at=at, ready_made=ready_made, **clock.columns())
    if entries:
        await matches.add_moves(tx, match_id, entries)
        await matches.change(tx, match_id, ply=state.ply)
    await outbox_messages.thread(tx, match_id, at)
    await begin_turn(tx, match_id, state.ply, mover, at)
    return match_id


async def _ready_made(tx: AsyncConnection, game: str, people: Sequence[Person]) -> frozenset[int]:
    """Return the seats for which the ready-made set-up is taken without asking."""
    persons = {seat: person.id for seat, person in enumerate(people) if not person.computer}
    if any(person.level is not None and person.level <= EASY_LEVEL for person in people):
        return frozenset(persons)
    experienced = await matches.who_have_played(tx, game, list(persons.values()))
    return frozenset(seat for seat, user_id in persons.items() if user_id not in experienced)


async def begin_turn(
    tx: AsyncConnection,
    match_id: int,
    ply: int,
    mover: Person | None,
    at: datetime,
    *,
    notified: Sequence[int] = (),
    begin: bool = False,
) -> OutboxMessage | None:
    """Have the board of ``ply`` posted, or have ``mover`` move if that is a computer player.

    Return the message of the board if this process is to ``begin`` it and may.
    """
    if mover is not None and mover.computer:
        await computer_turns.add(tx, match_id, ply)
        return None
    last = mover is None
    return await outbox_messages.board(tx, match_id, ply, at, notified=notified, begin=begin, last=last)
