"""The review of a finished match: asked for, watched while it is made, and shown."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any

import discord

from bot.messages import custom_ids
from bot.messages import review as messages
from bot.messages.layout import layout
from bot.views.answers import Reply, answer_privately, update_answer
from bot.views.bot_context import context_of, guild_of, wanted_by
from bot.views.controls import Control

EVERY = 3.0
"""Seconds between two changes of the message that tells how far a review is."""
EDITABLE = 14 * 60.0
"""Seconds for which a private message can be changed, a minute less than Discord says."""


class ReviewButton(Control, of=custom_ids.REVIEW):
    """Shows the review of a match, or has it made."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def meant() -> int:
            return int(match["match"])

        await show(interaction, meant)


async def show(interaction: discord.Interaction[Any], meant: Callable[[], Awaitable[int]]) -> None:
    """Answer with the review of the match that is meant, or with how far it is, kept up to date until it is finished.

    ``meant`` may raise ``Refusal``.
    """
    watched: list[int] = []

    async def work() -> Reply:
        match_id = await meant()
        progress = await context_of(interaction).services.reviews.ask(
            guild_of(interaction), match_id, interaction.user.id
        )
        if progress.done:
            return await _page(interaction, match_id)
        watched.append(match_id)
        return Reply(view=messages.progress(progress))

    await answer_privately(interaction, work)
    for match_id in watched:
        await _watch(interaction, match_id)


async def _watch(interaction: discord.Interaction[Any], match_id: int) -> None:
    """Change the answer from time to time until the review is finished, or it can no longer be changed."""
    context, reviews = context_of(interaction), context_of(interaction).services.reviews
    until = monotonic() + EDITABLE
    going_on = True

    async def work() -> Reply:
        nonlocal going_on
        progress = await reviews.progress(guild_of(interaction), match_id)
        if progress is None or progress.done:
            going_on = False
            return await _page(interaction, match_id)
        going_on = monotonic() < until
        return Reply(view=messages.progress(progress) if going_on else messages.later(progress))

    with reviews.watched(match_id, interaction.user.id, interaction.id) as is_newest:
        while going_on:
            await interaction.client.idle(reviews.finished(match_id, EVERY), reason="a review is being made")
            if context.in_flight.closed or not is_newest() or not await update_answer(interaction, work):
                return


async def _page(interaction: discord.Interaction[Any], match_id: int) -> Reply:
    """Return a finished review as whoever asks likes to see it."""
    context, wanted = context_of(interaction), await wanted_by(interaction)
    reviewed = await context.services.reviews.reviewed(guild_of(interaction), match_id, interaction.user.id)
    if reviewed is None:
        return Reply(view=layout(messages.NOTHING))
    match, review, moments = reviewed.match, reviewed.review, reviewed.review.moments()
    lines = messages.series(match, review)
    if wanted.text_boards or not lines:
        return Reply(view=messages.page(reviewed, None, [(move, None) for move in moments]))
    words = messages.in_words(match, review)
    chart = await context.renderer.chances(lines, messages.chart_title(match), words, wanted.theme)
    mine = match.seat_of(interaction.user.id)
    better = [(move.number, move.best) for move in moments]
    seat = 0 if mine is None else mine.seat
    boards = await context.renderer.compared(match, reviewed.played, better, seat, wanted) if better else []
    view = messages.page(reviewed, chart, list(zip(moments, boards, strict=True)))
    return Reply(view=view, attachments=(chart, *(picture for shown in boards for picture in shown[:2])))
