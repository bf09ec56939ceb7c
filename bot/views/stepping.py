"""Any match position by position, running or over, for whoever wants to look at it.

Where somebody is stands in the ``custom_id`` of the buttons, so that they go on after a restart.
"""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.messages import custom_ids, stepping
from bot.messages.layout import box, layout, row
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.bot_context import context_of, guild_of, wanted_by
from bot.views.controls import Control


class StepsButton(Control, of=custom_ids.STEPS):
    """Begins to step through a match, from one of its positions on."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: opened(interaction, int(match["match"]), int(match["number"])))


class StepButton(Control, of=custom_ids.STEP):
    """Goes to another position, or shows this one from the other side or in another form."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        match_id, number, seat = int(match["match"]), int(match["number"]), int(match["seat"])
        await answer_in_place(interaction, lambda: step(interaction, match_id, number, seat, match["verb"]))


async def opened(interaction: discord.Interaction[Any], match_id: int, number: int) -> Reply:
    """Return one position of a match as whoever asks likes to see it, their own side at the bottom."""
    match_view = await context_of(interaction).services.queries.match_view(guild_of(interaction), match_id)
    mine = match_view.match.seat_of(interaction.user.id)
    form = stepping.LETTERS if (await wanted_by(interaction)).text_boards else stepping.PICTURE
    return await step(interaction, match_id, number, 0 if mine is None else mine.seat, form)


async def step(interaction: discord.Interaction[Any], match_id: int, number: int, seat: int, form: str) -> Reply:
    """Return one position of a match, the last where it has no more, from a seat's side. Raises ``Refusal``."""
    context = context_of(interaction)
    match_view = await context.services.queries.match_view(guild_of(interaction), match_id)
    match = match_view.match
    _, played = await context.services.queries.played(match.guild_id, match_id)
    seat = seat if seat < len(match.seats) else 0
    stepped, shown = await context.renderer.stepped(
        match, played, number, seat, await wanted_by(interaction), letters=form == stepping.LETTERS
    )
    steps, views = stepping.turns(match, stepped, seat, form)
    reviewed = await context.services.reviews.reviewed(match.guild_id, match_id, interaction.user.id)
    words = stepping.words(match, stepped, None if reviewed is None else reviewed.review)
    if isinstance(shown, str):
        return Reply(view=layout(box(words, f"```\n{shown}\n```"), row(*steps), row(*views)))
    return Reply(view=layout(box(words, shown.gallery()), row(*steps), row(*views)), attachments=(shown,))
