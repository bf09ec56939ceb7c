"""What all addresses of the page have in common: who asks, what they ask for, and the answer as JSON.

Each way in builds a ``Request`` and carries it out like one from Discord, with the same limits and the same errors.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, TypeVar

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.games.game import KEY_PATTERN
from bot.matches.model.building import Choices, Consent
from bot.matches.model.refusals import NO_SUCH_MATCH, NOT_PLAYING
from bot.matches.model.turn import MOVED_ON
from bot.matches.services.agreements import Answer
from bot.requests.context import SUGGESTION, BotContext
from bot.requests.outcome import STORAGE_ERRORS, UNKNOWN, Outcome, Status, execute
from bot.requests.request import Request
from bot.storage.people import Preferences
from bot.web.guards import check_text, json_body, json_in, keys_in, number_in, uuid_of
from bot.web.live import OpenPages
from bot.web.visitors import Authenticate, Visitor, request_of
from bot.web.words import UNKNOWN_YET
from renderers.i18n import gettext_lazy, translated

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)
Data = dict[str, Any]

MATCH = r"match/{match:\d{1,18}}"
PLAN = r"plan/{match:\d{1,18}}/{place:\d{1,3}}"
PUZZLE = r"puzzle/{attempt:\d{1,18}}"
TODAY = "puzzle/today"
GUEST_GAME = rf"play/{{game:{KEY_PATTERN}}}"
WATCHED = r"watch/{link:[\w-]{10,100}}"
CHALLENGED = r"challenge/{link:[\w-]{10,100}}"
"""The subjects of pages, as parts of addresses."""
LONGEST_GAME = 6000
"""Characters of the moves that a page without an account may carry: with them its addresses stay below 8 KB."""
NARROWEST, WIDEST, WIDTH_STEP = 240, 1800, 60
"""The widths of pictures in pixels: only some, so that pictures are drawn once for many screens."""
STATUS = {
    Status.DONE: 200,
    Status.REPEATED: 200,
    Status.REFUSED: 409,
    Status.RESTARTING: 503,
    Status.UNAVAILABLE: 503,
    Status.UNKNOWN: 503,
    Status.FAILED: 500,
}
_ON_THE_PAGE = [
    (MOVED_ON, gettext_lazy("The match has moved on.")),
    (NOT_PLAYING, NO_SUCH_MATCH),
    (UNKNOWN, UNKNOWN_YET),
]
"""What is said in Discord, and on the page, which shows the newest board by itself and finds out what came of it.

The page shows people their own matches alone: it answers as if there were no others.
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request asks for: the names in its address, and those of its query or, sent by POST, of its JSON.

    All are read before anything is done, whatever the address, so that none ever meets a value of another kind. What a
    request does not name is 0, empty or None.
    """

    match: int
    place: int
    attempt: int
    to: int | None
    """A place of a plan."""
    width: int
    """The width of the picture, in pixels, for a screen that has room for as many as are asked for."""
    flip: int
    """By how many seats the board is turned."""
    number: int | None
    """The number of a position."""
    ply: int | None
    """The ply that the page shows; of a plan the number that it shows instead."""
    keys: Choices
    letters: bool | None
    """Whether the board is asked for in letters; None where the person's preference is to decide."""
    consent: Consent
    offer: int | None
    days: int | None
    """The length of a pause, 0 to end it."""
    answer: Answer | None
    game: str
    """The key of a game."""
    moves: tuple[str, ...]
    """The moves of a guest's game, or a guest's tries at a puzzle: only the page carries them."""
    level: int | None
    """The level of the bot in a guest's game."""
    day: date | None
    """The day of a guest's puzzle."""
    link: str
    """The token of a link to watch a match by, or the code of a challenge."""

    @classmethod
    def of(cls, names: Mapping[str, str], fields: Mapping[str, Any]) -> Asked:
        """Read a request. Raises an HTTP error."""
        keys, width = fields.get("keys") or [], number_in(fields.get("width"), 10_000) or 900
        return cls(
            match=number_in(names.get("match")) or 0,
            place=number_in(names.get("place")) or 0,
            attempt=number_in(names.get("attempt")) or 0,
            to=number_in(names.get("to")),
            width=max(NARROWEST, min(WIDEST, -(-width // WIDTH_STEP) * WIDTH_STEP)),
            flip=number_in(fields.get("flip"), 5) or 0,
            number=number_in(fields.get("number"), 999_999),
            ply=number_in(fields.get("ply"), 999_999),
            keys=keys_in(json_in(keys) if isinstance(keys, str) else keys),
            letters={"1": True, "0": False}.get(str(fields.get("letters"))),
            consent=Consent.CONFIRMED if fields.get("confirmed") is True else Consent.CHOICE,
            offer=number_in(fields.get("offer")),
            days=number_in(fields.get("days"), 999),
            answer=_word_in(fields.get("answer"), Answer),
            game=names.get("game", ""),
            moves=_moves_in(fields.get("moves")),
            level=number_in(fields.get("level"), 9),
            day=_day_in(fields.get("day")),
            link=names.get("link", ""),
        )

    def in_letters(self, preferences: Preferences) -> bool:
        """Return whether a person gets the board in letters: as they ask, or else as they prefer."""
        return preferences.text_boards if self.letters is None else self.letters


Work = Callable[[Request, Asked], Awaitable[T]]


class Api:
    """Adds addresses under ``prefix`` to a router; ``authenticate`` says which visitor sends a request.

    ``control`` is what metrics and the log call a request; ``needs`` are the names that one has to bring.
    """

    def __init__(
        self,
        context: Callable[[], BotContext],
        news: Callable[[], OpenPages],
        authenticate: Authenticate,
        router: web.UrlDispatcher,
        prefix: str = "",
    ) -> None:
        self._context = context
        self._news = news
        self._authenticate = authenticate
        self._router = router
        self._prefix = f"{prefix}/api/"

    def get(self, address: str, control: str, work: Work[Data]) -> None:
        """Add something to look up."""

        async def answer(http: web.Request) -> web.StreamResponse:
            return self._answer(await self._read(http, control, work))

        self._add("GET", address, answer)

    def picture(self, address: str, control: str, work: Work[bytes | None], cache: str | None = None) -> None:
        """Add a picture, with what its ``Cache-Control`` says."""

        async def answer(http: web.Request) -> web.StreamResponse:
            outcome = await self._read(http, control, work)
            if outcome.value is None:
                return self._answer(outcome)
            headers = {} if cache is None else {"Cache-Control": cache}
            return web.Response(body=outcome.value, content_type="image/png", headers=headers)

        self._add("GET", address, answer)

    def live(self, address: str, subject: str, work: Work[int]) -> None:
        """Add a socket for news of a subject, whose number ``work`` returns."""

        async def answer(http: web.Request) -> web.StreamResponse:
            outcome = await self._read(http, "live", work)
            if outcome.value is None:
                return self._answer(outcome)
            return await self._news().attend(http, await self._visitor(http), (subject, outcome.value))

        self._add("GET", address, answer)

    def post(self, address: str, control: str, work: Work[Data], needs: Sequence[str] = ()) -> None:
        """Add something to do, once for each UUID that the page gives a request."""

        async def answer(http: web.Request) -> web.StreamResponse:
            visitor, data = await self._visitor(http), await json_body(http)
            asked = Asked.of(http.match_info, data)
            if any(data.get(name) is None for name in needs):
                raise web.HTTPBadRequest
            request = request_of(self._context(), visitor, control, uuid_of(data))
            return self._answer(await self._carry_out(request, lambda begun: work(begun, asked)))

        self._add("POST", address, answer)

    def _add(self, method: str, address: str, answer: Handler) -> None:
        add = self._router.add_get if method == "GET" else self._router.add_post
        add(self._prefix + address, answer)

    async def _carry_out(self, request: Request, work: Callable[[Request], Awaitable[T]]) -> Outcome[T]:
        """Do something, and note that the person was here."""
        outcome = await execute(request, work)
        if outcome.status is Status.DONE:
            with suppress(*STORAGE_ERRORS):
                await request.services.returns.note(request.person.id, tells=False)
        return outcome

    async def _look_up(self, request: Request, work: Callable[[Request], Awaitable[T]]) -> Outcome[T]:
        return await execute(request, work, points=SUGGESTION)

    async def _read(self, http: web.Request, control: str, work: Work[T]) -> Outcome[T]:
        """Look up what a visitor asks for, under a limit of its own."""
        request = request_of(self._context(), await self._visitor(http), control)
        asked = Asked.of(http.match_info, http.query)
        return await self._look_up(request, lambda begun: work(begun, asked))

    def _answer(self, outcome: Outcome[Any]) -> web.Response:
        """Return an outcome as JSON, with the time: the page keeps its clocks by that, not by its device's."""
        return json_answer(outcome, now=round(1000 * self._context().services.clock().timestamp()))

    async def _visitor(self, http: web.Request) -> Visitor:
        """Return who sends a request. Raises ``HTTPUnauthorized``."""
        visitor = await self._authenticate(http)
        if visitor is None:
            raise web.HTTPUnauthorized
        return visitor


def _word_in(value: Any, words: type[E]) -> E | None:
    """Return the word that a request names. Raises an HTTP error for one that is not among ``words``."""
    try:
        return None if value is None else words(str(value))
    except ValueError:
        raise web.HTTPBadRequest from None


def _moves_in(value: Any) -> tuple[str, ...]:
    """Return the moves that a request names, with spaces between. Raises an HTTP error for anything else."""
    if value is not None and (not isinstance(value, str) or len(value) > LONGEST_GAME + 300):
        raise web.HTTPBadRequest
    check_text(value or "")
    return tuple((value or "").split())


def _day_in(value: Any) -> date | None:
    """Return the day that a request names, as in 2026-03-31. Raises an HTTP error for anything else."""
    try:
        return None if value is None else date.fromisoformat(str(value))
    except ValueError:
        raise web.HTTPBadRequest from None


def json_answer(outcome: Outcome[Any], **more: int) -> web.Response:
    """Return an outcome as JSON: its value with how it came, or the sentence that says why there is none."""
    data = {"came": outcome.status.value, **more, **(outcome.value if isinstance(outcome.value, dict) else {})}
    if outcome.words is not None:
        words = translated(outcome.words)
        data["words"] = next((translated(here) for there, here in _ON_THE_PAGE if words == translated(there)), words)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    response = web.Response(text=text, status=STATUS[outcome.status], content_type="application/json")
    if len(text) > 1000:
        response.enable_compression()
    return response
