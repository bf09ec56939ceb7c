"""**Open board**: gives a person a link to their match or puzzle on the board page, which works for them, and once."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.matches.model.page_links import Purpose
from bot.matches.model.refusals import Refusal, Voided
from bot.matches.services.page_access import LINK_VALID
from bot.messages import custom_ids
from bot.messages.layout import layout, link, row
from bot.messages.puzzle_words import game_of
from bot.messages.wording import title
from bot.requests.request import Request
from bot.views.answers import Reply, answer_privately
from bot.views.controls import Control
from renderers.i18n import gettext as _


class OpenButton(Control, of=custom_ids.OPEN):
    """Gives the player who presses it a link to the board."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, open_match, int(match["match"]))


async def open_match(request: Request, match_id: int) -> Reply:
    """Return a link to a match for one of its players. Raises ``Refusal``, also where there is no page any more."""
    match = (await request.services.queries.match_view(request.server, match_id)).match
    if match.seat_of(request.person.id) is None:
        raise Refusal(_("You're not playing in this match, but you can watch: `/board` shows it."))
    if match.voided:
        raise Voided
    _check_page(request)
    return await _linked(request, Purpose.MATCH, match.id, f"**{title(match)}**")


async def open_puzzle(request: Request, attempt_id: int) -> Reply:
    """Return a link to a puzzle that the person is at. Raises ``Refusal``."""
    view = await request.services.puzzles.view(request.person.id, attempt_id)
    _check_page(request)
    name = _("**Puzzle · {game}**", game=game_of(view.puzzle))
    return await _linked(request, Purpose.PUZZLE, attempt_id, name)


def _check_page(request: Request) -> None:
    if not request.context.settings.page_url:
        raise Refusal(_("Boards can't be opened in a browser at the moment. You can play on here, in Discord."))


async def _linked(request: Request, purpose: Purpose, subject_id: int, called: str) -> Reply:
    signed = await request.services.page_access.link(
        request.person, request.locale, request.server, purpose, subject_id
    )
    until = discord.utils.format_dt(request.services.context.clock() + LINK_VALID, "t")
    words = _(
        "Play {match} in your browser. This link is for you alone: it works once, until {time}.",
        match=called,
        time=until,
    )
    return Reply(view=layout(words, row(link(f"{request.context.settings.page_url}/open/{signed}", _("Open board")))))
