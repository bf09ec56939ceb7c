"""Draws, take-backs and claims: offered or asked for by a command or a button, and answered."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.matches.services.agreements import Answer
from bot.messages import custom_ids
from bot.requests import acts
from bot.requests.request import Request
from bot.storage.records import OfferKind
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.controls import Control
from bot.views.which_match import meant_match
from renderers.i18n import gettext as _


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
    return Reply(await acts.offer_draw(request, await meant_match(request, number), ply))


async def ask_takeback(request: Request, number: int | None, ply: int | None = None) -> Reply:
    """Ask to take one's own last move back. Raises ``Refusal``."""
    return Reply(await acts.take_back(request, await meant_match(request, number), ply))


async def claim(request: Request, number: int | None, ply: int | None = None) -> Reply:
    """Claim the win. Raises ``Refusal`` while the opponent has time and is here."""
    if await acts.claim(request, await meant_match(request, number), ply):
        return Reply(_("You won. The final board is posted below."))
    return Reply(_("They are out of the game. The new board is posted below."))


async def _answer(request: Request, offer_id: int, given: Answer) -> None:
    await request.services.agreements.answer(request.server, offer_id, request.person, request.id, given)
