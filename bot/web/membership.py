"""Ends sessions of people who have left the server, once a day for each session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog

from bot.matches.service_context import Idle
from bot.requests.context import BotContext

log = structlog.get_logger(__name__)

LOOK_EVERY = 300.0
"""Seconds after which sessions are looked for that were not checked for a day."""


async def check_members(context: BotContext, idle: Callable[[], Idle]) -> None:
    """Check members, of the servers of this process, until it is cancelled."""
    while True:
        try:
            await context.services.page_access.check_members(context.servers.has_left)
        except Exception:
            log.exception("members are not checked")
        await idle()(asyncio.sleep(LOOK_EVERY), reason="members were checked")
