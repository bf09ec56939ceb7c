"""A line between two processes, over which each calls the other and goes on meanwhile. Calls and answers are pickled;
``portable`` decides which errors can be sent.
"""

from __future__ import annotations

import asyncio
import pickle
import traceback
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

from bot.matches.model.refusals import Refusal

_SIZE = 4
"""Bytes of the size before each message."""


class Line:
    """One end. ``answer`` is called with each question of the other end; ``run`` listens until that end has gone."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: Callable[..., Awaitable[Any]]
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._answer = answer
        self._numbers = count()
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._answering: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> bool:
        """Whether a question is unanswered."""
        return bool(self._asked)

    async def ask(self, *question: Any) -> Any:
        """Call the other end, and return its answer. The call is cancelled if that end is gone."""
        number = next(self._numbers)
        answered = self._asked[number] = asyncio.get_running_loop().create_future()
        self._send(number, None, question)
        try:
            return await answered
        finally:
            self._asked.pop(number, None)

    def tell(self, *news: Any) -> None:
        """Tell the other end something, without an answer."""
        self._send(None, None, news)

    async def run(self) -> None:
        """Listen until the other end has gone, then cancel all that waits for its answers."""
        try:
            while True:
                size = int.from_bytes(await self._reader.readexactly(_SIZE))
                self._heard(*pickle.loads(await self._reader.readexactly(size)))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            for one in (*self._asked.values(), *self._answering):
                one.cancel()
            self._writer.close()

    def _heard(self, number: int | None, error: Exception | bool | None, content: Any) -> None:
        if error is None:
            task = asyncio.get_running_loop().create_task(self._answered(number, content))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)
        elif number in self._asked and not self._asked[number].done():
            if isinstance(error, Exception):
                self._asked[number].set_exception(error)
            else:
                self._asked[number].set_result(content)

    async def _answered(self, number: int | None, question: tuple[Any, ...]) -> None:
        try:
            answer, error = await self._answer(*question), False
        except Exception as raised:
            answer, error = None, portable(raised)  # type: ignore[assignment]
        if number is not None:
            self._send(number, error, answer)

    def _send(self, number: int | None, error: Exception | bool | None, content: Any) -> None:
        sent = pickle.dumps((number, error, content))
        self._writer.write(len(sent).to_bytes(_SIZE) + sent)


def portable(error: Exception) -> Exception:
    """Return an error that can be sent: a refusal stays one, and an error that cannot be pickled becomes its text."""
    if isinstance(error, Refusal):
        return Refusal(str(error))
    try:
        again = pickle.loads(pickle.dumps(error))
    except Exception:
        return AssertionError("".join(traceback.format_exception(error)))
    return again if type(again) is type(error) else AssertionError(repr(error))
