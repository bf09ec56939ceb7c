"""The words of a review, whichever way it is looked at: marks of moves, what they came to, and what turned it."""

from __future__ import annotations

from bot.matches.model.review import THRESHOLDS, MoveMark, Review, ReviewedMove
from bot.matches.services.reviews import Reviewed
from bot.messages.wording import better_words, escaped, listed, seat_name, that_fit
from bot.storage.records import Match
from renderers.charts.line_chart import Chart, Note, Series
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

_MARKS_LISTED = 900
"""Characters of the list of moves with a mark."""
_POINTS_TOLD, _POINTS_OF_ALL = 8, 24
"""Positions whose chances are put in words: for each player, and for all together."""
_MATCHES_NAMED = 200
"""Characters of the list of matches because of which positions are left out."""
GLYPHS = {
    MoveMark.BEST: "!",
    MoveMark.GOOD: "",
    MoveMark.INACCURACY: "?!",
    MoveMark.MISTAKE: "?",
    MoveMark.BLUNDER: "??",
}
"""How marks are written behind a move, as in books."""
MARKS = {
    MoveMark.BEST: pgettext_lazy("mark of a move", "best"),
    MoveMark.GOOD: pgettext_lazy("mark of a move", "good"),
    MoveMark.INACCURACY: pgettext_lazy("mark of a move", "inaccuracy"),
    MoveMark.MISTAKE: pgettext_lazy("mark of a move", "mistake"),
    MoveMark.BLUNDER: pgettext_lazy("mark of a move", "blunder"),
}
_AT_THE_BEGINNING = {
    MoveMark.INACCURACY: pgettext_lazy("mark of a move", "Inaccuracy"),
    MoveMark.MISTAKE: pgettext_lazy("mark of a move", "Mistake"),
    MoveMark.BLUNDER: pgettext_lazy("mark of a move", "Blunder"),
}
_WITH_ARTICLE = {
    MoveMark.BEST: pgettext_lazy("mark of a move", "a best"),
    MoveMark.GOOD: pgettext_lazy("mark of a move", "a good"),
    MoveMark.INACCURACY: pgettext_lazy("mark of a move", "an inaccuracy"),
    MoveMark.MISTAKE: pgettext_lazy("mark of a move", "a mistake"),
    MoveMark.BLUNDER: pgettext_lazy("mark of a move", "a blunder"),
}
NOTHING = gettext_lazy("There is nothing to review in this match: it ended before anybody had a choice to make.")


def marks_explained() -> str:
    """Return the meaning of the marks of moves, from the worst to the best."""
    return _(
        "Each move is marked by how much winning chance it gave away: {blunder} or more is a blunder (??), "
        "{mistake} a mistake (?), {inaccuracy} an inaccuracy (?!); less is a good move.",
        **{mark.value: percent(loss) for mark, loss in THRESHOLDS.items()},
    )


def chart(match: Match, review: Review) -> Chart | None:
    """Return the chances to win by move, in per cent, with the turning points named; None where none is known.

    There is one line for two players, the first one's, and one each for more.
    """
    shown = match.seats[:1] if len(match.seats) == 2 else match.seats
    lines = [(seat_name(match, seat.seat), review.chances[seat.seat]) for seat in shown]
    series = [Series(name, tuple((number, 100 * chance) for number, chance in line)) for name, line in lines if line]
    if not series:
        return None
    chances = dict(series[0].points) if len(match.seats) == 2 else {}
    notes = [
        Note(move.number, chances[move.number], f"{move.number}. {move.text}{GLYPHS[move.mark]}")
        for move in review.moments()
        if move.number in chances
    ]
    return Chart(tuple(series), chart_title(match), _("Move"), (0, 100), per_cent=True, notes=tuple(notes))


def chart_title(match: Match) -> str:
    if len(match.seats) == 2:
        return _("{seat}'s chance to win", seat=seat_name(match, 0))
    return _("Chances to win")


def in_words(drawn: Chart) -> str:
    """Return a chart of a review in words: some chances of each line, and the turning points."""
    said, shown = [], drawn.series
    for series in shown:
        step = max(1, -(-len(series.points) // min(_POINTS_TOLD, _POINTS_OF_ALL // len(shown))))
        told = dict.fromkeys([*series.points[::step], series.points[-1]])
        chances = (_("{share} after move {number}", share=percent(chance / 100), number=at) for at, chance in told)
        said.append(headed(series.name, enumerated(chances)))
    turned = [_("It turned at {moves}.", moves=enumerated(note.label for note in drawn.notes))] if drawn.notes else []
    return prose([sentence(translated(SEMICOLON).join(said)), *turned])


def step_words(match: Match, review: Review, number: int) -> str:
    """Return the review's words on a position and on the move that led to it, or nothing."""
    move, chance = review.move(number), chances_said(match, review).get(number)
    said = [] if move is None else [_judgement_words(move)]
    return prose(said if chance is None else [*said, chance])


def chances_said(match: Match, review: Review) -> dict[int, str]:
    """Return by the number of each position a known chance to win there in words, the first seat's if it is known."""
    chances = {at: (seat, chance) for seat in reversed(range(len(match.seats))) for at, chance in review.chances[seat]}
    return {
        number: _("{seat}'s chance to win: {share}.", seat=seat_name(match, seat), share=percent(chance))
        for number, (seat, chance) in chances.items()
    }


def remark(move: ReviewedMove) -> str:
    """Return the remark on a move for the text record: its mark and, where there is one, the better move."""
    mark = MARKS[move.mark]
    return f"{mark}, better: {move.best}" if move.gave_away else str(mark)


def _judgement_words(move: ReviewedMove) -> str:
    if move.mark is MoveMark.BEST:
        return _("**Best move.**")
    if move.mark is MoveMark.GOOD:
        return _("A good move; the best was **{best}**.", best=move.best)
    return _(
        "**{mark}**: {after} instead of {before}. Better: **{best}**.",
        mark=_AT_THE_BEGINNING[move.mark],
        before=percent(move.before),
        after=percent(move.after),
        best=move.best,
    )


def accuracy(match: Match, review: Review, seat: int) -> str:
    """Return how well a player did: "Alice (Blue): accuracy 83% · 5 best and 2 mistakes"."""
    accuracy, name = review.accuracy(seat), escaped(match.seats[seat].person.name)
    if accuracy is None:
        return _("{player} ({seat}): nothing to judge", player=name, seat=seat_name(match, seat))
    counts = [(review.count(seat, mark), mark) for mark in MoveMark]
    told = enumerated(_count_in_words(mark, count) for count, mark in counts if count)
    return _(
        "{player} ({seat}): accuracy **{share}** · {marks}",
        player=name,
        seat=seat_name(match, seat),
        share=percent(accuracy / 100),
        marks=told,
    )


def _count_in_words(mark: MoveMark, count: int) -> str:
    match mark:
        case MoveMark.BEST:
            return _n("{n} best", "{n} best", count)
        case MoveMark.GOOD:
            return _n("{n} good", "{n} good", count)
        case MoveMark.INACCURACY:
            return _n("{n} inaccuracy", "{n} inaccuracies", count)
        case MoveMark.MISTAKE:
            return _n("{n} mistake", "{n} mistakes", count)
        case MoveMark.BLUNDER:
            return _n("{n} blunder", "{n} blunders", count)


def moment(match: Match, move: ReviewedMove, does: str) -> str:
    """Return what a move gave away, and the better one; ``does`` says what the better one does."""
    name = escaped(match.seats[move.seat].person.name)
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
    return f"{fell}\n{better_words(name, does, move.best)}"


def mistakes_in_words(review: Review) -> str:
    """Return the moves that gave away a chance to win, as many as fit."""
    said = [f"{move.number}. {move.text}{GLYPHS[move.mark]}" for move in review.moves if move.gave_away]
    shown = that_fit(said, _MARKS_LISTED)
    moves = " · ".join(shown)
    if len(shown) < len(said):
        moves = _n("{names} and {n} more", "{names} and {n} more", len(said) - len(shown), names=moves)
    return f"-# {moves}" if said else ""


def unclear(review: Review) -> str:
    """Say that nothing is said about some positions, if there are any."""
    if not review.unclear:
        return ""
    return _n(
        "-# {n} position is left out: I couldn't see far enough from it to say which move was best.",
        "-# {n} positions are left out: I couldn't see far enough from them to say which move was best.",
        review.unclear,
    )


def kept_back(reviewed: Reviewed) -> str:
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
