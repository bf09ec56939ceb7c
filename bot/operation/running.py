"""Runs a bot, or a process that only thinks, until a signal stops it. Exit codes and sentences are for the operator."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

import aiohttp
import discord
import structlog

from bot.calls import NotCalled
from bot.games import GAMES
from bot.operation import WRONG_SETTINGS, fail
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.client import Tavoliere

log = structlog.get_logger(__name__)

TOKEN_REVOKED, INTENT_MISSING = 4004, 4014
"""The codes with which Discord closes the connection of a bot whose token has been replaced, or that asks for an intent
that is not switched on."""

REMEDIES = {
    4010: "SHARDS does not fit this bot: leave it out, so that Discord's own number is used",
    4011: "a connection has too many servers: leave SHARDS out, so that Discord's own number is used",
    4012: "this version of the bot speaks a version of the gateway that Discord no longer accepts: update it",
    4013: "the intents that the bot asks for are not valid: update the bot",
}
"""Codes with which Discord closes a connection that another attempt cannot open, and what to do. Each attempt would
take one of the day's connections."""


THOROUGH = 100
"""So many full collections of garbage after one that goes through everything follows the next."""


@dataclass(frozen=True, slots=True)
class _Stop:
    """The requests of signals: the first one asks for a stop, the second one for a stop without a handover."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    at_once: asyncio.Event = field(default_factory=asyncio.Event)

    def ask(self) -> None:
        (self.at_once if self.asked.is_set() else self.asked).set()


def run_bot(settings: Settings, token: str) -> int:
    """Run the bot on Discord until a signal stops it; return the exit code."""
    _name_rejected_packages()
    return asyncio.run(_until_stopped(partial(_run_once, settings, token)))


def run_thinker(settings: Settings) -> int:
    """Play the turns of computer players until a signal stops it; return the exit code."""
    _name_rejected_packages()
    return asyncio.run(_until_stopped(partial(_think_once, settings)))


def _name_rejected_packages() -> None:
    """Log each package whose game is left out; the process runs without it."""
    for rejected in GAMES.rejected:
        log.warning("game left out", game=rejected.entry_point, package=rejected.package, reason=rejected.reason)


async def _until_stopped(once: Callable[[_Stop], Awaitable[int | None]]) -> int:
    """Run ``once`` until a signal stops it, and again whenever it returns no exit code; return that code.

    It returns no code after other processes have taken over from it.
    """
    stop = _Stop()
    # A loop without signal handlers (Windows) is cancelled by Ctrl-C instead.
    with contextlib.suppress(NotImplementedError):
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.ask)
    code = None
    while code is None and not stop.asked.is_set():
        code = await once(stop)
    return code or 0


@contextlib.contextmanager
def short_collections() -> Iterator[None]:
    """Collect garbage in the block without going again and again through what stays, which pauses every turn.

    What survives a full collection is left out of the next ones. It is freed like everything else once nothing refers
    to it; only cycles that end later stay until a collection goes through everything.
    """
    numbers = count(1)

    def leave_out(phase: str, info: Mapping[str, int]) -> None:
        if info["generation"] == 2 and phase == "stop":
            gc.freeze()
        elif info["generation"] == 2 and next(numbers) % THOROUGH == 0:
            gc.unfreeze()

    gc.callbacks.append(leave_out)
    try:
        gc.collect()
        yield
    finally:
        gc.callbacks.remove(leave_out)
        gc.unfreeze()


async def _run_once(settings: Settings, token: str, stop: _Stop) -> int | None:
    """Run a bot until it has to stop; return the exit code, or None after others have taken over from it."""
    from bot.client import create_bot
    from bot.cluster.health import PortError
    from bot.storage.errors import LeaseLost, StorageError
    from bot.web.server import WebPortError

    failure: Exception | None = None
    with short_collections():
        client = create_bot(settings)
        running = asyncio.ensure_future(client.start(token))
        stopping = asyncio.ensure_future(_hand_over(client, stop))
        # A bot that is replaced while it connects would go on connecting with what is closed.
        lost = asyncio.ensure_future(client.lost.wait())
        refused = asyncio.ensure_future(client.turned_away.wait())
        for end in (stopping, lost, refused):
            end.add_done_callback(lambda _: running.cancel())
        try:
            await running
        except asyncio.CancelledError:
            pass
        except (StorageError, PortError, WebPortError, discord.DiscordException, aiohttp.ClientError, OSError) as error:
            failure = error
        finally:
            for end in (stopping, lost, refused):
                end.cancel()
            await client.close()
    if isinstance(failure, LeaseLost):
        return None
    if isinstance(failure, (StorageError, PortError, WebPortError)):
        return _unusable(failure)
    if failure is not None or client.close_code is not None:
        return _explain_refusal(failure, client.close_code)
    return None if client.lost.is_set() else 0


async def _hand_over(client: Tavoliere, stop: _Stop) -> None:
    """Wait for the stop, then let another bot take over if one stands by."""
    await stop.asked.wait()
    await client.hand_over(stop.at_once)


def _explain_refusal(error: Exception | None, code: int | None = None) -> int:
    """Say why Discord refuses the connection, by an error or the code of its end; return the exit code."""
    if isinstance(error, discord.ConnectionClosed):
        code = error.code
    if isinstance(error, discord.LoginFailure) or code == TOKEN_REVOKED:
        fail("Discord does not accept this DISCORD_TOKEN. Copy the bot's token anew from the developer portal.")
        return WRONG_SETTINGS
    if isinstance(error, discord.PrivilegedIntentsRequired) or code == INTENT_MISSING:
        fail("Discord asks for an intent that is not switched on for this bot in the developer portal.")
        return WRONG_SETTINGS
    if code in REMEDIES:
        fail(f"Discord has closed the connection for good (code {code}): {REMEDIES[code]}.")
        return WRONG_SETTINGS
    if isinstance(error, NotCalled):
        return fail(f"{error}. Try again in some minutes.")
    if code is not None:
        return fail(f"Discord has closed the connection for good (code {code}).")
    if isinstance(error, discord.HTTPException) and error.status < 500:
        return fail(f"Discord refuses to let the bot in: {error}.")
    return fail(f"Discord cannot be reached: {error or type(error).__name__}. Check the network and try again.")


async def _think_once(settings: Settings, stop: _Stop) -> int | None:
    from bot.cluster.health import PortError
    from bot.cluster.thinking import think
    from bot.storage.errors import LeaseLost, StorageError

    try:
        return 0 if await think(settings, stop.asked) else None
    except LeaseLost:
        return None
    except (StorageError, PortError) as error:
        return _unusable(error)


def _unusable(error: Exception) -> int:
    """Say why the database or the port cannot be used; return the exit code."""
    from bot.storage.errors import ImpossibleSetting, StorageError

    code = fail(str(error))
    passing = isinstance(error, StorageError) and not isinstance(error, ImpossibleSetting)
    return code if passing else WRONG_SETTINGS
