"""What an export of a person's data has beside what the modules of its subjects read."""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import brakes
from bot.storage.tables import brakes as brakes_table
from bot.storage.tables import (
    cup_pairings,
    cup_players,
    held_turns,
    ladder_matches,
    matches,
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
        "limits": select(brakes_table.c.kind, brakes_table.c.subject, brakes_table.c.at)
        .where(brakes_table.c.person == await brakes.number(tx, user_id))
        .order_by(brakes_table.c.at),
    }
    return {name: [dict(row._mapping) for row in await tx.execute(query)] for name, query in queries.items()}
