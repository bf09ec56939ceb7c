"""What the buttons of offers and late notices lead to: draws, take-backs and claims."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import discord

from bot.delivery.discord_calls import expected_errors
from bot.delivery.errors import RefusedError, UnavailableError
from bot.matches.services.agreements import Answer
from bot.messages import custom_ids
from bot.storage.records import Match, OfferKind, OfferState
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.bot_context import context_of, guild_of, person_of, request_of
from bot.views.controls import Control
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy

_DRAW_OFFERED = {
    OfferState.OPEN: gettext_lazy("You have offered a draw."),
    OfferState.ACCEPTED: gettext_lazy("The match is drawn."),
    OfferState.DECLINED: gettext_lazy("I would rather play on. You can offer another draw after the next move."),
}


class OfferButton(Control, of=custom_ids.OFFER):
    """Accept, Decline or Withdraw."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply | None:
            service, offer_id = context_of(interaction).services.agreements, int(match["offer"])
            person, given = person_of(interaction), Answer(match["verb"])
            await service.answer(guild_of(interaction), offer_id, person, interaction.id, given)
            return None

        await answer_in_place(interaction, work)


class ClaimButton(Control, of=custom_ids.CLAIM):
    """Claims the win because the opponent's time is up or they are gone."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: claim(interaction, int(match["match"]), int(match["ply"])))


class AskButton(Control, of=custom_ids.ASK):
    """Offers a draw, or asks to take the last move back."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        act = offer_draw if match["verb"] == OfferKind.DRAW else ask_takeback
        await answer_privately(interaction, lambda: act(interaction, int(match["match"]), int(match["ply"])))


async def offer_draw(interaction: discord.Interaction[Any], match_id: int, ply: int | None = None) -> Reply:
    """Offer a draw, or accept the one offered. Raises ``Refusal``."""
    state = await context_of(interaction).services.agreements.offer_draw(request_of(interaction, match_id, ply))
    return Reply(_DRAW_OFFERED[state])


async def ask_takeback(interaction: discord.Interaction[Any], match_id: int, ply: int | None = None) -> Reply:
    """Ask to take one's own last move back. Raises ``Refusal``."""
    move = await context_of(interaction).services.agreements.ask_takeback(request_of(interaction, match_id, ply))
    if move is None:
        return Reply(_("Your move is taken back. It's your turn again."))
    return Reply(_("You asked to take back **{move}**.", move=move))


async def claim(interaction: discord.Interaction[Any], match_id: int, ply: int | None = None) -> Reply:
    """Claim the win. Raises ``Refusal`` while the opponent has time and is here."""
    who_is_gone = partial(_gone, interaction.guild)
    await context_of(interaction).services.forfeits.claim(request_of(interaction, match_id, ply), who_is_gone)
    return Reply(_("Claim granted. The new board is posted below."))


async def _gone(guild: discord.Guild | None, match: Match) -> frozenset[int]:
    """Return who of those to move is no longer in the server, as far as Discord answers."""
    gone: set[int] = set()
    if guild is None:
        return frozenset()
    for seat in match.movers:
        try:
            async with expected_errors():
                await guild.fetch_member(seat.person.id)
        except UnavailableError:
            continue
        except RefusedError as error:
            if error.gone:
                gone.add(seat.person.id)
    return frozenset(gone)
