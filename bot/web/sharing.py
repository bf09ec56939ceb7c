"""Sharing from the page: replays and reviews in the channel of the match, puzzles in the channel for puzzles."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from aiohttp import web

from bot.matches.model.actor import Actor
from bot.matches.model.refusals import Refusal
from bot.requests.request import Request
from bot.storage import puzzles
from bot.web.api import Api, Data
from bot.web.match_state import own_match
from renderers.i18n import gettext as _

Share = Callable[[Actor, int], Awaitable[None]]


class ShareRoutes:
    """The addresses for sharing under ``prefix``."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def add_to(self, router: web.UrlDispatcher, prefix: str = "") -> None:
        match = prefix + r"/api/match/{match:\d{1,18}}"
        router.add_post(match + "/share", self._replay)
        router.add_post(match + "/share-review", self._review)
        router.add_post(prefix + r"/api/puzzle/{attempt:\d{1,18}}/share", self._puzzle)

    async def _replay(self, http: web.Request) -> web.StreamResponse:
        return await self._of_match(http, lambda request: request.services.shares.replay)

    async def _review(self, http: web.Request) -> web.StreamResponse:
        return await self._of_match(http, lambda request: request.services.shares.review)

    async def _of_match(self, http: web.Request, chosen: Callable[[Request], Share]) -> web.StreamResponse:
        match_id, (visitor, data) = int(http.match_info["match"]), await self._api.posted(http)

        async def share(request: Request) -> Data:
            # The thread of the match is read by those who played: it is shared in the channel around it.
            channel_id = (await own_match(request, match_id)).match.channel_id
            return await _shared(request, channel_id, chosen(request), match_id)

        return await self._api.execute(visitor, data, "share", share)

    async def _puzzle(self, http: web.Request) -> web.StreamResponse:
        attempt_id, (visitor, data) = int(http.match_info["attempt"]), await self._api.posted(http)

        async def share(request: Request) -> Data:
            channel_id = await channel_for_puzzles(request)
            if channel_id is None:
                raise Refusal(_("This server has no channel for puzzles. Share this one in Discord, with `/puzzle`."))
            return await _shared(request, channel_id, request.services.shares.puzzle, attempt_id)

        return await self._api.execute(visitor, data, "share", share)


async def channel_for_puzzles(request: Request) -> int | None:
    """Return the channel in which the server has its puzzle of the day, or None where it has none."""
    daily = await request.services.read(puzzles.channel, request.server)
    return None if daily is None else daily.channel_id


async def _shared(request: Request, channel_id: int, share: Share, subject_id: int) -> Data:
    """Share something in a channel in which the person may post. Raises ``Refusal``."""
    place = await request.context.lookup.place(request.server, channel_id, request.person.id)
    if place is None:
        raise Refusal(_("I can't look at that channel right now. Share this in Discord instead."))
    name = request.context.lookup.channel_names(request.server, [channel_id])[channel_id]
    if not place.may_post:
        raise Refusal(_("You aren't allowed to post in #{channel}, so you can't share this there.", channel=name))
    actor = await replace(request, place=place).to_share()
    await share(actor, subject_id)
    name = request.context.lookup.channel_names(request.server, [actor.channel])[actor.channel]
    return {"words": _("Shared in #{channel}.", channel=name)}
