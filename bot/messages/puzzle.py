"""The public messages about puzzles: the puzzle of the day, and a shared result."""

from __future__ import annotations

from datetime import timedelta

import discord

from bot.matches.model.game_state import GameState
from bot.matches.model.pace import span_in_words
from bot.matches.model.typed import DAY, HOUR, MINUTE
from bot.matches.services.daily_puzzles import DailyView
from bot.messages import custom_ids
from bot.messages.layout import Outgoing, Part, box, button, gallery_of_attached, layout, row
from bot.messages.pictures import PUBLIC, BoardRenderer
from bot.messages.puzzle_words import game_of, task
from bot.messages.wording import mention
from renderers.dates import long_date
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import translated


def daily_marker(view: DailyView) -> str:
    """Return the custom id by which the post of a puzzle of the day is recognised."""
    return custom_ids.DAILY(day=view.daily.day.isoformat())


async def daily_post(renderer: BoardRenderer, view: DailyView, start: GameState) -> Outgoing:
    picture = await renderer.puzzle(view.puzzle, start, view.puzzle.seat, PUBLIC)
    return Outgoing(daily_view(view, picture.description), daily_marker(view), (picture,))


def daily_view(view: DailyView, description: str) -> discord.ui.LayoutView:
    """Return a puzzle of the day without its picture; ``description`` is the alternative text of its board."""
    puzzle = view.puzzle
    date = long_date(view.daily.day)
    head = _("### Puzzle of the day: {game}", game=game_of(puzzle))
    count = len(view.solvers)
    solved = _n("solved by {n}", "solved by {n}", count) if count else _("nobody has solved it yet")
    words = [
        task(puzzle),
        " · ".join([f"-# {date}", _("difficulty {number}", number=puzzle.difficulty), solved]),
    ]
    if view.answered:
        words.append("-# " + _("The answer is out. You can still try, but it no longer counts."))
        solve = row(button(daily_marker(view), _("Try it")))
    else:
        solve = row(button(daily_marker(view), _("Solve"), discord.ButtonStyle.success))
    parts: list[Part] = [box(head, gallery_of_attached(description), "\n".join(words), solve)]
    if view.before is not None:
        parts.append(_answer(view.before))
    return layout(*parts)


def _answer(before: DailyView) -> str:
    """Return the answer to the previous puzzle of the day, and who took the least time from opening it."""
    moves = " ".join(f"**{move}**" if ply % 2 == 0 else move for ply, move in enumerate(before.puzzle.solution))
    words = _("Answer to the last one, {game}: {moves}", game=game_of(before.puzzle), moves=moves)
    if not before.solvers:
        return words + "\n-# " + _("Nobody solved it.")
    # From the moment each person opened it: the hour of the post would let the time zone win.
    ended = ((attempt, attempt.ended_at) for attempt in before.solvers if attempt.ended_at is not None)
    taken = ((at - attempt.begun_at, mention(attempt.user_id)) for attempt, at in ended)
    after, person = min(taken, key=lambda solved: solved[0])
    if len(before.solvers) == 1:
        told = _("Fastest: {person}, {time} after opening it.", person=person, time=_duration(after))
    else:
        told = _n(
            "Fastest of {n}: {person}, {time} after opening it.",
            "Fastest of {n}: {person}, {time} after opening it.",
            len(before.solvers),
            person=person,
            time=_duration(after),
        )
    return f"{words}\n-# {told}"


def _duration(time: timedelta) -> str:
    """Return a time in its largest unit, rounded down: ``3 hours``."""
    seconds = max(1, int(time.total_seconds()))
    unit = next(unit for unit in (DAY, HOUR, MINUTE, 1) if seconds >= unit)
    return translated(span_in_words(seconds - seconds % unit))
