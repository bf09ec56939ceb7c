"""Draws, take-backs and claims: offered or asked for by a command or a button, and answered."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.matches.services.agreements import Answer
from bot.messages import custom_ids
from bot.messages.layout import button, layout, row
from bot.messages.wording import title
from bot.requests import acts
from bot.requests.request import Request
from bot.storage.records import Match, OfferKind
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.controls import Control
from bot.views.which_match import meant_match
from renderers.i18n import gettext as _


class OfferButton(Control, of=custom_ids.OFFER):
    """Accept, Decline or Withdraw."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_in_place(interaction, _answer, int(match["offer"]), Answer(match["verb"]))


class DrawButton(Control, of=custom_ids.DRAW):
    """Answers whether a draw is to be offered to the bot."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        if match["verb"] == "no":
            await answer_in_place(interaction, _play_on)
        else:
            await answer_in_place(interaction, _offer_bot, int(match["match"]), int(match["ply"]))


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
    """Offer a draw, or accept the one offered; an offer to the bot is asked first. Raises ``Refusal``."""
    match_id = await meant_match(request, number)
    asked = await request.services.agreements.may_offer_draw(request.turn(match_id, ply))
    return _asked_first(asked) if asked.alone else Reply(await acts.offer_draw(request, match_id, ply))


def _asked_first(match: Match) -> Reply:
    question = _("Do you want to offer me a draw in **{match}**? If I agree, the match is over.", match=title(match))
    yes, no = (custom_ids.DRAW(verb=verb, match=match.id, ply=match.ply) for verb in ("yes", "no"))
    buttons = row(button(yes, _("Offer a draw"), discord.ButtonStyle.primary), button(no, _("No, play on")))
    return Reply(view=layout(question, buttons))


async def _offer_bot(request: Request, match_id: int, ply: int) -> Reply:
    return Reply(view=layout(await acts.offer_draw(request, match_id, ply)))


async def _play_on(_request: Request) -> Reply:
    return Reply(view=layout(_("You play on.")))


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
