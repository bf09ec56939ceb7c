"""What the review of a match looks like: while it is made, when it is finished, and what it says of single moves."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.matches.model.review import THRESHOLDS, Mark, Review, ReviewedMove
from bot.matches.services.reviews import Progress, Reviewed
from bot.messages import custom_ids
from bot.messages.board import step_through
from bot.messages.layout import Part, box, button, layout, row
from bot.messages.pictures import Picture
from bot.messages.wording import plain, players, result, seat_name, that_fit, title
from bot.storage.records import Match
from renderers.charts.line_chart import Series

_BAR = 20
_MARKS_LISTED = 900
"""Characters of the list of moves with a mark."""
_POINTS_TOLD = 8
"""Positions whose chances are told in words."""
_GLYPHS = {Mark.BEST: "!", Mark.GOOD: "", Mark.INACCURACY: "?!", Mark.MISTAKE: "?", Mark.BLUNDER: "??"}
"""How marks are written behind a move, as in books."""
NOTHING = "There is nothing to review in this match: it ended before anybody had a choice to make."

Moment = tuple[ReviewedMove, tuple[Picture, Picture, str] | None]
"""A move that turned the match; with the boards of what was played and of what was better, and what that does."""


def review_button(match: Match, label: str = "Review") -> discord.ui.Button[discord.ui.LayoutView]:
    """Return the button that leads to the review of a match."""
    return button(custom_ids.REVIEW(match=match.id), label)


def marks_explained() -> str:
    """Return what the marks of moves mean, from the worst to the best."""
    worse = [f"{_article(mark)} ({_GLYPHS[mark]}) from {percent(loss)}" for mark, loss in THRESHOLDS.items()]
    return f"Marks go by the chance to win a move gave away: {', '.join(worse)}, a good move below, and the best."


def progress(now: Progress) -> discord.ui.LayoutView:
    """Return the message shown while a review is made."""
    filled = _BAR * now.judged // max(now.positions, 1)
    bar = f"`{'█' * filled}{'░' * (_BAR - filled)}` {now.judged} of {now.positions} positions"
    return layout(f"**Reviewing {title(now.match)}**\n{bar}", row(review_button(now.match, "Show")))


def later(now: Progress) -> discord.ui.LayoutView:
    """Return what the message becomes where a review takes longer than it can be kept up to date."""
    words = (
        f"**Reviewing {title(now.match)}**\nThis takes longer than I can keep this message up to date. It goes on: "
        "press **Show** or type `/match review` later, and you'll see it."
    )
    return layout(words, row(review_button(now.match, "Show")))


def page(reviewed: Reviewed, chart: Picture | None, moments: Sequence[Moment]) -> discord.ui.LayoutView:
    """Return a finished review: with a chart and boards, or all of it in words where there are none."""
    match, review = reviewed.match, reviewed.review
    parts: list[Part] = [f"### Review of {title(match)}\n{players(match)}\n{result(match)}"]
    if not any(review.chances):
        parts += [] if reviewed.hidden else [NOTHING]
    else:
        parts.append(f"Chances to win. {in_words(match, review)}" if chart is None else chart.gallery())
        parts.append("\n".join(_accuracy(match, review, seat.seat) for seat in match.seats))
    if moments:
        parts.append("### Where it turned" if len(moments) > 1 else "### Where it turned most")
    for move, boards in moments:
        parts.append(_moment(match, move, "" if boards is None else boards[2]))
        if boards is not None:
            made, better = (
                discord.MediaGalleryItem(f"attachment://{one.filename}", description=one.description)
                for one in boards[:2]
            )
            parts.append(discord.ui.MediaGallery(made, better))
    parts += [words for words in (_marked(review), _kept_back(reviewed)) if words]
    steps = [step_through(match, 0), *(step_through(match, move.number, f"Move {move.number}") for move, _ in moments)]
    export = button(custom_ids.EXPORT(match=match.id), "Export")
    return layout(box(*parts), row(*steps, export))


def series(match: Match, review: Review) -> list[Series]:
    """Return the lines of the chart, in per cent: one for two players, the first one's, and one each for more."""
    shown = match.seats[:1] if len(match.seats) == 2 else match.seats
    lines = [(seat_name(match, seat.seat), review.chances[seat.seat]) for seat in shown]
    return [Series(name, tuple((number, 100 * chance) for number, chance in line)) for name, line in lines if line]


def chart_title(match: Match) -> str:
    """Return what stands above the chart."""
    of = f"{seat_name(match, 0)}'s chance" if len(match.seats) == 2 else "Chances"
    return f"{of} to win, per cent, by move"


def in_words(match: Match, review: Review) -> str:
    """Return what the chart shows, in words."""
    said = []
    for one in series(match, review):
        step = max(1, -(-len(one.points) // _POINTS_TOLD))
        told = dict.fromkeys([*one.points[::step], one.points[-1]])
        said.append(f"{one.name}: " + ", ".join(f"{chance:.0f}% after move {number}" for number, chance in told))
    return "; ".join(said) + "."


def step_words(match: Match, review: Review, number: int) -> str:
    """Return what a review says of the move that led to a position and of the position, or nothing."""
    move = review.move(number)
    known = ((seat, chance) for seat, line in enumerate(review.chances) for at, chance in line if at == number)
    seat, chance = next(known, (0, None))
    said = [] if move is None else [_judged(move)]
    if chance is not None:
        said.append(f"{seat_name(match, seat)}'s chance to win: {percent(chance)}.")
    return " ".join(said)


def remark(move: ReviewedMove) -> str:
    """Return what the text record says of a move: its mark and, where there is one, the better move."""
    return f"{move.mark}" if move.mark in (Mark.BEST, Mark.GOOD) else f"{move.mark}, better: {move.best}"


def percent(chance: float) -> str:
    """Return a chance from 0 to 1 in per cent."""
    return f"{100 * chance:.0f}%"


def _judged(move: ReviewedMove) -> str:
    if move.mark is Mark.BEST:
        return "**Best move.**"
    if move.mark is Mark.GOOD:
        return f"A good move; the best was **{move.best}**."
    return (
        f"**{move.mark.capitalize()}**: from {percent(move.before)} to {percent(move.after)}. Better: **{move.best}**."
    )


def _accuracy(match: Match, review: Review, seat: int) -> str:
    accuracy, name = review.accuracy(seat), plain(match.seats[seat].person.name)
    if accuracy is None:
        return f"{name} ({seat_name(match, seat)}): nothing to judge"
    counts = [(review.count(seat, mark), mark) for mark in Mark]
    told = ", ".join(f"{count} {_named(mark, count)}" for count, mark in counts if count)
    return f"{name} ({seat_name(match, seat)}): accuracy **{accuracy:.0f}%** · {told}"


def _named(mark: Mark, count: int) -> str:
    plural = {Mark.INACCURACY: "inaccuracies", Mark.MISTAKE: "mistakes", Mark.BLUNDER: "blunders"}
    return mark.value if count == 1 else plural.get(mark, mark.value)


def _moment(match: Match, move: ReviewedMove, does: str) -> str:
    name = plain(match.seats[move.seat].person.name)
    better = f"**{move.best}**" if not does or move.best in does else f"{does} (**{move.best}**)"
    missed = " A certain win was there." if move.proven and move.before == 1 and move.after < 1 else ""
    return (
        f"**Move {move.number}** · {name} played **{move.text}**, {_article(move.mark)}: the chance to win fell from "
        f"{percent(move.before)} to {percent(move.after)}.{missed}\nBetter: {better}."
    )


def _article(mark: Mark) -> str:
    return f"{'an' if mark is Mark.INACCURACY else 'a'} {mark}"


def _marked(review: Review) -> str:
    """Return the moves that gave something away, as many as fit."""
    said = [f"{move.number}. {move.text}{_GLYPHS[move.mark]}" for move in review.moves if _gave_away(move)]
    shown = that_fit(said, _MARKS_LISTED)
    more = f" and {len(said) - len(shown)} more" if len(shown) < len(said) else ""
    return f"-# {' · '.join(shown)}{more}" if said else ""


def _gave_away(move: ReviewedMove) -> bool:
    return move.mark not in (Mark.BEST, Mark.GOOD)


def _kept_back(reviewed: Reviewed) -> str:
    """Return that something is left out because it would help in a match between people."""
    if not reviewed.hidden:
        return ""
    several = len(reviewed.hidden) > 1
    numbers = ", ".join(str(match.id) for match in reviewed.hidden)
    return (
        f"-# Nothing is said of positions that stand in {'matches' if several else 'match'} {numbers}, which you're "
        "playing against somebody. It's all here when that has moved on."
    )
