"""Matches that people without an account watch by a link: as on the page of a match, with nothing to do but look."""

from __future__ import annotations

from dataclasses import replace

from bot.matches.services.match_queries import MatchView
from bot.matches.services.watching import Watched, as_watched
from bot.requests.context import Place
from bot.requests.request import Request
from bot.web import match_state, matches
from bot.web.api import WATCHED, Api, Asked, Data
from bot.web.building import SAID_BY_ADDRESS, guide
from bot.web.guest_games import FRIENDS
from bot.web.match_state import surface_of
from renderers.i18n import translated


def add_watching(api: Api) -> None:
    """Add the addresses of matches that are watched. Each raises ``NotWatched`` for a link that leads nowhere."""
    api.get(WATCHED, "watch", _state)
    api.get(WATCHED + "/position", "position", _position)
    api.get(WATCHED + "/rules", "rules", _rules)
    api.picture(WATCHED + "/picture", "picture", _picture, SAID_BY_ADDRESS)
    api.live(WATCHED + "/live", "watch", _number)


async def _look(request: Request, asked: Asked) -> tuple[Request, Asked, MatchView, Watched]:
    """Return what a link leads to as everybody may see it, and the request as one in the server of the match."""
    watched = await request.services.watching.watched(asked.link)
    request = replace(request, place=Place.of_home(watched.guild_id, request.place.language))
    view = await request.services.queries.match_view(watched.guild_id, watched.match_id)
    return request, replace(asked, match=watched.match_id, keys=()), as_watched(view, named=watched.named), watched


async def _state(request: Request, asked: Asked) -> Data:
    request, asked, view, watched = await _look(request, asked)
    beside = await request.services.queries.beside(request.home, asked.match, request.person.id)
    beside = replace(beside, version=watched.version, offers=[], away_until=None)
    data = await match_state.shown(request, asked, view, beside)
    if data["over"]:
        data["next"] = {"path": "play", "label": translated(FRIENDS)}
    return {**data, "board": _stamped(data["board"], watched)}


async def _position(request: Request, asked: Asked) -> Data:
    request, asked, view, watched = await _look(request, asked)
    return _stamped(await matches.position(request, asked, view), watched)


async def _picture(request: Request, asked: Asked) -> bytes:
    request, asked, view, _watched = await _look(request, asked)
    return await matches.picture(request, asked, view)


async def _rules(request: Request, asked: Asked) -> Data:
    request, _asked, view, _watched = await _look(request, asked)
    return guide(surface_of(request, view))


async def _number(request: Request, asked: Asked) -> int:
    return (await request.services.watching.watched(asked.link)).match_id


def _stamped(board: Data, watched: Watched) -> Data:
    """Return a board whose pictures are other ones with names and without."""
    return {**board, "key": f"{board['key']}-{int(watched.named)}"}
