"""Sharing from the page: replays and reviews in the channel of the match, puzzles in the channel for puzzles."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.matches.model.actor import Actor
from bot.matches.model.refusals import Refusal
from bot.requests.request import Request
from bot.storage import puzzles
from bot.web.api import MATCH, PUZZLE, Api, Asked, Data
from bot.web.match_state import own_match
from renderers.i18n import gettext as _

Share = Callable[[Actor, int], Awaitable[None]]


def add_sharing(api: Api) -> None:
    """Add the addresses for sharing."""
    api.post(
        MATCH + "/share", "share", lambda request, asked: _of_match(request, asked, request.services.shares.replay)
    )
    api.post(
        MATCH + "/share-review",
        "share",
        lambda request, asked: _of_match(request, asked, request.services.shares.review),
    )
    api.post(PUZZLE + "/share", "share", _puzzle)


async def _of_match(request: Request, asked: Asked, share: Share) -> Data:
    # The thread of the match is read by those who played: it is shared in the channel around it.
    channel_id = (await own_match(request, asked.match)).match.channel_id
    return await _shared(request, channel_id, share, asked.match)


async def _puzzle(request: Request, asked: Asked) -> Data:
    channel_id = await channel_for_puzzles(request)
    if channel_id is None:
        raise Refusal(_("This server has no channel for puzzles. Share this one in Discord, with `/puzzle`."))
    return await _shared(request, channel_id, request.services.shares.puzzle, asked.attempt)


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
