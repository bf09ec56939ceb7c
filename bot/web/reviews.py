"""Reviews on the page: asked for, watched while they are made, and shown; and the best move in a position."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from aiohttp import web

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.services.reviews import Reviewed, ReviewProgress
from bot.messages.pictures import Picture
from bot.messages.wording import best_words, title
from bot.requests.request import Request
from bot.requests.review_words import (
    GLYPHS,
    NOTHING,
    accuracy,
    chances_said,
    chart,
    chart_title,
    in_words,
    kept_back,
    moment,
    unclear,
)
from bot.web import boards
from bot.web.api import Api, Data, json_answer
from bot.web.guards import number_in
from bot.web.match_state import look_at, own_match
from renderers.charts.line_chart import reach
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import translated


class ReviewRoutes:
    """The addresses of reviews under ``prefix``."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def add_to(self, router: web.UrlDispatcher, prefix: str = "") -> None:
        match = prefix + r"/api/match/{match:\d{1,18}}"
        router.add_post(match + "/review", self._ask)
        router.add_get(match + "/review", self._review)
        router.add_get(match + "/chances", self._chances)
        router.add_post(match + "/best", self._best)

    async def _ask(self, http: web.Request) -> web.StreamResponse:
        """Have a match reviewed, unless that has been done; return the review, or how far it is."""
        match_id, (visitor, data) = int(http.match_info["match"]), await self._api.posted(http)

        async def json_body(request: Request) -> Data:
            await own_match(request, match_id)
            progress = await request.services.reviews.ask(request.server, match_id, request.person.id)
            return {"words": "", "review": await _shown(request, match_id, progress)}

        return await self._api.execute(visitor, data, "review", json_body)

    async def _review(self, http: web.Request) -> web.StreamResponse:
        """Return a review that was asked for, or how far it is."""
        match_id = int(http.match_info["match"])

        async def review(request: Request) -> Data:
            await own_match(request, match_id)
            progress = await request.services.reviews.progress(request.server, match_id)
            return {"review": None if progress is None else await _shown(request, match_id, progress)}

        return json_answer(await self._api.read(http, "review", review))

    async def _chances(self, http: web.Request) -> web.StreamResponse:
        """Draw the chances to win."""
        match_id = int(http.match_info["match"])

        async def chances(request: Request) -> Picture | None:
            await own_match(request, match_id)
            reviewed = await request.services.reviews.review_for(request.server, match_id, request.person.id)
            drawn = None if reviewed is None else chart(reviewed.match, reviewed.review)
            if drawn is None:
                return None
            return await request.context.renderer.chances(drawn, in_words(drawn), request.preferences.theme)

        outcome = await self._api.read(http, "chances", chances)
        if outcome.value is None:
            return json_answer(outcome)
        return web.Response(body=outcome.value.data, content_type="image/png")

    async def _best(self, http: web.Request) -> web.StreamResponse:
        """Return the best move in a position of a match that is over, in words."""
        match_id, (visitor, data) = int(http.match_info["match"]), await self._api.posted(http)
        number = number_in(data.get("number"), 999_999)
        if number is None:
            raise web.HTTPBadRequest

        async def best(request: Request) -> Data:
            match = (await own_match(request, match_id)).match
            found = await request.services.hints.best(request.server, match_id, number, request.person.id)
            spec, look = JobSpec(Pool.INTERACTIVE, Priority.LOOK), look_at(request, match, 600)
            compute, move = request.services.compute_as, found.advice.move
            does = await compute(spec, boards.best_in_words, match.variant, found.played, found.number, look, move)
            return {"words": best_words(match, found.seat, found.advice, does), "move": move}

        return await self._api.execute(visitor, data, "best", best)


async def _shown(request: Request, match_id: int, progress: ReviewProgress) -> dict[str, Any]:
    """Return a review as the page shows it to a person, or how far it is."""
    if not progress.done:
        judged = _n("{judged} of {n} position", "{judged} of {n} positions", progress.positions, judged=progress.judged)
        words = _("**Reviewing {match}**", match=title(progress.match))
        return {"done": False, "judged": progress.judged, "positions": progress.positions, "said": f"{words}: {judged}"}
    reviewed = await request.services.reviews.review_for(request.server, match_id, request.person.id)
    if reviewed is None:
        return {"done": True, "lines": [translated(NOTHING)], "moments": [], "notes": [], "glyphs": {}, "chart": None}
    return await _finished(request, reviewed)


async def _finished(request: Request, reviewed: Reviewed) -> dict[str, Any]:
    match, review = reviewed.match, reviewed.review
    drawn = chart(match, review)
    nothing = [] if drawn or reviewed.hidden or review.unclear else [translated(NOTHING)]
    lines = [accuracy(match, review, seat.seat) for seat in match.seats] if drawn else nothing
    told = _("Chances to win. {chances}", chances=in_words(drawn)) if drawn else ""
    return {
        "done": True,
        "chart": {
            "words": told,
            "title": chart_title(match),
            "chances": chances_said(match, review),
            "drawn": drawn is not None and not request.preferences.text_boards,
            "reach": None if drawn is None else asdict(reach(drawn)),
        },
        "lines": lines,
        # Without such a move there is nothing to share.
        "share": _("Share") if review.moments() else None,
        "moments": [{"number": move.number, "text": moment(match, move, "")} for move in review.moments()],
        "notes": [words for words in (unclear(review), kept_back(reviewed)) if words],
        "glyphs": {str(move.number): GLYPHS[move.mark] for move in review.moves if GLYPHS[move.mark]},
    }
