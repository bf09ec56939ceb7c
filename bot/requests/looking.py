"""Matches as a request may look at them: every way in by a match's number asks ``may_see`` here. Cups likewise."""

from __future__ import annotations

from collections.abc import Iterable

from bot.matches.model.policies.visibility import Viewer, Way, may_see
from bot.matches.model.refusals import NoSuchMatch
from bot.matches.services.match_queries import MatchView
from bot.requests.request import Request
from bot.storage import matches, shares
from bot.storage.records import Entry, Match


async def match_view(request: Request, match_id: int, way: Way = Way.NUMBER) -> MatchView:
    """Return a match with its state. Raises ``NoSuchMatch`` for one that the person may not see, or ``Quarantined``."""
    view = await request.services.queries.match_view(request.home, match_id)
    await _check(request, view.match, way)
    return view


async def match_and_entries(request: Request, match_id: int, way: Way = Way.NUMBER) -> tuple[Match, list[Entry]]:
    """Return a match and its list of moves. Raises ``NoSuchMatch`` for one that the person may not see."""
    match, played = await request.services.queries.match_and_entries(request.home, match_id)
    await _check(request, match, way)
    return match, played


async def check(request: Request, match_id: int) -> None:
    """Raise ``NoSuchMatch`` if the person may not see a match."""
    match = await request.services.read(matches.get, match_id)
    if match is None:
        raise NoSuchMatch
    await _check(request, match, Way.NUMBER)


async def hidden_places(request: Request, channel_ids: Iterable[int]) -> frozenset[int]:
    """Return those of some channels and threads of the server whose cups the person is not shown.

    Those are places that they cannot open. One that is not known may be an archived thread; managers see all. Discord
    is asked only for places other than the one they are in.
    """
    lookup, place = request.context.lookup, request.place
    named = frozenset(lookup.channel_names(request.server, channel_ids)) - {place.channel_id, place.parent_id}
    if not named or request.can_manage_server:
        return frozenset()
    return named - await lookup.visible(request.server, named, request.person.id)


async def _check(request: Request, match: Match, way: Way) -> None:
    here, plays = match.guild_id == request.home, match.seat_of(request.person.id) is not None
    # Looked up only for those who do not play: it may ask Discord.
    sees_place = plays or (here and way is Way.NUMBER and await _sees_place(request, match))
    if not may_see(way, Viewer(here=here, plays=plays, sees_place=sees_place, private=match.private)):
        raise NoSuchMatch


async def _sees_place(request: Request, match: Match) -> bool:
    """Return whether a person can open the place of a match, or it was shared where they ask."""
    place = request.place
    # A thread that is archived may not be known; one that is not private is seen by all who see its channel.
    opens = match.place_id if match.private else match.channel_id
    if opens in (place.channel_id, place.parent_id) or match.place_id == place.channel_id:
        return True
    if opens in await request.context.lookup.visible(match.guild_id, [opens], request.person.id):
        return True
    channels = [channel_id for channel_id in (place.channel_id, place.parent_id) if channel_id is not None]
    return await request.services.read(shares.is_shown_in, match.id, channels)
