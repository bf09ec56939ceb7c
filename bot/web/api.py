"""The interface of the page: what a match looks like, its pictures, moves and everything else its players can do.

Each way in builds a ``Request`` and carries it out like one from Discord, with the same limits and the same errors.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from aiohttp import web

from bot.compute.job import JobSpec, Pool, Priority
from bot.games import GAMES
from bot.matches.model.refusals import Refusal, Stale
from bot.matches.model.turn import MOVED_ON, check_to_move
from bot.matches.services.agreements import Answer
from bot.matches.services.turns import MoveReceipt
from bot.messages.guides import guide_pages
from bot.messages.wording import best_words
from bot.requests import acts
from bot.requests.context import SUGGESTION, BotContext
from bot.requests.outcome import Came, Outcome, carry_out
from bot.requests.request import Request
from bot.requests.review_words import step_words
from bot.storage.records import Match, MatchState
from bot.web import boards
from bot.web.guards import asked, keys_in, number_in, uuid_of
from bot.web.live import News
from bot.web.match_state import check_own, in_letters, look_at, own_match, state, width_of
from bot.web.visitors import Authenticate, Visitor, request_of
from bot.web.words import page_words
from renderers.i18n import current_language, translated
from renderers.i18n import gettext as _

T = TypeVar("T")
Data = dict[str, Any]

_STATUS = {Came.DONE: 200, Came.REPEATED: 200, Came.REFUSED: 409, Came.UNAVAILABLE: 503, Came.FAILED: 500}
_KEPT = "private, max-age=86400, immutable"
"""A picture's address says everything it depends on."""


class Api:
    """The addresses under ``prefix``, for those whom ``authenticate`` knows."""

    def __init__(self, context: Callable[[], BotContext], news: Callable[[], News], authenticate: Authenticate) -> None:
        self._context = context
        self._news = news
        self._authenticate = authenticate

    def add_to(self, router: web.UrlDispatcher, prefix: str = "") -> None:
        """Add the addresses to a router."""
        match = prefix + r"/api/match/{match:\d{1,18}}"
        router.add_get(prefix + "/api/words", self._words)
        router.add_get(match, self._state)
        router.add_get(match + "/position", self._position)
        router.add_get(match + "/choices", self._choices)
        router.add_get(match + "/picture", self._picture)
        router.add_get(match + "/rules", self._rules)
        router.add_get(match + "/live", self._live)
        for act, handler in (
            ("move", self._move),
            (acts.Act.DRAW, self._draw),
            (acts.Act.TAKE_BACK, self._take_back),
            (acts.Act.ASK_TAKE_BACK, self._take_back),
            (acts.Act.CLAIM, self._claim),
            (acts.Act.RESIGN, self._resign),
            (acts.Act.REMATCH, self._rematch),
            (acts.Act.HINT, self._hint),
            ("setup", self._set_up),
            ("offer", self._offer),
        ):
            router.add_post(f"{match}/{act}", handler)

    async def _visitor(self, http: web.Request) -> Visitor:
        visitor = await self._authenticate(http)
        if visitor is None:
            raise web.HTTPUnauthorized
        return visitor

    async def _asked(self, http: web.Request) -> tuple[Visitor, Data]:
        return await self._visitor(http), await asked(http)

    async def _done(
        self, visitor: Visitor, data: Data, control: str, work: Callable[[Request], Awaitable[Data]]
    ) -> web.StreamResponse:
        """Carry out what a visitor asks for by POST, with the UUID that the page gave it."""
        request = request_of(self._context(), visitor, control, uuid_of(data))
        return json_answer(await carry_out(request, work))

    async def _read(self, http: web.Request, control: str, work: Callable[[Request], Awaitable[T]]) -> Outcome[T]:
        request = request_of(self._context(), await self._visitor(http), control)
        return await carry_out(request, work, points=SUGGESTION)

    async def _words(self, http: web.Request) -> web.StreamResponse:
        async def words(_request: Request) -> Data:
            return {"words": page_words(), "language": current_language().code}

        return json_answer(await self._read(http, "words", words))

    async def _state(self, http: web.Request) -> web.StreamResponse:
        match_id, query = int(http.match_info["match"]), http.query
        width, flip = width_of(number_in(query.get("width"), 10_000)), number_in(query.get("flip"), 5) or 0
        letters = letters_asked(query)
        return json_answer(
            await self._read(http, "match", lambda request: state(request, match_id, width, flip, letters))
        )

    async def _position(self, http: web.Request) -> web.StreamResponse:
        """Return the board of an earlier position."""
        match_id, query = int(http.match_info["match"]), http.query
        width, flip = width_of(number_in(query.get("width"), 10_000)), number_in(query.get("flip"), 5) or 0
        number, form = number_in(query.get("number"), 999_999) or 0, letters_asked(query)

        async def position(request: Request) -> Data:
            match = (await own_match(request, match_id)).match
            _same, played = await request.services.queries.played(request.server, match_id)
            look, letters = look_at(request, match, width, flip=flip), in_letters(request, form)
            spec = JobSpec(Pool.PICTURES, Priority.LOOK, ("page step", match_id, len(played), number, look, letters))
            board = await request.services.context.compute_as(
                spec, boards.stepped, match.variant, played, number, look, letters=letters
            )
            key = f"{match.ply}-{look.theme}-{int(look.coordinates)}"
            return {**board, "flip": flip, "key": key, "said": await _reviewed(request, match, number)}

        return json_answer(await self._read(http, "position", position))

    async def _choices(self, http: web.Request) -> web.StreamResponse:
        """Return what follows some choices."""
        match_id, ply = int(http.match_info["match"]), number_in(http.query.get("ply"), 999_999)
        keys = choices_asked(http.query.get("keys", "[]"))

        async def choices(request: Request) -> Data:
            match_view = await own_match(request, match_id)
            check_to_move(match_view.match, request.turn(match_id, ply, match_view.match))
            position, game = match_view.game_state.position, match_view.match.game
            spec = JobSpec(Pool.PICTURES, Priority.MOVE)
            compute = request.services.context.compute_as
            return await compute(spec, boards.choices, game, position, keys)

        return json_answer(await self._read(http, "choices", choices))

    async def _picture(self, http: web.Request) -> web.StreamResponse:
        """Draw the board: as it stands, at an earlier position, or with a move under construction."""
        match_id, query = int(http.match_info["match"]), http.query
        width, flip = width_of(number_in(query.get("width"), 10_000)), number_in(query.get("flip"), 5) or 0
        number, keys = number_in(query.get("number"), 999_999), choices_asked(query.get("keys", "[]"))
        ply = number_in(query.get("ply"), 999_999)

        async def picture(request: Request) -> bytes:
            match_view = await own_match(request, match_id)
            match, compute = match_view.match, request.services.context.compute_as
            look = look_at(request, match, width, chosen=keys, flip=flip)
            if number is None:
                if ply not in (None, match.ply):
                    raise Stale(MOVED_ON)
                spec = JobSpec(Pool.PICTURES, Priority.LOOK, ("page picture", match_id, match.ply, look))
                return await compute(spec, boards.picture, match_view.game_state, look)
            _same, played = await request.services.queries.played(request.server, match_id)
            spec = JobSpec(Pool.PICTURES, Priority.LOOK, ("page picture", match_id, len(played), number, look))
            return await compute(spec, boards.step_picture, match.variant, played, number, look)

        outcome = await self._read(http, "picture", picture)
        if outcome.value is None:
            return json_answer(outcome)
        return web.Response(body=outcome.value, content_type="image/png", headers={"Cache-Control": _KEPT})

    async def _rules(self, http: web.Request) -> web.StreamResponse:
        """Return the guide of the game."""
        match_id = int(http.match_info["match"])

        async def rules(request: Request) -> Data:
            match = (await own_match(request, match_id)).match
            game = GAMES[match.game]
            pages = guide_pages(game, game.variant(match.variant))
            return {"pages": [{"title": translated(page.title), "text": translated(page.text)} for page in pages]}

        return json_answer(await self._read(http, "rules", rules))

    async def _live(self, http: web.Request) -> web.StreamResponse:
        """Open a socket for news of a match."""
        match_id, visitor = int(http.match_info["match"]), await self._visitor(http)
        request = request_of(self._context(), visitor, "live")
        outcome = await carry_out(request, lambda begun: check_own(begun, match_id), points=SUGGESTION)
        if outcome.came is not Came.DONE:
            return json_answer(outcome)
        return await self._news().attend(http, visitor, ("match", match_id))

    async def _move(self, http: web.Request) -> web.StreamResponse:
        match_id, (visitor, data) = int(http.match_info["match"]), await self._asked(http)
        keys, ply, confirmed = keys_in(data.get("keys")), ply_asked(data), data.get("confirmed") is True

        async def play(request: Request) -> Data:
            done = await acts.play_choices(request, match_id, ply, keys, confirmed=confirmed)
            if isinstance(done, MoveReceipt):
                return {"played": done.text}
            match, position = done.match_view.match, done.match_view.game_state.position
            compute, spec = request.services.context.compute_as, JobSpec(Pool.PICTURES, Priority.MOVE)
            return {"building": await compute(spec, boards.choices, match.game, position, keys)}

        return await self._done(visitor, data, "move", play)

    async def _draw(self, http: web.Request) -> web.StreamResponse:
        return await self._act(http, "draw", acts.offer_draw)

    async def _take_back(self, http: web.Request) -> web.StreamResponse:
        return await self._act(http, "takeback", acts.take_back)

    async def _set_up(self, http: web.Request) -> web.StreamResponse:
        """Take back the set-up that was taken for the person, so that they can build their own."""

        async def reopen(request: Request, match_id: int, ply: int | None) -> str:
            await request.services.agreements.reopen_set_up(request.turn(match_id, ply))
            return _("Your move is taken back. It's your turn again.")

        return await self._act(http, "setup", reopen)

    async def _resign(self, http: web.Request) -> web.StreamResponse:
        return await self._act(http, "resign", acts.resign)

    async def _claim(self, http: web.Request) -> web.StreamResponse:
        async def claim(request: Request, match_id: int, ply: int | None) -> str:
            over = await acts.claim(request, match_id, ply)
            return _("You won.") if over else _("They are out of the game.")

        return await self._act(http, "claim", claim)

    async def _act(
        self, http: web.Request, control: str, act: Callable[[Request, int, int | None], Awaitable[str]]
    ) -> web.StreamResponse:
        """Do something at the ply that the page shows, and return the answer in words."""
        match_id, (visitor, data) = int(http.match_info["match"]), await self._asked(http)
        ply = ply_asked(data)

        async def done(request: Request) -> Data:
            return {"words": await act(request, match_id, ply)}

        return await self._done(visitor, data, control, done)

    async def _rematch(self, http: web.Request) -> web.StreamResponse:
        match_id, (visitor, data) = int(http.match_info["match"]), await self._asked(http)

        async def rematch(request: Request) -> Data:
            words, started = await acts.rematch(request, match_id)
            return {"words": words, "path": None if started is None else f"match/{started}"}

        return await self._done(visitor, data, "rematch", rematch)

    async def _hint(self, http: web.Request) -> web.StreamResponse:
        match_id, (visitor, data) = int(http.match_info["match"]), await self._asked(http)
        ply = ply_asked(data)

        async def hint(request: Request) -> Data:
            match_view = await own_match(request, match_id)
            found = await request.services.hints.hint(request.turn(match_id, ply))
            compute, spec = request.services.context.compute_as, JobSpec(Pool.PICTURES, Priority.LOOK)
            game, position, move = match_view.match.game, match_view.game_state.position, found.advice.move
            does = await compute(spec, boards.move_in_words, game, position, move)
            words = best_words(found.match, found.seat, found.advice, does)
            return {
                "words": words,
                "move": move,
                "building": await compute(spec, boards.choices, game, position, (move,)),
            }

        return await self._done(visitor, data, "hint", hint)

    async def _offer(self, http: web.Request) -> web.StreamResponse:
        """Accept, decline or withdraw an offer of this match."""
        match_id, (visitor, data) = int(http.match_info["match"]), await self._asked(http)
        offer_id = number_in(data.get("offer"))
        try:
            given = Answer(str(data.get("answer")))
        except ValueError:
            raise web.HTTPBadRequest from None

        async def answer(request: Request) -> Data:
            open_here = {offer.id for offer in await request.services.queries.open_offers(match_id)}
            if offer_id is None or offer_id not in open_here:
                raise Refusal(_("That has lapsed, as the match has moved on."))
            await request.services.agreements.answer(request.server, offer_id, request.person, request.id, given)
            return {"words": ""}

        return await self._done(visitor, data, "offer", answer)


async def _reviewed(request: Request, match: Match, number: int) -> str:
    """Return what the review says of a position and the move before it, if the match has been reviewed."""
    if match.state is not MatchState.OVER:
        return ""
    reviewed = await request.services.reviews.reviewed(request.server, match.id, request.person.id)
    return "" if reviewed is None else step_words(match, reviewed.review, number)


def letters_asked(query: Mapping[str, str]) -> bool | None:
    """Return whether a board is asked for in letters, or None where the person's preference is to decide."""
    return {"1": True, "0": False}.get(query.get("letters", ""))


def ply_asked(data: Data) -> int:
    """Return the ply that the page shows. Raises an HTTP error where it is missing."""
    ply = number_in(data.get("ply"), 999_999)
    if ply is None:
        raise web.HTTPBadRequest
    return ply


def choices_asked(text: str) -> tuple[str, ...]:
    """Return the choices that an address names. Raises an HTTP error for anything else."""
    try:
        return keys_in(json.loads(text))
    except (ValueError, RecursionError):
        raise web.HTTPBadRequest from None


def json_answer(outcome: Outcome[Any]) -> web.Response:
    """Return an outcome as JSON: its value with how it came, or the sentence that says why there is none."""
    data = {"came": outcome.came.value, **(outcome.value if isinstance(outcome.value, dict) else {})}
    if outcome.words is not None:
        data["words"] = translated(outcome.words)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    response = web.Response(text=text, status=_STATUS[outcome.came], content_type="application/json")
    if len(text) > 1000:
        response.enable_compression()
    return response
