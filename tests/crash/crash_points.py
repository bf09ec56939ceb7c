"""The points at which a life of the bot may end: every resumption of a task, every statement, every call to Discord.

Knows the event loop, the database driver and the simulated Discord's door; knows nothing of what the bot does there.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn

import aiohttp
import aiosqlite
from simcord._runtime import _BOT_SCOPE
from simcord.backend import Backend
from simcord.backend.errors import BackendError
from simcord.http import FakeHTTPClient, FakeWebhookAdapter, router

from tests.support.nonces import minding_nonces
from tests.support.unthreaded import connect_unthreaded, execute_unthreaded

_STATEMENTS = ("execute", "executemany", "commit", "rollback")
"""The operations of the driver's thread that can change anything; the others fetch and clean up."""


class Moment(StrEnum):
    """An operation that is about to happen, or has just happened while its caller does not know it yet."""

    RESUMED = "before a task goes on"
    ASKED = "before a call reaches Discord"
    ANSWERED = "after Discord has done it, before the answer arrives"
    EXECUTED = "before a statement is executed"
    STORED = "after a statement was executed, before its outcome is known"
    LOST = "when an answer of Discord is lost"
    """The process survives this one: the connection breaks after Discord has done what it was asked to."""


@dataclass(frozen=True, slots=True)
class Point:
    """The ``number``-th time, counted from 1, that ``moment`` comes."""

    moment: Moment
    number: int


class ProcessKiller:
    """Counts the moments that pass while it is watching, and ends the process at the one it was told.

    ``keep`` stores the simulated Discord at that moment. It is called in the thread of the event loop, so that it
    stores no call that Discord has carried out in part.
    """

    def __init__(self, point: Point | None, epitaph: Path, keep: Callable[[], None]) -> None:
        self._point = point
        self._epitaph = epitaph
        self._keep = keep
        self._loop = asyncio.get_running_loop()
        self._dying = False
        self._counters = {moment: itertools.count(1) for moment in Moment}
        self.passed = dict.fromkeys(Moment, 0)
        self.watching = False

    def passes(self, moment: Moment, what: Callable[[], object]) -> bool:
        """Note a moment; return whether it is the one. A process that dies at it never returns."""
        if self._dying and threading.current_thread() is not threading.main_thread():
            _wait_for_the_end()
        if self._dying or not self.watching:
            return False
        number = self.passed[moment] = next(self._counters[moment])
        if self._point is None or (moment, number) != (self._point.moment, self._point.number):
            return False
        self._epitaph.write_text(f"{moment} ({number}): {what()}\n{''.join(traceback.format_stack(limit=12))}")
        if moment is not Moment.LOST:
            self._dying = True
            if threading.current_thread() is threading.main_thread():
                self._end()
            self._loop.call_soon_threadsafe(self._end)
            _wait_for_the_end()
        return True

    def _end(self) -> None:
        self._keep()
        os.kill(os.getpid(), signal.SIGKILL)

    def install(self) -> None:
        """Watch this process. There is no way back: the process is one life."""
        self._watch_tasks()
        self._watch_statements()
        self._watch_calls()

    def _watch_tasks(self) -> None:
        run = asyncio.Handle._run

        def watched(handle: Any) -> None:
            callback = getattr(handle._callback, "__simcord_original_callback__", handle._callback)
            if self._dying and callback != self._end:
                return
            if handle._context.get(_BOT_SCOPE) is not None:
                task = getattr(callback, "__self__", None)
                if isinstance(task, asyncio.Task):
                    self.passes(Moment.RESUMED, task.get_name)
            run(handle)

        asyncio.Handle._run = watched  # type: ignore[method-assign, assignment]

    def _watch_statements(self) -> None:
        execute: Any = aiosqlite.Connection._execute

        async def watched(connection: Any, function: Any, *args: Any, **kwargs: Any) -> Any:
            if getattr(function, "__name__", "") not in _STATEMENTS:
                return await execute_unthreaded(connection, function, *args, **kwargs)

            def in_thread() -> Any:
                self.passes(Moment.EXECUTED, lambda: _statement(function, args))
                outcome = function(*args, **kwargs)
                self.passes(Moment.STORED, lambda: _statement(function, args))
                return outcome

            return await execute(connection, in_thread)

        aiosqlite.Connection._execute = watched  # type: ignore[method-assign, assignment]
        aiosqlite.connect = connect_unthreaded

    def _watch_calls(self) -> None:
        dispatch = minding_nonces(router.dispatch)

        def watched(backend: Backend, method: str, path: str, **options: Any) -> Any:
            self.passes(Moment.ASKED, lambda: f"{method} {path}")
            _refuse_second_thread(backend, method, path)
            try:
                return dispatch(backend, method, path, **options)
            finally:
                self.passes(Moment.ANSWERED, lambda: f"{method} {path}")
                if self.passes(Moment.LOST, lambda: f"{method} {path}"):
                    raise aiohttp.ServerDisconnectedError

        router.dispatch = watched
        for client in (FakeHTTPClient, FakeWebhookAdapter):
            client.request = _with_distance(client.request)  # type: ignore[method-assign]


def _wait_for_the_end() -> NoReturn:
    while True:
        time.sleep(60)


def _with_distance(request: Callable[..., Any]) -> Callable[..., Any]:
    """Let others go on while a call is on its way and while its answer is: the simulation answers on the spot."""

    async def distant(*args: Any, **kwargs: Any) -> Any:
        await asyncio.sleep(0)
        try:
            return await request(*args, **kwargs)
        finally:
            await asyncio.sleep(0)

    return distant


def _refuse_second_thread(backend: Backend, method: str, path: str) -> None:
    """Refuse a second thread on one message as Discord does; the simulation would open it."""
    match method, path.strip("/").split("/"):
        case "POST", ["channels", _, "messages", message_id, "threads"] if int(message_id) in backend.channels:
            raise BackendError(400, 160004, "A thread has already been created for this message")


def _statement(function: Any, args: tuple[Any, ...]) -> str:
    name = getattr(function, "__name__", repr(function))
    return f"{name} {args[0]}" if args and isinstance(args[0], str) else name
