"""Reviews on the page: asked for, watched while they are made, and shown; and the best move in a position."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.services.reviews import Reviewed, ReviewProgress
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
from bot.web.api import MATCH, Api, Asked, Data
from bot.web.match_state import own_match, surface_of
from renderers.charts.line_chart import reach
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import translated


def add_reviews(api: Api) -> None:
    api.post(MATCH + "/review", "review", _ask)
    api.get(MATCH + "/review", "review", _review)
    api.picture(MATCH + "/chances", "chances", _chances)
    api.post(MATCH + "/best", "best", _best, ("number",))


async def _ask(request: Request, asked: Asked) -> Data:
    """Have a match reviewed, unless that has been done; return the review, or how far it is."""
    await own_match(request, asked.match)
    progress = await request.services.reviews.ask(request.home, asked.match, request.person.id)
    return {"words": "", "review": await _shown(request, asked.match, progress)}


async def _review(request: Request, asked: Asked) -> Data:
    """Return a review that was asked for, or how far it is."""
    await own_match(request, asked.match)
    progress = await request.services.reviews.progress(request.home, asked.match)
    return {"review": None if progress is None else await _shown(request, asked.match, progress)}


async def _chances(request: Request, asked: Asked) -> bytes | None:
    """Draw the chances to win."""
    await own_match(request, asked.match)
    reviewed = await request.services.reviews.review_for(request.home, asked.match, request.person.id)
    drawn = None if reviewed is None else chart(reviewed.match, reviewed.review)
    if drawn is None:
        return None
    return (await request.context.renderer.chances(drawn, in_words(drawn), request.preferences.theme)).data


async def _best(request: Request, asked: Asked) -> Data:
    """Return the best move in a position of a match that is over, in words."""
    match_view, number = await own_match(request, asked.match), asked.number
    assert number is not None
    match = match_view.match
    hint = await request.services.hints.best(request.home, match.id, number, request.person.id)
    spec, look = JobSpec(Pool.INTERACTIVE, Priority.LOOK), surface_of(request, match_view).seen
    compute, move = request.services.compute_as, hint.advice.move
    does = await compute(spec, boards.best_in_words, match.variant, hint.played, hint.number, look, move)
    return {"words": best_words(match, hint.seat, hint.advice, does), "move": move}


async def _shown(request: Request, match_id: int, progress: ReviewProgress) -> dict[str, Any]:
    """Return a review as the page shows it to a person, or how far it is."""
    if not progress.done:
        judged = _n("{judged} of {n} position", "{judged} of {n} positions", progress.positions, judged=progress.judged)
        words = _("**Reviewing {match}**", match=title(progress.match))
        so_far = await request.services.reviews.review_for(request.home, match_id, request.person.id, so_far=True)
        moves = {} if so_far is None else _moves(so_far)
        return {
            "done": False,
            "judged": progress.judged,
            "positions": progress.positions,
            "said": f"{words}: {judged}",
            **moves,
        }
    reviewed = await request.services.reviews.review_for(request.home, match_id, request.person.id)
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
        "share": _("Share") if match.shareable and review.moments() else None,
        "notes": [words for words in (unclear(review), kept_back(reviewed)) if words],
        **_moves(reviewed),
    }


def _moves(reviewed: Reviewed) -> dict[str, Any]:
    """Return what a review says of single moves."""
    match, review = reviewed.match, reviewed.review
    return {
        "moments": [{"number": move.number, "text": moment(match, move, "")} for move in review.moments()],
        "glyphs": {str(move.number): GLYPHS[move.mark] for move in review.moves if GLYPHS[move.mark]},
    }
