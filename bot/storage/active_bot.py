"""Which of the bots that share a PostgreSQL database serves people: one is active, the others stand by for it.

The state of each bot is a column of its row in ``processes``. So it goes with the row when a bot ends, or is removed
because its lease has expired. Every change of a state takes the lock ``locks.active_bot`` first.
"""

from __future__ import annotations

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import locks
from bot.storage.records import BotState
from bot.storage.tables import processes

_SUCCEEDING = (BotState.SUCCESSOR, BotState.READY)


async def begin(tx: AsyncConnection, token: int) -> BotState:
    """Make a bot active if none is, and none is about to be; return its state.

    A ``SUCCESSOR`` may connect to Discord while the active bot serves, and then says that it is ``ready``.
    """
    state, others = await _locked(tx, token)
    if others.keys() & {BotState.ACTIVE, *_SUCCEEDING}:
        return BotState.SUCCESSOR if state in _SUCCEEDING else BotState.STANDBY
    return await _put(tx, token, BotState.ACTIVE)


async def name_successor(tx: AsyncConnection, token: int) -> BotState | None:
    """Return how far the successor of the active bot ``token`` is; name the newest bot that stands by if there is none.

    Return None if no bot stands by.
    """
    _, others = await _locked(tx, token)
    if BotState.READY in others:
        return BotState.READY
    if BotState.SUCCESSOR not in others:
        standing_by = processes.c.state == BotState.STANDBY, processes.c.alive_until > func.now()
        newest = (await tx.execute(select(func.max(processes.c.id)).where(*standing_by))).scalar_one()
        if newest is None:
            return None
        await _put(tx, newest, BotState.SUCCESSOR)
    return BotState.SUCCESSOR


async def ready(tx: AsyncConnection, token: int) -> BotState:
    """Note that a successor is connected; return its state: ``READY``, or ``ACTIVE`` once no other bot is active."""
    _, others = await _locked(tx, token)
    return await _put(tx, token, BotState.READY if BotState.ACTIVE in others else BotState.ACTIVE)


async def hand_over(tx: AsyncConnection, token: int) -> None:
    """Make the successor that is ready the active bot, instead of the bot ``token``."""
    _, others = await _locked(tx, token)
    await _put(tx, token, BotState.LEAVING)
    if BotState.READY in others:
        await _put(tx, others[BotState.READY], BotState.ACTIVE)


async def current(tx: AsyncConnection) -> int | None:
    """Return the token of the active bot, if there is one."""
    return (await tx.execute(select(processes.c.id).where(processes.c.state == BotState.ACTIVE))).scalar_one_or_none()


async def _locked(tx: AsyncConnection, token: int) -> tuple[BotState | None, dict[BotState, int]]:
    """Lock the states of all bots; return that of one, and a token by each state that another one has."""
    await locks.active_bot(tx)
    rows = await tx.execute(select(processes.c.id, processes.c.state).where(processes.c.state.is_not(None)))
    tokens = {row.id: row.state for row in rows}
    state = tokens.pop(token, None)
    return state, {other: number for number, other in tokens.items()}


async def _put(tx: AsyncConnection, token: int, state: BotState) -> BotState:
    await tx.execute(update(processes).where(processes.c.id == token).values(state=state))
    return state
