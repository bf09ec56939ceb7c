"""The review of a finished match: asked for, watched while it is made, shown, and what it says of single moves."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any

import discord

from bot.matches.model.review import ReviewedMove
from bot.matches.services.reviews import Reviewed, ReviewProgress
from bot.messages import custom_ids
from bot.messages.board import step_through
from bot.messages.layout import Part, box, button, gallery, layout, row
from bot.messages.pictures import Picture
from bot.messages.wording import players, result, title
from bot.requests import looking
from bot.requests.request import Request
from bot.requests.review_words import (
    NOTHING,
    accuracy,
    chart,
    in_words,
    kept_back,
    mistakes_in_words,
    moment,
    unclear,
)
from bot.storage.records import Match
from bot.views.answers import EPHEMERAL_LIFETIME, PROGRESS_INTERVAL, Reply, answer_privately, update_answer
from bot.views.controls import Interaction, control
from bot.views.sharing import share_buttons
from bot.views.which_match import match_to_review
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy
from renderers.i18n import ngettext as _n

_BAR = 20

KeyMoment = tuple[ReviewedMove, tuple[Picture, Picture, str, str] | None]
"""A move that turned the match, with the boards after it and after the better move, and both moves in words."""


@control(custom_ids.REVIEW)
async def on_review(interaction: Interaction, ids: custom_ids.OfMatch) -> None:
    """Show the review of a match, or have it made."""
    await show(interaction, ids.match)


async def show(interaction: discord.Interaction[Any], number: int | None) -> None:
    """Answer with the review of a match, or with how far it is, kept up to date until it is finished."""
    watched: list[int] = []

    async def asked(request: Request) -> Reply:
        match_id = await match_to_review(request, number)
        await looking.check(request, match_id)
        progress = await request.services.reviews.ask(request.home, match_id, request.person.id)
        if progress.done:
            return await _review_reply(request, match_id)
        watched.append(match_id)
        return Reply(view=progress_shown(progress))

    await answer_privately(interaction, asked)
    for match_id in watched:
        await _watch(interaction, match_id)


async def _watch(interaction: discord.Interaction[Any], match_id: int) -> None:
    """Change the answer from time to time until the review is finished, or it can no longer be changed."""
    context = interaction.client.context
    until = monotonic() + EPHEMERAL_LIFETIME
    going_on = True

    async def changed(request: Request) -> Reply:
        nonlocal going_on
        progress = await request.services.reviews.progress(request.home, match_id)
        if progress is None or progress.done:
            going_on = False
            return await _review_reply(request, match_id)
        going_on = monotonic() < until
        return Reply(view=progress_shown(progress) if going_on else _later(progress))

    reviews = context.services.reviews
    with reviews.watch(match_id, interaction.user.id, interaction.id) as is_newest:
        while going_on:
            await interaction.client.idle(
                reviews.wait_until_finished(match_id, PROGRESS_INTERVAL), reason="a review is being made"
            )
            if context.in_flight.closed or not is_newest() or not await update_answer(interaction, changed):
                return


async def _review_reply(request: Request, match_id: int) -> Reply:
    """Return a finished review as the person likes to see it."""
    await looking.check(request, match_id)
    reviewed = await request.services.reviews.review_for(request.home, match_id, request.person.id)
    if reviewed is None:
        return Reply(view=layout(NOTHING))
    match, review, moments = reviewed.match, reviewed.review, reviewed.review.moments()
    drawn, preferences = chart(match, review), request.preferences
    if preferences.text_boards or drawn is None:
        return Reply(view=page(reviewed, None, [(move, None) for move in moments]))
    renderer = request.context.renderer
    picture = await renderer.chances(drawn, in_words(drawn), preferences.theme)
    mine = match.seat_of(request.person.id)
    better = [(move.number, move.best) for move in moments]
    seat = 0 if mine is None else mine.seat
    boards = await renderer.comparison(match, reviewed.played, better, seat, preferences) if better else []
    view = page(reviewed, picture, list(zip(moments, boards, strict=True)))
    return Reply(view=view, attachments=(picture, *(picture for shown in boards for picture in shown[:2])))


def review_button(match: Match, label: str = gettext_lazy("Review")) -> discord.ui.Button[discord.ui.LayoutView]:
    return button(custom_ids.REVIEW(match=match.id), label)


def progress_shown(now: ReviewProgress) -> discord.ui.LayoutView:
    filled = _BAR * now.judged // max(now.positions, 1)
    bar = f"`{'█' * filled}{'░' * (_BAR - filled)}`"
    judged = _n("{judged} of {n} position", "{judged} of {n} positions", now.positions, judged=now.judged)
    words = _("**Reviewing {match}**", match=title(now.match))
    return layout(f"{words}\n{bar} {judged}", row(review_button(now.match, _("Show"))))


def _later(now: ReviewProgress) -> discord.ui.LayoutView:
    """Return the message for a review that takes longer than the message can be kept up to date."""
    words = _("**Reviewing {match}**", match=title(now.match))
    words += "\n" + _(
        "This is taking longer than I can keep this message up to date. I'm still at it: press **Show** or type "
        "`/match action:review` later, and you'll see it."
    )
    return layout(words, row(review_button(now.match, _("Show"))))


def page(reviewed: Reviewed, picture: Picture | None, moments: Sequence[KeyMoment]) -> discord.ui.LayoutView:
    """Return a finished review: with a chart and boards, or all of it in words where there are none."""
    match, review = reviewed.match, reviewed.review
    head = _("### Review of {match}", match=title(match))
    parts: list[Part] = [f"{head}\n{players(match)}\n{result(match)}"]
    drawn = chart(match, review)
    if drawn is None:
        parts += [] if reviewed.hidden or review.unclear else [NOTHING]
    else:
        parts.append(_("Chances to win. {chances}", chances=in_words(drawn)) if picture is None else gallery(picture))
        parts.append("\n".join(accuracy(match, review, seat.seat) for seat in match.seats))
    if moments:
        parts.append(_("### Where it turned") if len(moments) > 1 else _("### Where it turned most"))
    for move, boards in moments:
        # The words stand under the boards, so that the last of them are seen together with the buttons.
        if boards is not None:
            parts.append(gallery(*boards[:2]))
        parts.append(moment(match, move, "" if boards is None else boards[3]))
    parts += [words for words in (mistakes_in_words(review), unclear(review), kept_back(reviewed)) if words]
    steps = [
        step_through(match, 0),
        *(step_through(match, move.number, _("Move {number}", number=move.number)) for move, _boards in moments),
    ]
    export = button(custom_ids.EXPORT(match=match.id), _("Export"))
    shared = share_buttons(match, "review") if moments else []
    return layout(box(*parts), row(*steps, export), *([row(*shared)] if shared else []))
