"""Matches on the page: what a match looks like, its pictures, moves and everything else its players can do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web

from bot.compute.job import JobSpec, Pool, Priority
from bot.games import GAMES
from bot.matches.model.building import Consent
from bot.matches.model.refusals import Refusal
from bot.matches.model.turn import check_to_move
from bot.matches.services.agreements import Answer
from bot.matches.services.turns import MoveReceipt
from bot.messages.guides import guide_pages
from bot.messages.wording import best_words
from bot.requests import actions
from bot.requests.context import SUGGESTION
from bot.requests.outcome import Status, execute
from bot.requests.request import Request
from bot.requests.review_words import step_words
from bot.storage.matches import open_offers
from bot.storage.records import Match, MatchState
from bot.web import boards
from bot.web.api import Api, Data, choices_asked, json_answer, letters_asked, ply_asked
from bot.web.guards import keys_in, number_in
from bot.web.match_state import check_own, in_letters, look_at, own_match, state, width_of
from bot.web.visitors import request_of
from bot.web.words import page_words
from renderers.i18n import current_language, translated
from renderers.i18n import gettext as _

_KEPT = "private, max-age=86400, immutable"
"""A picture's address says everything it depends on."""


class MatchRoutes:
    """The addresses of matches under ``prefix``."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def add_to(self, router: web.UrlDispatcher, prefix: str = "") -> None:
        match = prefix + r"/api/match/{match:\d{1,18}}"
        router.add_get(prefix + "/api/words", self._words)
        router.add_get(match, self._state)
        router.add_get(match + "/position", self._position)
        router.add_get(match + "/choices", self._choices)
        router.add_get(match + "/picture", self._picture)
        for subject in (match, prefix + r"/api/plan/{match:\d{1,18}}/{place:\d{1,3}}"):
            router.add_get(subject + "/rules", self._rules)
            router.add_get(subject + "/live", self._live)
        for act, handler in (
            ("move", self._move),
            (actions.Action.DRAW, self._draw),
            (actions.Action.TAKE_BACK, self._take_back),
            (actions.Action.ASK_TAKE_BACK, self._take_back),
            (actions.Action.CLAIM, self._claim),
            (actions.Action.CLOSE, self._close),
            (actions.Action.RESIGN, self._resign),
            (actions.Action.REMATCH, self._rematch),
            (actions.Action.HINT, self._hint),
            ("setup", self._set_up),
            ("offer", self._offer),
        ):
            router.add_post(f"{match}/{act}", handler)

    async def _words(self, http: web.Request) -> web.StreamResponse:
        async def words(_request: Request) -> Data:
            return {"words": page_words(), "language": current_language().code}

        return json_answer(await self._api.read(http, "words", words))

    async def _state(self, http: web.Request) -> web.StreamResponse:
        match_id, query = int(http.match_info["match"]), http.query
        width, flip = width_of(number_in(query.get("width"), 10_000)), number_in(query.get("flip"), 5) or 0
        letters = letters_asked(query)
        return json_answer(
            await self._api.read(http, "match", lambda request: state(request, match_id, width, flip, letters))
        )

    async def _position(self, http: web.Request) -> web.StreamResponse:
        match_id, query = int(http.match_info["match"]), http.query
        width, flip = width_of(number_in(query.get("width"), 10_000)), number_in(query.get("flip"), 5) or 0
        number, form = number_in(query.get("number"), 999_999) or 0, letters_asked(query)

        async def position(request: Request) -> Data:
            match = (await own_match(request, match_id)).match
            _same, played = await request.services.queries.match_and_entries(request.server, match_id)
            look, letters = look_at(request, match, width, flip=flip), in_letters(request, form)
            spec = JobSpec(Pool.INTERACTIVE, Priority.LOOK, ("page step", match_id, len(played), number, look, letters))
            board = await request.services.compute_as(
                spec, boards.stepped, match.variant, played, number, look, letters=letters
            )
            key = f"{match.ply}-{look.theme}-{int(look.coordinates)}"
            return {**board, "flip": flip, "key": key, "said": await _reviewed(request, match, number)}

        return json_answer(await self._api.read(http, "position", position))

    async def _choices(self, http: web.Request) -> web.StreamResponse:
        match_id, ply = int(http.match_info["match"]), number_in(http.query.get("ply"), 999_999)
        keys = choices_asked(http.query.get("keys", "[]"))

        async def choices(request: Request) -> Data:
            match_view = await own_match(request, match_id)
            check_to_move(match_view.match, request.turn_request(match_id, ply, match_view.match))
            position, game = match_view.game_state.position, match_view.match.game
            spec = JobSpec(Pool.INTERACTIVE, Priority.MOVE)
            compute = request.services.compute_as
            return await compute(spec, boards.choices, game, position, keys)

        return json_answer(await self._api.read(http, "choices", choices))

    async def _picture(self, http: web.Request) -> web.StreamResponse:
        """Draw the board: as it stands or stood at a ply, at an earlier position, or with a move under construction."""
        match_id, query = int(http.match_info["match"]), http.query
        width, flip = width_of(number_in(query.get("width"), 10_000)), number_in(query.get("flip"), 5) or 0
        number, keys = number_in(query.get("number"), 999_999), choices_asked(query.get("keys", "[]"))
        ply = number_in(query.get("ply"), 999_999)

        async def picture(request: Request) -> bytes:
            match_view = await own_match(request, match_id)
            match, compute = match_view.match, request.services.compute_as
            look = look_at(request, match, width, chosen=keys, flip=flip)
            if number is None and ply in (None, match.ply):
                spec = JobSpec(Pool.INTERACTIVE, Priority.LOOK, ("page picture", match_id, match.ply, look))
                return await compute(spec, boards.picture, match_view.game_state, look)
            _same, played = await request.services.queries.match_and_entries(request.server, match_id)
            if number is None:
                # The match has moved on since the page was told of this ply; it is told of the next one, too.
                played = [entry for entry in played if entry.ply <= (ply or 0)]
            shown = len(played) if number is None else number
            spec = JobSpec(Pool.INTERACTIVE, Priority.LOOK, ("page picture", match_id, len(played), shown, look))
            return await compute(spec, boards.step_picture, match.variant, played, shown, look)

        outcome = await self._api.read(http, "picture", picture)
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

        return json_answer(await self._api.read(http, "rules", rules))

    async def _live(self, http: web.Request) -> web.StreamResponse:
        """Open a socket for news of a match."""
        match_id, visitor = int(http.match_info["match"]), await self._api.visitor(http)
        request = request_of(self._api.context(), visitor, "live")
        outcome = await execute(request, lambda begun: check_own(begun, match_id), points=SUGGESTION)
        if outcome.status is not Status.DONE:
            return json_answer(outcome)
        return await self._api.news().attend(http, visitor, ("match", match_id))

    async def _move(self, http: web.Request) -> web.StreamResponse:
        match_id, (visitor, data) = int(http.match_info["match"]), await self._api.posted(http)
        keys, ply = keys_in(data.get("keys")), ply_asked(data)
        consent = Consent.CONFIRMED if data.get("confirmed") is True else Consent.CHOICE

        async def play(request: Request) -> Data:
            done = await actions.play_built_move(request, match_id, ply, keys, consent)
            if isinstance(done, MoveReceipt):
                return {"played": done.text}
            compute, spec = request.services.compute_as, JobSpec(Pool.INTERACTIVE, Priority.MOVE)
            return {"building": await compute(spec, boards.move_data, done.game_state.position, done.state)}

        return await self._api.execute(visitor, data, "move", play)

    async def _draw(self, http: web.Request) -> web.StreamResponse:
        return await self._act(http, "draw", actions.offer_draw)

    async def _take_back(self, http: web.Request) -> web.StreamResponse:
        return await self._act(http, "takeback", actions.take_back)

    async def _set_up(self, http: web.Request) -> web.StreamResponse:
        """Take back the set-up that was taken for the person, so that they can build their own."""

        async def reopen(request: Request, match_id: int, ply: int | None) -> str:
            await request.services.agreements.reopen_set_up(request.turn_request(match_id, ply))
            return _("Your move is taken back. It's your turn again.")

        return await self._act(http, "setup", reopen)

    async def _resign(self, http: web.Request) -> web.StreamResponse:
        return await self._act(http, "resign", actions.resign)

    async def _close(self, http: web.Request) -> web.StreamResponse:
        return await self._act(http, "close", actions.close)

    async def _claim(self, http: web.Request) -> web.StreamResponse:
        async def claim(request: Request, match_id: int, ply: int | None) -> str:
            over = await actions.claim(request, match_id, ply)
            return _("You won.") if over else _("They are out of the game.")

        return await self._act(http, "claim", claim)

    async def _act(
        self, http: web.Request, control: str, act: Callable[[Request, int, int | None], Awaitable[str]]
    ) -> web.StreamResponse:
        """Do something at the ply that the page shows, and return the answer in words."""
        match_id, (visitor, data) = int(http.match_info["match"]), await self._api.posted(http)
        ply = ply_asked(data)

        async def done(request: Request) -> Data:
            return {"words": await act(request, match_id, ply)}

        return await self._api.execute(visitor, data, control, done)

    async def _rematch(self, http: web.Request) -> web.StreamResponse:
        match_id, (visitor, data) = int(http.match_info["match"]), await self._api.posted(http)

        async def rematch(request: Request) -> Data:
            words, started = await actions.rematch(request, match_id)
            return {"words": words, "path": None if started is None else f"match/{started}"}

        return await self._api.execute(visitor, data, "rematch", rematch)

    async def _hint(self, http: web.Request) -> web.StreamResponse:
        match_id, (visitor, data) = int(http.match_info["match"]), await self._api.posted(http)
        ply = ply_asked(data)

        async def hint(request: Request) -> Data:
            match_view = await own_match(request, match_id)
            found = await request.services.hints.hint(request.turn_request(match_id, ply))
            compute, spec = request.services.compute_as, JobSpec(Pool.INTERACTIVE, Priority.LOOK)
            game, position, move = match_view.match.game, match_view.game_state.position, found.advice.move
            does = await compute(spec, boards.move_in_words, game, position, move)
            words = best_words(found.match, found.seat, found.advice, does)
            return {
                "words": words,
                "move": move,
                "building": await compute(spec, boards.choices, game, position, (move,)),
            }

        return await self._api.execute(visitor, data, "hint", hint)

    async def _offer(self, http: web.Request) -> web.StreamResponse:
        """Accept, decline or withdraw an offer of this match."""
        match_id, (visitor, data) = int(http.match_info["match"]), await self._api.posted(http)
        offer_id = number_in(data.get("offer"))
        try:
            given = Answer(str(data.get("answer")))
        except ValueError:
            raise web.HTTPBadRequest from None

        async def answer(request: Request) -> Data:
            open_here = {offer.id for offer in await request.services.read(open_offers, match_id)}
            if offer_id is None or offer_id not in open_here:
                raise Refusal(_("That has lapsed, as the match has moved on."))
            await request.services.agreements.answer(request.actor, offer_id, given)
            return {"words": ""}

        return await self._api.execute(visitor, data, "offer", answer)


async def _reviewed(request: Request, match: Match, number: int) -> str:
    """Return what the review says of a position and the move before it, if the match has been reviewed."""
    if match.state is not MatchState.OVER:
        return ""
    reviewed = await request.services.reviews.review_for(request.server, match.id, request.person.id)
    return "" if reviewed is None else step_words(match, reviewed.review, number)
