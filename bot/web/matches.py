"""Matches on the page: what a match looks like, its pictures, moves and everything else its players can do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model.policies.acts import next_level
from bot.matches.model.refusals import NoSuchMatch, Refusal
from bot.matches.model.turn import check_to_move
from bot.matches.services.match_queries import MatchView
from bot.matches.services.turns import MoveReceipt
from bot.messages.drawing import PendingMove
from bot.messages.wording import best_words
from bot.requests import actions
from bot.requests.request import Request
from bot.requests.review_words import step_words
from bot.requests.surfaces import Surface
from bot.storage.matches import open_offers
from bot.storage.records import Match, MatchState
from bot.web import boards
from bot.web.api import MATCH, Api, Asked, Data
from bot.web.building import SAID_BY_ADDRESS, Building, drawn, steps
from bot.web.match_state import check_own, own_match, state, surface_of
from bot.web.words import page_words
from renderers.i18n import current_language
from renderers.i18n import gettext as _


def add_matches(api: Api) -> None:
    MatchBuilding().add_to(api)
    api.get("words", "words", _words)
    api.get(MATCH + "/position", "position", _position)
    api.post(MATCH + "/hint", "hint", _hint, ("ply",))
    api.post(MATCH + "/offer", "offer", _offer, ("answer",))
    api.post(MATCH + "/pause", "pause", _pause, ("days",))
    api.post(MATCH + "/rematch", "rematch", _rematch)
    api.post(MATCH + "/level", "level", _play_level)
    acts: tuple[tuple[str, Callable[[Request, int, int | None], Awaitable[str]]], ...] = (
        (actions.Action.DRAW, actions.offer_draw),
        (actions.Action.TAKE_BACK, actions.take_back),
        (actions.Action.ASK_TAKE_BACK, actions.take_back),
        (actions.Action.CLAIM, _claim_win),
        (actions.Action.CLOSE, actions.close),
        (actions.Action.RESIGN, actions.resign),
        ("setup", _reopen_set_up),
    )
    for name, act in acts:
        api.post(f"{MATCH}/{name}", name, _in_words(act), ("ply",))


class MatchBuilding(Building):
    """A match as it stands."""

    address, subject = MATCH, "match"
    cache = SAID_BY_ADDRESS

    async def surface(self, request: Request, asked: Asked) -> Surface:
        return surface_of(request, await own_match(request, asked.match))

    async def number(self, request: Request, asked: Asked) -> int:
        await check_own(request, asked.match)
        return asked.match

    async def state(self, request: Request, asked: Asked) -> Data:
        return await state(request, asked)

    async def choices(self, request: Request, asked: Asked) -> Data:
        match_view = await own_match(request, asked.match)
        check_to_move(match_view.match, request.person, asked.ply)
        return await steps(request, surface_of(request, match_view), asked.keys)

    async def picture(self, request: Request, asked: Asked) -> bytes:
        """Draw the board: as it stands or stood at a ply, at an earlier position, or with a move under construction."""
        return await picture(request, asked, await own_match(request, asked.match))

    async def move(self, request: Request, asked: Asked) -> Data:
        done = await actions.play_built_move(request, asked.match, asked.ply, asked.keys, asked.consent)
        if isinstance(done, MoveReceipt):
            return {"played": done.text}
        compute, spec = request.services.compute_as, JobSpec(Pool.INTERACTIVE, Priority.MOVE)
        return {"building": await compute(spec, boards.move_data, done.game_state.position, done.state)}


async def _words(_request: Request, _asked: Asked) -> Data:
    return {"words": page_words(), "language": current_language().code}


async def picture(request: Request, asked: Asked, match_view: MatchView) -> bytes:
    """Draw the board of a match, as ``MatchBuilding.picture`` tells."""
    match, number, surface = match_view.match, asked.number, surface_of(request, match_view)
    if number is None and asked.ply in (None, match.ply):
        return await drawn(request, asked, surface)
    _same, played = await request.services.queries.match_and_entries(request.home, match.id)
    if number is None:
        # The match has moved on since the page was told of this ply; it is told of the next one, too.
        played = [entry for entry in played if entry.ply <= (asked.ply or 0)]
    shown = len(played) if number is None else number
    look = surface.look(request.preferences, PendingMove(asked.keys), asked.width, asked.flip)
    spec = JobSpec(Pool.INTERACTIVE, Priority.LOOK, ("page picture", match.id, len(played), shown, look))
    return await request.services.compute_as(spec, boards.step_picture, match.variant, played, shown, look)


async def _position(request: Request, asked: Asked) -> Data:
    match_view = await own_match(request, asked.match)
    said = await _reviewed(request, match_view.match, asked.number or 0)
    return {**await position(request, asked, match_view), "said": said}


async def position(request: Request, asked: Asked, match_view: MatchView) -> Data:
    """Return a position of a match, with the move that led to it."""
    match, number, letters = match_view.match, asked.number or 0, asked.in_letters(request.preferences)
    _same, played = await request.services.queries.match_and_entries(request.home, match.id)
    look = surface_of(request, match_view).look(request.preferences, width=asked.width, flip=asked.flip)
    spec = JobSpec(Pool.INTERACTIVE, Priority.LOOK, ("page step", match.id, len(played), number, look, letters))
    compute = request.services.compute_as
    board = await compute(spec, boards.stepped, match.variant, played, number, look, letters=letters)
    key = f"{match.ply}-{look.theme}-{int(look.coordinates)}"
    return {**board, "flip": asked.flip, "key": key, "said": ""}


async def _reviewed(request: Request, match: Match, number: int) -> str:
    """Return what the review says of a position and the move before it, if the match has been reviewed."""
    if match.state is not MatchState.OVER:
        return ""
    reviewed = await request.services.reviews.review_for(request.home, match.id, request.person.id)
    return "" if reviewed is None else step_words(match, reviewed.review, number)


def _in_words(
    act: Callable[[Request, int, int | None], Awaitable[str]],
) -> Callable[[Request, Asked], Awaitable[Data]]:
    """Return what does something at the ply that the page shows, and gives the answer in words."""

    async def done(request: Request, asked: Asked) -> Data:
        return {"words": await act(request, asked.match, asked.ply)}

    return done


async def _claim_win(request: Request, match_id: int, ply: int | None) -> str:
    over = await actions.claim_win(request, match_id, ply)
    return _("You won.") if over else _("They are out of the game.")


async def _reopen_set_up(request: Request, match_id: int, ply: int | None) -> str:
    """Take back the set-up that was taken for the person, so that they can build their own."""
    await request.services.agreements.reopen_set_up(request.actor, match_id, ply)
    return _("Your move is taken back. It's your turn again.")


async def _pause(request: Request, asked: Asked) -> Data:
    """Offer a pause of some days, accept one as long, or end it."""
    return {"words": await actions.pause(request, asked.match, asked.days or 0)}


async def _rematch(request: Request, asked: Asked) -> Data:
    await check_own(request, asked.match)
    words, started = await actions.rematch(request, asked.match)
    return {"words": words, "path": None if started is None else f"match/{started}"}


async def _play_level(request: Request, asked: Asked) -> Data:
    """Begin a match against the bot at the level after the one that the person has beaten in this match."""
    match = (await own_match(request, asked.match)).match
    level = next_level(match)
    if level is None:
        raise NoSuchMatch
    return {"words": "", "path": f"match/{await actions.play_level(request, match, level, match.board_message_id)}"}


async def _hint(request: Request, asked: Asked) -> Data:
    match_view = await own_match(request, asked.match)
    hint = await request.services.hints.hint(request.actor, asked.match, asked.ply)
    compute, spec = request.services.compute_as, JobSpec(Pool.INTERACTIVE, Priority.LOOK)
    surface, move = surface_of(request, match_view), hint.advice.move
    does = await compute(spec, boards.move_in_words, surface.game.key, surface.position, move)
    words = best_words(hint.match, hint.seat, hint.advice, does)
    return {"words": words, "move": move, "building": await steps(request, surface, (move,))}


async def _offer(request: Request, asked: Asked) -> Data:
    """Accept, decline or withdraw an offer of this match."""
    open_here = {offer.id for offer in await request.services.read(open_offers, asked.match)}
    if asked.offer not in open_here or asked.offer is None or asked.answer is None:
        raise Refusal(_("That has lapsed."))
    await request.services.agreements.answer(request.actor, asked.offer, asked.answer)
    return {"words": ""}
