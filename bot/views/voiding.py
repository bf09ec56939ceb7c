"""Voiding a match: the question whether it is meant, and what its buttons do."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.messages import custom_ids
from bot.messages.layout import button, layout, row
from bot.messages.wording import players, title
from bot.views import match_board
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.bot_context import check_manages, context_of, guild_of
from bot.views.controls import Control
from renderers.i18n import gettext as _
from renderers.i18n import prose


class VoidButton(Control, of=custom_ids.VOID):
    """Voids a match, or does not."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply:
            check_manages(interaction)
            if match["verb"] == "no":
                return Reply(view=layout(_("The match stays as it is.")))
            match_id, by = int(match["match"]), interaction.user.id
            service = context_of(interaction).services.voiding
            await service.void(guild_of(interaction), match_id, by, interaction.id)
            return Reply(
                view=layout(
                    _("Match {match_id} is voided. Its players are told where it was played.", match_id=match_id)
                )
            )

        await answer_in_place(interaction, work)


class VoidedReplayButton(Control, of=custom_ids.VOIDED):
    """Shows a match that was voided as an animation."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: match_board.replay(interaction, int(match["match"])))


async def question(interaction: discord.Interaction[Any], match_id: int) -> Reply:
    """Return the question whether a match is to be voided. Raises ``Refusal`` where it cannot be."""
    match = await context_of(interaction).services.voiding.may_void(guild_of(interaction), match_id)
    words = _(
        "Do you want to void **{match}**? {players}\nIt ends here and counts for nobody.",
        match=title(match),
        players=players(match),
    )
    rated = [_("Ratings are computed again as if it had not been played.")] if match.rated else []
    words = prose([words, *rated, _("This can't be undone.")])
    yes, no = (custom_ids.VOID(verb=verb, match=match.id) for verb in ("yes", "no"))
    buttons = row(button(yes, _("Yes, void it"), discord.ButtonStyle.danger), button(no, _("No, keep it")))
    return Reply(view=layout(words, buttons))
