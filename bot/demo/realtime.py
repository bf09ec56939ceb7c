"""Lets simcord run in real time: made for tests, it stops the clock, waits until a bot has nothing left to do and shows
what a test asked to be shown. The only module that touches simcord's private names; it knows nothing of games.

Written for the version that ``pyproject.toml`` pins. Each private name is used for the reason given beside it.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import simcord
import structlog
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.preview import Preview, _markdown
from simcord.preview._server import PreviewServer

from bot.demo.page import MENDED

log = structlog.get_logger(__name__)

TICK = 0.1
"""Seconds between two looks at what the bot has done by itself."""
STEP = 0.05
"""Seconds between two looks at a bot that is being asked something."""
GRACE = 0.5
"""Seconds a bot that has answered may go on before the page is given back to the person."""
PATIENCE = 3.0
"""Seconds within which an interaction must be answered, as on Discord."""
REDRAW = 30.0
"""Seconds after which the page is told the time again."""
REMEMBERED = 8
"""Publications of a page that a click may refer to."""


class WallClock:
    """The clock of a simulated Discord set to the real time. ``time.monotonic`` cannot be used: simcord replaces it."""

    def __init__(self) -> None:
        self._started = time.perf_counter()

    @property
    def elapsed(self) -> float:
        """Seconds since the start; the bot's timers run by it."""
        return time.perf_counter() - self._started

    def now(self) -> datetime:
        """Return the real time."""
        return datetime.now(UTC)

    def advance(self, seconds: float) -> None:
        """Do nothing: this clock goes by itself."""


class LiveEnv(simcord.Env):
    """A simulated Discord in real time, in which the bot is never expected to come to rest."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot, check_errors=False)
        # Env takes no clock, so its backend's is replaced before anything has happened.
        self.backend.clock = WallClock()  # type: ignore[assignment]
        self._asked: Any = None

    def _notify_dispatch_observers(self, interaction: Any) -> None:
        """Remember what the bot is being asked. Called before each interaction reaches it."""
        self._asked = interaction
        super()._notify_dispatch_observers(interaction)

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109
        idle: float = STEP,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        """Give the bot time to answer, then let people go on, whatever it is still computing.

        Every operation of simcord ends here. The original waits for the bot to come to rest and fails after five
        seconds; a computer player may think for longer. Without a ``dispatch`` nobody is waiting for an answer.
        """
        if timeout is not None:  # the bot starts
            with contextlib.suppress(TimeoutError):
                await super()._settle_internal(timeout=timeout, idle=idle)
            return
        asked = self._asked if dispatch == "INTERACTION_CREATE" else None
        began = time.perf_counter()
        while True:
            try:
                await super()._settle_internal(timeout=STEP if dispatch else 0.0, idle=0.01, dispatch=dispatch)
                at_rest = True
            except TimeoutError:
                at_rest = False
            waited = time.perf_counter() - began
            answered = asked is None or asked.responded
            if dispatch is None or (answered and (at_rest or waited > GRACE)) or waited > PATIENCE:
                return
            await asyncio.sleep(STEP if at_rest else 0)

    def _record_error(self, error: BaseException) -> None:
        """Log an error of the bot. The original keeps it to fail a test, and the page would call the action failed."""
        log.warning("an error in the bot", error=repr(error))

    def take_news(self) -> bool:
        """Tell whether anything has happened since the last call, and forget it."""
        # The transcripts are for tests to read; left alone, they would grow for as long as the demo runs.
        happened = bool(self.backend.transcript)
        self.backend.transcript.clear()
        self.backend.http_requests.clear()
        return happened


_new_parser = _markdown._markdown_parser
_parsers: dict[int, tuple[Any, dict[str, Any]]] = {}


def _parser(policy: Mapping[str, Any], context: Mapping[str, Any]) -> Any:
    """Return a parser for what is written under ``policy``, one of a few constants, where ``context`` has the names.

    The original makes a new one for every text of every message of every page, which is most of a publication's time.
    """
    if id(policy) not in _parsers:
        names: dict[str, Any] = {}
        _parsers[id(policy)] = (_new_parser(policy, names), names)
    parser, names = _parsers[id(policy)]
    names.clear()
    names.update(context)
    return parser


_markdown._markdown_parser = _parser


class LiveServer(PreviewServer):
    """Serves the page, mended."""

    async def _static(self, request: Any) -> Any:
        """Return a file of the page with the changes of ``MENDED``."""
        response = await super()._static(request)
        for text, replacement in MENDED.get(request.path, ()):
            response.text = response.text.replace(text, replacement, 1)
        return response


class LivePreview(Preview):
    """A page that shows what happens as it happens."""

    def __init__(
        self, env: LiveEnv, channel: ChannelHandle, viewers: Sequence[MemberActor], *, port: int, timezone: str
    ) -> None:
        # ``env.preview`` makes the original class; the values are its defaults.
        super().__init__(
            env,
            channel,
            tuple(viewers),
            layout="channel",
            display="responsive",
            width=960,
            height=720,
            locale="en-GB",
            timezone=timezone,
            presentation_time=None,
            assets=None,
            port=port,
        )
        self._live_env = env
        self._server = LiveServer(self, port)
        # One at a time: simcord refuses an action while another or a refresh is under way.
        self._turn = asyncio.Lock()
        self._shown: dict[str, deque[tuple[int, Any]]] = {}

    def _publish(self, page: Any, **options: Any) -> None:
        """Publish, and remember which messages belong to the page's new revision."""
        if page is self._python and self._active:
            return  # the page nobody sees, for pictures taken from Python
        self._advance_presentation_time()
        super()._publish(page, **options)
        for closed in self._shown.keys() - self._pages.keys() - {page.id}:
            del self._shown[closed]
        shown = self._shown.setdefault(page.id, deque(maxlen=REMEMBERED))
        shown.append((page.revision, page.snapshot["messages"]))

    def _publish_message_pages(self, **options: Any) -> None:
        """Publish all pages at the end of an action; there is nothing new then."""
        self._live_env.take_news()
        super()._publish_message_pages(**options)

    async def _action(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        """Do what a person did on the page, once everything before it is done."""
        async with self._turn:
            return await super()._action(context_id, self._brought_up_to_date(context_id, body))

    def _brought_up_to_date(self, context_id: str | None, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the action as of the page's present revision.

        The original refuses what refers to an earlier revision, but here a page moves on several times a second.
        Only a control whose message has changed since the person looked is left to be refused.
        """
        page = self._pages.get(context_id or "")
        if page is None or not isinstance(body, Mapping) or not isinstance(body.get("published_revision"), int):
            return body
        seen = dict(self._shown.get(page.id, ())).get(body["published_revision"])
        target = str(body.get("target_id"))
        if body.get("kind") in ("click", "select") and (
            seen is None or not _same_controls(seen.get(target), page.snapshot["messages"].get(target))
        ):
            return body
        return {**body, "published_revision": page.revision}

    async def keep_live(self) -> None:
        """Show what the bot does by itself until the page is closed or this is cancelled."""
        told = time.perf_counter()
        while self._active:
            await asyncio.sleep(TICK)
            try:
                async with self._turn:
                    await self._live_env.settle()
                    if self._live_env.take_news() or time.perf_counter() - told > REDRAW:
                        await self.refresh()
                        told = time.perf_counter()
            except Exception:
                if self._active:
                    log.exception("the page could not be brought up to date")
                    await asyncio.sleep(1)


def _same_controls(seen: Mapping[str, Any] | None, present: Mapping[str, Any] | None) -> bool:
    return seen is not None and present is not None and seen["components"] == present["components"]
