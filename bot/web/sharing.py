"""Sharing from the page: replays and reviews in the channel of the match, puzzles in the channel for puzzles."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from bot.matches.model.refusals import Refusal
from bot.requests.request import Request
from bot.storage import puzzles
from bot.storage.records import ShareKind
from bot.web.api import MATCH, PUZZLE, Api, Asked, Data
from bot.web.match_state import own_match
from renderers.i18n import gettext as _


def add_sharing(api: Api) -> None:
    api.post(MATCH + "/share", "share", partial(_of_match, ShareKind.REPLAY))
    api.post(MATCH + "/share-review", "share", partial(_of_match, ShareKind.REVIEW))
    api.post(PUZZLE + "/share", "share", _puzzle)


async def _of_match(kind: ShareKind, request: Request, asked: Asked) -> Data:
    # The thread of the match is read by those who played: it is shared in the channel around it.
    channel_id = (await own_match(request, asked.match)).match.channel_id
    return await _shared(request, channel_id, kind, asked.match)


async def _puzzle(request: Request, asked: Asked) -> Data:
    channel_id = await channel_for_puzzles(request)
    if channel_id is None:
        raise Refusal(_("This server has no channel for puzzles. Share this one in Discord, with `/puzzle`."))
    return await _shared(request, channel_id, ShareKind.PUZZLE, asked.attempt)


async def channel_for_puzzles(request: Request) -> int | None:
    """Return the channel in which the server has its puzzle of the day, or None where it has none."""
    if request.place.direct:
        return None
    daily = await request.services.read(puzzles.channel, request.server)
    return None if daily is None else daily.channel_id


async def _shared(request: Request, channel_id: int, kind: ShareKind, thing: int) -> Data:
    """Share something in a channel in which the person may post. Raises ``Refusal``."""
    place = await request.context.lookup.place(request.server, channel_id, request.person.id)
    if place is None:
        raise Refusal(_("I can't look at that channel right now. Share this in Discord instead."))
    name = request.context.lookup.channel_names(request.server, [channel_id])[channel_id]
    if not place.may_post:
        raise Refusal(_("You aren't allowed to post in #{channel}, so you can't share this there.", channel=name))
    actor = await replace(request, place=place).to_share()
    await request.services.shares.share(kind, actor, thing)
    name = request.context.lookup.channel_names(request.server, [actor.channel])[actor.channel]
    return {"words": _("Shared in #{channel}.", channel=name)}
