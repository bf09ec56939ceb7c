"""The review of a finished match: asked for, watched while it is made, shown, and what it says of single moves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from time import monotonic
from typing import Any

import discord

from bot.matches.model.review import THRESHOLDS, Mark, Review, ReviewedMove
from bot.matches.services.reviews import Progress, Reviewed
from bot.messages import custom_ids
from bot.messages.board import step_through
from bot.messages.layout import Part, box, button, gallery, layout, row
from bot.messages.pictures import Picture
from bot.messages.wording import listed, plain, players, result, seat_name, that_fit, title, with_text
from bot.requests.request import Request
from bot.storage.records import Match
from bot.views.answers import EDITABLE, EVERY, Reply, answer_privately, update_answer
from bot.views.controls import Control
from bot.views.sharing import share_buttons
from bot.views.which_match import match_to_review
from renderers.charts.line_chart import Series
from renderers.i18n import (
    SEMICOLON,
    enumerated,
    gettext_lazy,
    headed,
    percent,
    pgettext_lazy,
    prose,
    sentence,
    translated,
)
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

_BAR = 20
_MARKS_LISTED = 900
"""Characters of the list of moves with a mark."""
_POINTS_TOLD, _POINTS_OF_ALL = 8, 24
"""Positions whose chances are put in words: for each player, and for all together."""
_MATCHES_NAMED = 200
"""Characters of the list of matches because of which positions are left out."""
_GLYPHS = {Mark.BEST: "!", Mark.GOOD: "", Mark.INACCURACY: "?!", Mark.MISTAKE: "?", Mark.BLUNDER: "??"}
"""How marks are written behind a move, as in books."""
MARKS = {
    Mark.BEST: pgettext_lazy("mark of a move", "best"),
    Mark.GOOD: pgettext_lazy("mark of a move", "good"),
    Mark.INACCURACY: pgettext_lazy("mark of a move", "inaccuracy"),
    Mark.MISTAKE: pgettext_lazy("mark of a move", "mistake"),
    Mark.BLUNDER: pgettext_lazy("mark of a move", "blunder"),
}
_AT_THE_BEGINNING = {
    Mark.INACCURACY: pgettext_lazy("mark of a move", "Inaccuracy"),
    Mark.MISTAKE: pgettext_lazy("mark of a move", "Mistake"),
    Mark.BLUNDER: pgettext_lazy("mark of a move", "Blunder"),
}
_WITH_ARTICLE = {
    Mark.BEST: pgettext_lazy("mark of a move", "a best"),
    Mark.GOOD: pgettext_lazy("mark of a move", "a good"),
    Mark.INACCURACY: pgettext_lazy("mark of a move", "an inaccuracy"),
    Mark.MISTAKE: pgettext_lazy("mark of a move", "a mistake"),
    Mark.BLUNDER: pgettext_lazy("mark of a move", "a blunder"),
}
NOTHING = gettext_lazy("There is nothing to review in this match: it ended before anybody had a choice to make.")

Moment = tuple[ReviewedMove, tuple[Picture, Picture, str] | None]
"""A move that turned the match, with the boards after it and after the better move, and the better move in words."""


class ReviewButton(Control, of=custom_ids.REVIEW):
    """Shows the review of a match, or has it made."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await show(interaction, int(match["match"]))


async def show(interaction: discord.Interaction[Any], number: int | None) -> None:
    """Answer with the review of a match, or with how far it is, kept up to date until it is finished."""
    watched: list[int] = []

    async def asked(request: Request) -> Reply:
        match_id = await match_to_review(request, number)
        progress = await request.services.reviews.ask(request.server, match_id, request.person.id)
        if progress.done:
            return await _finished(request, match_id)
        watched.append(match_id)
        return Reply(view=progress_shown(progress))

    await answer_privately(interaction, asked)
    for match_id in watched:
        await _watch(interaction, match_id)


async def _watch(interaction: discord.Interaction[Any], match_id: int) -> None:
    """Change the answer from time to time until the review is finished, or it can no longer be changed."""
    context = interaction.client.context
    until = monotonic() + EDITABLE
    going_on = True

    async def changed(request: Request) -> Reply:
        nonlocal going_on
        progress = await request.services.reviews.progress(request.server, match_id)
        if progress is None or progress.done:
            going_on = False
            return await _finished(request, match_id)
        going_on = monotonic() < until
        return Reply(view=progress_shown(progress) if going_on else _later(progress))

    reviews = context.services.reviews
    with reviews.watched(match_id, interaction.user.id, interaction.id) as is_newest:
        while going_on:
            await interaction.client.idle(reviews.finished(match_id, EVERY), reason="a review is being made")
            if context.in_flight.closed or not is_newest() or not await update_answer(interaction, changed):
                return


async def _finished(request: Request, match_id: int) -> Reply:
    """Return a finished review as the person likes to see it."""
    reviewed = await request.services.reviews.reviewed(request.server, match_id, request.person.id)
    if reviewed is None:
        return Reply(view=layout(NOTHING))
    match, review, moments = reviewed.match, reviewed.review, reviewed.review.moments()
    lines, wanted = series(match, review), request.preferences
    if wanted.text_boards or not lines:
        return Reply(view=page(reviewed, None, [(move, None) for move in moments]))
    renderer = request.context.renderer
    chart = await renderer.chances(lines, chart_title(match), in_words(match, review), wanted.theme)
    mine = match.seat_of(request.person.id)
    better = [(move.number, move.best) for move in moments]
    seat = 0 if mine is None else mine.seat
    boards = await renderer.compared(match, reviewed.played, better, seat, wanted) if better else []
    view = page(reviewed, chart, list(zip(moments, boards, strict=True)))
    return Reply(view=view, attachments=(chart, *(picture for shown in boards for picture in shown[:2])))


def review_button(match: Match, label: str = gettext_lazy("Review")) -> discord.ui.Button[discord.ui.LayoutView]:
    """Return the button that leads to the review of a match."""
    return button(custom_ids.REVIEW(match=match.id), label)


def marks_explained() -> str:
    """Return the meaning of the marks of moves, from the worst to the best."""
    return _(
        "Each move is marked by how much winning chance it gave away: {blunder} or more is a blunder (??), "
        "{mistake} a mistake (?), {inaccuracy} an inaccuracy (?!); less is a good move.",
        **{mark.value: percent(loss) for mark, loss in THRESHOLDS.items()},
    )


def progress_shown(now: Progress) -> discord.ui.LayoutView:
    """Return the message shown while a review is made."""
    filled = _BAR * now.judged // max(now.positions, 1)
    bar = f"`{'█' * filled}{'░' * (_BAR - filled)}`"
    judged = _n("{judged} of {n} position", "{judged} of {n} positions", now.positions, judged=now.judged)
    words = _("**Reviewing {match}**", match=title(now.match))
    return layout(f"{words}\n{bar} {judged}", row(review_button(now.match, _("Show"))))


def _later(now: Progress) -> discord.ui.LayoutView:
    """Return the message for a review that takes longer than the message can be kept up to date."""
    words = _("**Reviewing {match}**", match=title(now.match))
    words += "\n" + _(
        "This is taking longer than I can keep this message up to date. I'm still at it: press **Show** or type "
        "`/match review` later, and you'll see it."
    )
    return layout(words, row(review_button(now.match, _("Show"))))


def page(reviewed: Reviewed, chart: Picture | None, moments: Sequence[Moment]) -> discord.ui.LayoutView:
    """Return a finished review: with a chart and boards, or all of it in words where there are none."""
    match, review = reviewed.match, reviewed.review
    head = _("### Review of {match}", match=title(match))
    parts: list[Part] = [f"{head}\n{players(match)}\n{result(match)}"]
    if not any(review.chances):
        parts += [] if reviewed.hidden or review.unclear else [NOTHING]
    else:
        parts.append(
            _("Chances to win. {chances}", chances=in_words(match, review)) if chart is None else gallery(chart)
        )
        parts.append("\n".join(_accuracy(match, review, seat.seat) for seat in match.seats))
    if moments:
        parts.append(_("### Where it turned") if len(moments) > 1 else _("### Where it turned most"))
    for move, boards in moments:
        # The words stand under the boards, so that the last of them are seen together with the buttons.
        if boards is not None:
            parts.append(gallery(*boards[:2]))
        parts.append(_moment(match, move, "" if boards is None else boards[2]))
    parts += [words for words in (_marked(review), _unclear(review), _kept_back(reviewed)) if words]
    steps = [
        step_through(match, 0),
        *(step_through(match, move.number, _("Move {number}", number=move.number)) for move, _boards in moments),
    ]
    export = button(custom_ids.EXPORT(match=match.id), _("Export"))
    shared = share_buttons(match, "review") if moments else []
    return layout(box(*parts), row(*steps, export), *([row(*shared)] if shared else []))


def series(match: Match, review: Review) -> list[Series]:
    """Return the lines of the chart, in per cent: one for two players, the first one's, and one each for more."""
    shown = match.seats[:1] if len(match.seats) == 2 else match.seats
    lines = [(seat_name(match, seat.seat), review.chances[seat.seat]) for seat in shown]
    return [Series(name, tuple((number, 100 * chance) for number, chance in line)) for name, line in lines if line]


def chart_title(match: Match) -> str:
    """Return the title of the chart."""
    if len(match.seats) == 2:
        return _("{seat}'s chance to win, per cent, by move", seat=seat_name(match, 0))
    return _("Chances to win, per cent, by move")


def in_words(match: Match, review: Review) -> str:
    """Return the chart in words."""
    said, shown = [], series(match, review)
    for one in shown:
        step = max(1, -(-len(one.points) // min(_POINTS_TOLD, _POINTS_OF_ALL // len(shown))))
        told = dict.fromkeys([*one.points[::step], one.points[-1]])
        chances = (_("{share} after move {number}", share=percent(chance / 100), number=at) for at, chance in told)
        said.append(headed(one.name, enumerated(chances)))
    return sentence(translated(SEMICOLON).join(said))


def step_words(match: Match, review: Review, number: int) -> str:
    """Return the review's words on a position and on the move that led to it, or nothing."""
    move = review.move(number)
    known = ((seat, chance) for seat, line in enumerate(review.chances) for at, chance in line if at == number)
    seat, chance = next(known, (0, None))
    said = [] if move is None else [_judged(move)]
    if chance is not None:
        said.append(_("{seat}'s chance to win: {share}.", seat=seat_name(match, seat), share=percent(chance)))
    return prose(said)


def remark(move: ReviewedMove) -> str:
    """Return the remark on a move for the text record: its mark and, where there is one, the better move."""
    mark = MARKS[move.mark]
    return f"{mark}, better: {move.best}" if move.gave_away else str(mark)


def _judged(move: ReviewedMove) -> str:
    if move.mark is Mark.BEST:
        return _("**Best move.**")
    if move.mark is Mark.GOOD:
        return _("A good move; the best was **{best}**.", best=move.best)
    return _(
        "**{mark}**: {after} instead of {before}. Better: **{best}**.",
        mark=_AT_THE_BEGINNING[move.mark],
        before=percent(move.before),
        after=percent(move.after),
        best=move.best,
    )


def _accuracy(match: Match, review: Review, seat: int) -> str:
    accuracy, name = review.accuracy(seat), plain(match.seats[seat].person.name)
    if accuracy is None:
        return _("{player} ({seat}): nothing to judge", player=name, seat=seat_name(match, seat))
    counts = [(review.count(seat, mark), mark) for mark in Mark]
    told = enumerated(_counted(mark, count) for count, mark in counts if count)
    return _(
        "{player} ({seat}): accuracy **{share}** · {marks}",
        player=name,
        seat=seat_name(match, seat),
        share=percent(accuracy / 100),
        marks=told,
    )


def _counted(mark: Mark, count: int) -> str:
    match mark:
        case Mark.BEST:
            return _n("{n} best", "{n} best", count)
        case Mark.GOOD:
            return _n("{n} good", "{n} good", count)
        case Mark.INACCURACY:
            return _n("{n} inaccuracy", "{n} inaccuracies", count)
        case Mark.MISTAKE:
            return _n("{n} mistake", "{n} mistakes", count)
        case Mark.BLUNDER:
            return _n("{n} blunder", "{n} blunders", count)


def _moment(match: Match, move: ReviewedMove, does: str) -> str:
    name = plain(match.seats[move.seat].person.name)
    fell = _(
        "**Move {number}** · {player} played **{move}**, {mark}: it left their chance to win at {after} instead of "
        "{before}.",
        number=move.number,
        player=name,
        move=move.text,
        mark=_WITH_ARTICLE[move.mark],
        before=percent(move.before),
        after=percent(move.after),
    )
    if move.proven and move.before == 1 and move.after < 1:
        fell = prose([fell, _("There was a sure win here.")])
    return fell + "\n" + _("Better: {move}.", move=with_text(does, move.best))


def _marked(review: Review) -> str:
    """Return the moves that gave away a chance to win, as many as fit."""
    said = [f"{move.number}. {move.text}{_GLYPHS[move.mark]}" for move in review.moves if move.gave_away]
    shown = that_fit(said, _MARKS_LISTED)
    moves = " · ".join(shown)
    if len(shown) < len(said):
        moves = _n("{names} and {n} more", "{names} and {n} more", len(said) - len(shown), names=moves)
    return f"-# {moves}" if said else ""


def _unclear(review: Review) -> str:
    """Say that nothing is said about some positions, if there are any."""
    if not review.unclear:
        return ""
    return _n(
        "-# I say nothing about {n} position: I could play out too few games from it to tell which move was best.",
        "-# I say nothing about {n} positions: I could play out too few games from them to tell which move was best.",
        review.unclear,
    )


def _kept_back(reviewed: Reviewed) -> str:
    """Say that positions are left out because they would help in a match between people."""
    if not reviewed.hidden:
        return ""
    numbers = listed((str(match.id) for match in reviewed.hidden), _MATCHES_NAMED)
    return _n(
        "-# Positions from match {numbers}, which you're still playing, are left out until it has moved on.",
        "-# Positions from matches {numbers}, which you're still playing, are left out until they have moved on.",
        len(reviewed.hidden),
        numbers=numbers,
    )
