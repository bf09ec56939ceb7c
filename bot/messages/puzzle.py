"""Puzzles in words, and the public messages about them: the puzzle of the day, and a shared result."""

from __future__ import annotations

from datetime import timedelta

import discord

from bot.games.puzzles import Kind, Puzzle
from bot.matches.model.game_state import GameState
from bot.matches.model.puzzles import Tried
from bot.matches.services.daily_puzzles import DailyView
from bot.matches.services.puzzles import PuzzleView
from bot.messages import custom_ids
from bot.messages.layout import Outgoing, Part, box, button, gallery_of_attached, layout, row
from bot.messages.pictures import BoardRenderer
from bot.messages.wording import mention, plain
from bot.storage.people import Preferences
from bot.storage.puzzles import PuzzleAttempt
from bot.storage.records import AttemptState
from renderers.dates import day_and_month, long_date
from renderers.i18n import bracketed, pgettext_lazy, prose, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

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
RIGHT, WRONG, SHOWN = "🟩", "🟥", "⬜"
"""Symbols of a shared line: a right move, a wrong try, and a solution that was shown."""


def game_of(puzzle: Puzzle) -> str:
    """Return the name of a puzzle's game, with the variant where there are several."""
    game = puzzle.game
    name = translated(game.name)
    return name if len(game.variants) == 1 else bracketed(name, game.variant(puzzle.variant).name)


def task(puzzle: Puzzle, seat: int) -> str:
    """Return the task of a puzzle: ``Blue to move. Win in two moves.``"""
    count, name = puzzle.task.number, puzzle.game.seat_names[seat]
    match puzzle.task.kind:
        case Kind.WIN:
            return _n(
                "{seat} to move. Win in {number} move.",
                "{seat} to move. Win in {number} moves.",
                count,
                seat=name,
                number=_NUMBERS[count],
            )
        case Kind.HOLD if count == 1:
            return _("{seat} to move. Only one move doesn't lose at once. Find it.", seat=name)
        case Kind.HOLD:
            return _n(
                "{seat} to move. Only one move holds: every other loses within {number} move. Find it.",
                "{seat} to move. Only one move holds: every other loses within {number} moves. Find it.",
                count,
                seat=name,
                number=_NUMBERS[count],
            )
        case Kind.FIND:
            return _n(
                "Find {what}. Only one is left, and a guess that can't be drawn is a wrong try.",
                "Find {what}. {number} are left, and a guess that can't be drawn is a wrong try.",
                count,
                what=puzzle.game.finding,
                number=_NUMBERS_AT_THE_BEGINNING[count],
            )


def daily_marker(view: DailyView) -> str:
    """Return the custom id by which the post of a puzzle of the day is recognised."""
    return custom_ids.DAILY(day=view.daily.day.isoformat())


async def daily_post(renderer: BoardRenderer, view: DailyView, start: GameState) -> Outgoing:
    """Return the post of a puzzle of the day with its board."""
    picture = await renderer.puzzle(view.puzzle, start, min(start.position.to_move), Preferences())
    return Outgoing(daily_view(view, start, picture.description), daily_marker(view), (picture,))


def daily_view(view: DailyView, start: GameState, description: str) -> discord.ui.LayoutView:
    """Return a puzzle of the day without its picture; ``description`` is the alternative text of its board."""
    puzzle = view.puzzle
    date = long_date(view.daily.day)
    head = _("### Puzzle of the day: {game}", game=game_of(puzzle))
    words = [
        task(puzzle, min(start.position.to_move)),
        " · ".join([f"-# {date}", _("difficulty {number}", number=puzzle.difficulty), _solved_by(view)]),
    ]
    solve = row(button(daily_marker(view), _("Solve"), discord.ButtonStyle.success))
    parts: list[Part] = [box(head, gallery_of_attached(description), "\n".join(words), solve)]
    if view.before is not None:
        parts.append(_answer(view.before))
    return layout(*parts)


def shared(attempt: PuzzleAttempt, puzzle: Puzzle) -> Outgoing:
    """Return a person's result in a puzzle, without the solution, and the button to try it."""
    if attempt.day is None:
        which = _("{person} · puzzle", person=mention(attempt.user_id))
    else:
        which = _("{person} · puzzle of {day}", person=mention(attempt.user_id), day=day_and_month(attempt.day))
    line = f"{which} · {game_of(puzzle)} · {symbols(attempt)}"
    custom_id = custom_ids.PUZZLE(verb="same", attempt=attempt.id)
    return Outgoing(layout(line, row(button(custom_id, _("Try it")))), custom_id)


def symbols(attempt: PuzzleAttempt) -> str:
    """Return an attempt in symbols: its wrong tries, at most five of them, then each move found."""
    found = (attempt.ply + 1) // 2
    count = len(attempt.wrong)
    wrong = WRONG * min(count, 5) + ("…" if count > 5 else "")
    return wrong + RIGHT * found + (SHOWN if attempt.state is AttemptState.SHOWN else "")


def _solved_by(view: DailyView) -> str:
    count = len(view.solvers)
    return _("nobody has solved it yet") if not count else _n("solved by {n}", "solved by {n}", count)


def _answer(before: DailyView) -> str:
    """Return the answer to the previous puzzle of the day, and who was fastest."""
    moves = " ".join(f"**{move}**" if ply % 2 == 0 else move for ply, move in enumerate(before.puzzle.solution))
    words = _("Answer to the last one, {game}: {moves}", game=game_of(before.puzzle), moves=moves)
    if not before.solvers:
        return words + "\n-# " + _("Nobody solved it.")
    fastest = before.solvers[0]
    assert fastest.ended_at is not None
    person, after = mention(fastest.user_id), _duration(fastest.ended_at - before.daily.at)
    if len(before.solvers) == 1:
        told = _("Fastest: {person}, {time} after it was posted.", person=person, time=after)
    else:
        told = _n(
            "Fastest of {n}: {person}, {time} after it was posted.",
            "Fastest of {n}: {person}, {time} after it was posted.",
            len(before.solvers),
            person=person,
            time=after,
        )
    return f"{words}\n-# {told}"


def _duration(time: timedelta) -> str:
    """Return a time in its largest unit, rounded down: ``3 hours``."""
    seconds = max(1, int(time.total_seconds()))
    if seconds >= 86400:
        return _n("{n} day", "{n} days", seconds // 86400)
    if seconds >= 3600:
        return _n("{n} hour", "{n} hours", seconds // 3600)
    if seconds >= 60:
        return _n("{n} minute", "{n} minutes", seconds // 60)
    return _n("{n} second", "{n} seconds", seconds)


def found_words(view: PuzzleView, text: str) -> str:
    """Return the words for a move that was found, with the reply to it."""
    words = _("{move} is right.", move=f"**{plain(text)}**")
    if view.attempt.state is not AttemptState.OPEN:
        return words
    reply = view.puzzle.solution[view.attempt.ply - 1]
    return prose([words, _("They reply **{move}**. Go on.", move=reply)])


def tried_words(view: PuzzleView, tried: Tried) -> str:
    """Return the words for a try, ``view`` being the attempt after it."""
    if tried.right:
        return found_words(view, tried.text)
    move, wrong = f"**{plain(tried.text)}**", len(view.attempt.wrong)
    if tried.refused:
        why = plain(translated(tried.refused))
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
    """Return why the solution is one."""
    puzzle = view.puzzle
    if puzzle.task.kind is Kind.WIN and end.result is not None:
        return _(
            "{summary}. No other first move wins as soon as that.",
            summary=end.result.summary(puzzle.game.seat_names[:2]),
        )
    if puzzle.task.kind is Kind.HOLD:
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
