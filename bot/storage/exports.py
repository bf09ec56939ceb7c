"""What an export of a person's data has beside what the modules of its subjects read."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Text, and_, cast, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import abuse_counters
from bot.storage.tables import (
    brakes,
    cup_pairings,
    cup_players,
    held_turns,
    ladder_matches,
    matches,
    moves,
    notices,
    offers,
    rating_changes,
    seats,
)


async def of_person(tx: AsyncConnection, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return rows about a person by the name of their list: nothing that only the other side of a match may know."""
    own = seats.c.user_id == user_id
    to_move = and_(matches.c.id == seats.c.match_id, matches.c.to_move == seats.c.seat)
    its_turn = select(matches.c.id, matches.c.ply).join(seats, to_move).where(own).subquery()
    at_turn = its_turn.c.ply
    player_of_pairing = cup_players.c.number.in_([cup_pairings.c.first, cup_pairings.c.second])
    queries = {
        "rating_changes": select(rating_changes)
        .where(rating_changes.c.user_id == user_id)
        .order_by(rating_changes.c.at, rating_changes.c.game),
        "offers": select(offers)
        .join(seats, and_(seats.c.match_id == offers.c.match_id, seats.c.seat == offers.c.seat))
        .where(own)
        .order_by(offers.c.id),
        "notices": select(notices)
        .join(its_turn, and_(its_turn.c.id == notices.c.match_id, at_turn == notices.c.ply))
        .order_by(notices.c.message_id),
        "held_turns": select(held_turns).join(
            its_turn, and_(its_turn.c.id == held_turns.c.match_id, at_turn == held_turns.c.ply)
        ),
        "ladder_matches": select(ladder_matches)
        .join(seats, seats.c.match_id == ladder_matches.c.match_id)
        .where(own)
        .order_by(ladder_matches.c.match_id),
        "cup_pairings": select(cup_pairings)
        .join(cup_players, and_(cup_players.c.cup_id == cup_pairings.c.cup_id, player_of_pairing))
        .where(cup_players.c.user_id == user_id)
        .order_by(cup_pairings.c.cup_id, cup_pairings.c.number),
        "limits": select(brakes.c.kind, brakes.c.subject, brakes.c.at)
        .where(brakes.c.person == await abuse_counters.number(tx, user_id))
        .order_by(brakes.c.at),
    }
    return {name: [dict(row._mapping) for row in await tx.execute(query)] for name, query in queries.items()}


async def moves_of_each(tx: AsyncConnection, match_ids: Collection[int]) -> dict[int, str]:
    """Return the lists of moves of some matches as JSON: of each entry its ply, seat, kind, text, time, and whether it
    was planned.

    The database writes it, a row a match: a row a move would take the event loop fifty times as long.
    """
    entry = moves.c.ply, moves.c.seat, moves.c.kind, moves.c.text, cast(moves.c.at, Text), moves.c.planned
    if tx.dialect.name == "postgresql":
        every = func.json_agg(func.json_build_array(*entry))
    else:
        every = func.json_group_array(func.json_array(*entry))
    query = select(moves.c.match_id, cast(every, Text)).where(moves.c.match_id.in_(match_ids))
    return {row[0]: row[1] for row in await tx.execute(query.group_by(moves.c.match_id))}
