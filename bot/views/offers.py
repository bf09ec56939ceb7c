"""Draws, take-backs and claims: offered or asked for by a command or a button, and answered."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.matches.services.agreements import Answer
from bot.messages import custom_ids
from bot.requests.request import Request
from bot.storage.records import Match, OfferKind, OfferState
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.controls import Control
from bot.views.which_match import meant_match
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy

_DRAW_OFFERED = {
    OfferState.OPEN: gettext_lazy("You have offered a draw."),
    OfferState.ACCEPTED: gettext_lazy("The match is drawn."),
    OfferState.DECLINED: gettext_lazy("I'd rather play on. You can offer another draw after the next move."),
}


class OfferButton(Control, of=custom_ids.OFFER):
    """Accept, Decline or Withdraw."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_in_place(interaction, _answer, int(match["offer"]), Answer(match["verb"]))


class ClaimButton(Control, of=custom_ids.CLAIM):
    """Claims the win because the opponent's time is up or they are gone."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, claim, int(match["match"]), int(match["ply"]))


class AskButton(Control, of=custom_ids.ASK):
    """Offers a draw, or asks to take the last move back."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        act = offer_draw if match["verb"] == OfferKind.DRAW else ask_takeback
        await answer_privately(interaction, act, int(match["match"]), int(match["ply"]))


async def offer_draw(request: Request, number: int | None, ply: int | None = None) -> Reply:
    """Offer a draw, or accept the one offered. Raises ``Refusal``."""
    match_id = await meant_match(request, number)
    state = await request.services.agreements.offer_draw(request.turn(match_id, ply))
    return Reply(_DRAW_OFFERED[state])


async def ask_takeback(request: Request, number: int | None, ply: int | None = None) -> Reply:
    """Ask to take one's own last move back. Raises ``Refusal``."""
    match_id = await meant_match(request, number)
    move = await request.services.agreements.ask_takeback(request.turn(match_id, ply))
    if move is None:
        return Reply(_("Your move is taken back. It's your turn again."))
    return Reply(_("You asked to take back **{move}**.", move=move))


async def claim(request: Request, number: int | None, ply: int | None = None) -> Reply:
    """Claim the win. Raises ``Refusal`` while the opponent has time and is here."""

    async def who_is_gone(match: Match) -> frozenset[int]:
        ids = [seat.person.id for seat in match.movers]
        return frozenset([one for one in ids if await request.context.servers.has_left(request.server, one)])

    match_id = await meant_match(request, number)
    over = await request.services.forfeits.claim(request.turn(match_id, ply), who_is_gone)
    if over:
        return Reply(_("You won. The final board is posted below."))
    return Reply(_("They are out of the game. The new board is posted below."))


async def _answer(request: Request, offer_id: int, given: Answer) -> None:
    await request.services.agreements.answer(request.server, offer_id, request.person, request.id, given)
