"""Sharing a match, notes or a puzzle: the person first sees what would be posted; one more press posts it."""

from __future__ import annotations

from typing import Literal

import discord

from bot.languages.speaking import language
from bot.messages import custom_ids
from bot.messages.layout import button, layout
from bot.messages.share import share_message
from bot.requests import looking
from bot.requests.request import Request
from bot.storage.records import Match, ShareKind
from bot.views.answers import Reply
from bot.views.controls import in_place, privately
from renderers.i18n import gettext as _
from renderers.i18n import speaking


def share_buttons(match: Match, what: Literal["replay", "review"]) -> list[discord.ui.Button[discord.ui.LayoutView]]:
    """Return the button that shares the replay or the review of a match, where it can be shared."""
    if not match.shareable:
        return []
    return [button(custom_ids.SHARE(what=what, match=match.id), _("Share"))]


@privately(custom_ids.SHARE)
async def on_share(request: Request, ids: custom_ids.Share) -> Reply:
    """Show how the replay or the review of a match, or one's notes on it, would be shared."""
    return await preview(request, ShareKind(ids.what), ids.match)


@in_place(custom_ids.SHARE_POST)
async def on_post(request: Request, ids: custom_ids.Sharing) -> Reply:
    """Share what was shown, in the channel at hand or in the one around the thread at hand."""
    kind = ShareKind(ids.what)
    await _check_visible(request, kind, ids.thing)
    actor = await request.to_share()
    await request.services.shares.share(kind, actor, ids.thing)
    if actor.channel_id == request.place.channel_id:
        return Reply(view=layout(_("Shared in this channel.")))
    return Reply(view=layout(_("Shared in {channel}.", channel=f"<#{actor.channel_id}>")))


async def preview(request: Request, kind: ShareKind, thing: int) -> Reply:
    """Return what everybody in the channel would see, with the button that posts it. Raises ``Refusal``."""
    await _check_visible(request, kind, thing)
    actor = await request.to_share()
    view = await request.services.shares.preview(kind, actor, thing)
    post = button(custom_ids.SHARE_POST(kind.value, thing), _("Share this here"), discord.ButtonStyle.success)
    words = _("Only you see this so far. Everybody in {channel} will see it.", channel=f"<#{actor.channel}>")
    with speaking(language(await request.public_language())):
        shown = await share_message(request.context.renderer, view, post)
    shown.view.add_item(discord.ui.TextDisplay(f"-# {words}"))
    return Reply(view=shown.view, attachments=shown.attached)


async def _check_visible(request: Request, kind: ShareKind, thing: int) -> None:
    """Raise ``NoSuchMatch`` for a match that the person may not see."""
    if kind is not ShareKind.PUZZLE:
        await looking.check(request, thing)
