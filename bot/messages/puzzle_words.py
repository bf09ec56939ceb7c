"""Puzzles in words: the task, what came of a try, and how an attempt ended."""

from __future__ import annotations

from bot.games.puzzles import Puzzle, TaskKind
from bot.matches.model.game_state import GameState
from bot.matches.model.puzzles import Tried, symbols
from bot.matches.services.puzzles import PuzzleView
from bot.messages.wording import escaped, game_name
from bot.storage.records import AttemptState
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import pgettext_lazy, prose, translated

_NUMBERS = (
    pgettext_lazy("number", "no"),
    pgettext_lazy("number", "one"),
    pgettext_lazy("number", "two"),
    pgettext_lazy("number", "three"),
    pgettext_lazy("number", "four"),
    pgettext_lazy("number", "five"),
    pgettext_lazy("number", "six"),
)
_NUMBERS_AT_THE_BEGINNING = (
    pgettext_lazy("number at the beginning of a sentence", "No"),
    pgettext_lazy("number at the beginning of a sentence", "One"),
    pgettext_lazy("number at the beginning of a sentence", "Two"),
    pgettext_lazy("number at the beginning of a sentence", "Three"),
    pgettext_lazy("number at the beginning of a sentence", "Four"),
    pgettext_lazy("number at the beginning of a sentence", "Five"),
    pgettext_lazy("number at the beginning of a sentence", "Six"),
)


def game_of(puzzle: Puzzle) -> str:
    """Return the name of a puzzle's game, as of a match in the same variant."""
    return game_name(puzzle.game.key, puzzle.variant)


def task(puzzle: Puzzle) -> str:
    """Return the task of a puzzle: ``Blue to move. Win in two moves.``"""
    count, name = puzzle.task.number, puzzle.game.seat_names[puzzle.seat]
    match puzzle.task.kind:
        case TaskKind.WIN:
            return _n(
                "{seat} to move. Win in {number} move.",
                "{seat} to move. Win in {number} moves.",
                count,
                seat=name,
                number=_NUMBERS[count],
            )
        case TaskKind.HOLD if count == 1:
            return _("{seat} to move. Only one move doesn't lose at once. Find it.", seat=name)
        case TaskKind.HOLD:
            return _n(
                "{seat} to move. Only one move holds: every other loses within {number} move. Find it.",
                "{seat} to move. Only one move holds: every other loses within {number} moves. Find it.",
                count,
                seat=name,
                number=_NUMBERS[count],
            )
        case TaskKind.FIND:
            return _n(
                "Find {what}. Only one is left, and a guess that can't be drawn is a wrong try.",
                "Find {what}. {number} are left, and a guess that can't be drawn is a wrong try.",
                count,
                what=puzzle.game.finding,
                number=_NUMBERS_AT_THE_BEGINNING[count],
            )


def found_words(view: PuzzleView, text: str) -> str:
    """Return the words for a move that was found, with the reply to it."""
    words = _("{move} is right.", move=f"**{escaped(text)}**")
    if view.attempt.state is not AttemptState.OPEN:
        return words
    reply = view.puzzle.solution[view.attempt.ply - 1]
    return prose([words, _("They reply **{move}**. Go on.", move=reply)])


def tried_words(view: PuzzleView, tried: Tried) -> str:
    """Return the words for a try, ``view`` being the attempt after it."""
    if tried.right:
        return found_words(view, tried.text)
    move, wrong = f"**{escaped(tried.text)}**", len(view.attempt.wrong)
    if tried.refused:
        why = escaped(translated(tried.refused))
        return _("{move} isn't it. It can't be played: {why}. Wrong tries: {number}.", move=move, why=why, number=wrong)
    return _("{move} isn't it. Wrong tries: {number}.", move=move, number=wrong)


def verdict(view: PuzzleView) -> str:
    """Return how an attempt ended, as a heading."""
    attempt = view.attempt
    if attempt.state is AttemptState.SHOWN:
        return _("### The solution")
    if attempt.at_first_try:
        return _("### Solved at the first try {symbols}", symbols=symbols(attempt))
    count = len(attempt.wrong)
    return _n(
        "### Solved after {n} wrong try {symbols}",
        "### Solved after {n} wrong tries {symbols}",
        count,
        symbols=symbols(attempt),
    )


def why(view: PuzzleView, end: GameState) -> str:
    puzzle = view.puzzle
    if puzzle.task.kind is TaskKind.WIN and end.result is not None:
        return _(
            "{summary}. No other first move wins as soon as that.",
            summary=end.result.summary(puzzle.game.seat_names[:2]),
        )
    if puzzle.task.kind is TaskKind.HOLD:
        seat = puzzle.game.seat_names[1 - (end.last_seat or 0)]
        if puzzle.task.number == 1:
            return _("After every other move {seat} can win at once.", seat=seat)
        return _n(
            "After every other move {seat} can win within {n} move.",
            "After every other move {seat} can win within {n} moves.",
            puzzle.task.number,
            seat=seat,
        )
    return "" if puzzle.task.number == 1 else _("Any other that can be drawn is as good.")
