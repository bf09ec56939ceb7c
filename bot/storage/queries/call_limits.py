"""What several processes have to know together about their calls to Discord. Times are the database's own."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, cast, delete, extract, func, literal, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import locks
from bot.storage.inserting import inserting
from bot.storage.tables import call_holds, invalid_responses

_MINUTE: ColumnElement[Any] = cast(func.floor(extract("epoch", func.now()) / 60), BigInteger)


async def draw(tx: AsyncConnection, wanted: int, limit: int, window: int) -> int:
    """Draw invalid responses for a process, of which at most ``limit`` are drawn within ``window`` seconds.

    Return how many were to be had.
    """
    await locks.calls(tx)
    await tx.execute(delete(invalid_responses).where(~_within(window)))
    drawn = min(wanted, limit - await invalid_drawn(tx, window))
    if drawn > 0:
        new = inserting(tx, invalid_responses).values(minute=_MINUTE, drawn=drawn)
        more = {"drawn": invalid_responses.c.drawn + drawn}
        await tx.execute(new.on_conflict_do_update(index_elements=[invalid_responses.c.minute], set_=more))
    return max(0, drawn)


async def invalid_drawn(tx: AsyncConnection, window: int) -> int:
    """Return how many invalid responses were drawn within ``window`` seconds; a bot that is alone stores none."""
    if tx.dialect.name == "sqlite":
        return 0
    drawn = select(func.coalesce(func.sum(invalid_responses.c.drawn), 0)).where(_within(window))
    return int((await tx.execute(drawn)).scalar_one())


def _within(window: int) -> ColumnElement[bool]:
    return invalid_responses.c.minute >= _MINUTE - window // 60


async def hold(tx: AsyncConnection, seconds: float) -> None:
    """Have no process call Discord for some seconds, or as long as that was said before."""
    until = func.now() + timedelta(seconds=seconds)
    new = inserting(tx, call_holds).values(id=1, until=until)
    later = {"until": func.greatest(call_holds.c.until, until)}
    await tx.execute(new.on_conflict_do_update(index_elements=[call_holds.c.id], set_=later))


async def held(tx: AsyncConnection) -> float:
    """Return for how many seconds no process is to call Discord."""
    return 0.0 if tx.dialect.name == "sqlite" else float((await tx.execute(select(seconds_held()))).scalar_one())


def seconds_held() -> ColumnElement[float]:
    """Return for how many seconds no process is to call Discord, as part of a query."""
    left = select(func.greatest(0, extract("epoch", call_holds.c.until - func.now()))).scalar_subquery()
    return func.coalesce(left, literal(0))
