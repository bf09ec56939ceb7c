"""The plans of players in running matches: at most one row a seat. Whoever reads them must not show them to others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import MatchState, Plan
from bot.storage.tables import matches, plans, seats
from bot.storage.tables.columns import Id, to_dataclass
from bot.storage.transactions import inserting

_OF_MATCH = select(plans).where(plans.c.match_id == bindparam("of_match", type_=Id)).order_by(plans.c.seat)


async def of_match(tx: AsyncConnection, match_id: int) -> list[Plan]:
    """Return the plans of both players of a match, by seat."""
    return [to_dataclass(Plan, row) for row in await tx.execute(_OF_MATCH, {"of_match": match_id})]


async def change(tx: AsyncConnection, match_id: int, plan: Plan) -> bool:
    """Store a plan that its owner has changed; return False if the match or the plan is no longer as they saw it.

    ``ply`` is that of the match, and ``version`` that of the stored plan, 0 where there is none. On False the caller
    rolls back.
    """
    running = matches.c.state == MatchState.RUNNING, matches.c.voided_by.is_(None)
    same_match = update(matches).where(matches.c.id == match_id, matches.c.ply == plan.ply, *running)
    if not (await tx.execute(same_match.values(plans_version=matches.c.plans_version + 1))).rowcount:
        return False
    values = asdict(plan) | {"version": plan.version + 1}
    return (
        await tx.execute(
            inserting(tx, plans)
            .values(match_id=match_id, **values)
            .on_conflict_do_update(
                index_elements=["match_id", "seat"], set_=values, where=plans.c.version == plan.version
            )
        )
    ).rowcount > 0


_PUT = {
    name: insert.on_conflict_do_update(
        index_elements=["match_id", "seat"],
        set_={column: insert.excluded[column] for column in ("ply", "tree", "version", "met")},
    )
    for name, insert in (("sqlite", sqlite.insert(plans)), ("postgresql", postgresql.insert(plans)))
}


async def put(tx: AsyncConnection, match_id: int, changed: Sequence[Plan]) -> None:
    """Store what a turn has left of plans, in one statement."""
    query = _PUT[tx.dialect.name]
    await tx.execute(query, [asdict(plan) | {"match_id": match_id, "version": plan.version + 1} for plan in changed])


async def end(tx: AsyncConnection, match_id: int, ply: int, met: str) -> None:
    """End the plans of a match that goes on at ``ply`` otherwise than by a move; their owners can still read them."""
    holding = plans.c.match_id == match_id, plans.c.met.is_(None)
    await tx.execute(update(plans).where(*holding).values(ply=ply, met=met, version=plans.c.version + 1))


async def remove(tx: AsyncConnection, match_id: int) -> None:
    """Delete the plans of a match that has ended."""
    await tx.execute(delete(plans).where(plans.c.match_id == match_id))


async def of_person(tx: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    own = plans.join(seats, (seats.c.match_id == plans.c.match_id) & (seats.c.seat == plans.c.seat))
    query = select(plans).select_from(own).where(seats.c.user_id == user_id).order_by(plans.c.match_id)
    return [dict(row._mapping) for row in await tx.execute(query)]
