"""Sharing in the channel: the button on what one person sees, and the button of the message for all."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.messages import custom_ids
from bot.messages.layout import button
from bot.requests.request import Request
from bot.storage.records import Match, MatchState
from bot.views.against_computer import ask_level
from bot.views.answers import Reply, answer_privately
from bot.views.controls import Control
from bot.views.puzzles import begin_shared
from renderers.i18n import gettext as _


class ShareButton(Control, of=custom_ids.SHARE):
    """Shares the replay or the review of a match."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, _share, match["verb"], int(match["match"]))


class SharedButton(Control, of=custom_ids.SHARED):
    """Opens a shared puzzle, or begins a match of a shared game against the bot."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, _follow, match["verb"], int(match["share"]))


def share_buttons(match: Match, verb: str) -> list[discord.ui.Button[discord.ui.LayoutView]]:
    """Return the button that shares the ``replay`` or ``review`` of a match, once the match is over and counts."""
    if match.state is not MatchState.OVER or match.voided:
        return []
    return [button(custom_ids.SHARE(verb=verb, match=match.id), _("Share"))]


async def _share(request: Request, verb: str, match_id: int) -> Reply:
    service = request.services.shares
    share = service.review if verb == "review" else service.replay
    await request.services.queries.played(request.server, match_id)  # raises for another server
    await share(request.sharing(), match_id)
    return Reply(_("Shared in this channel."))


async def _follow(request: Request, verb: str, share_id: int) -> Reply:
    view = await request.services.shares.known(request.server, share_id)
    if verb == "try":
        return await begin_shared(request, view.share)
    variant = "" if view.match is None else view.match.variant
    return await ask_level(request, view.share.game, variant)
