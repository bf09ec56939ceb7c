"""The public messages about puzzles: the puzzle of the day, and a shared result."""

from __future__ import annotations

from datetime import timedelta

import discord

from bot.matches.model.game_state import GameState
from bot.matches.services.daily_puzzles import DailyView
from bot.messages import custom_ids
from bot.messages.layout import Outgoing, Part, box, button, gallery_of_attached, layout, row
from bot.messages.pictures import BoardRenderer
from bot.messages.puzzle_words import game_of, task
from bot.messages.wording import mention
from bot.storage.people import Preferences
from renderers.dates import long_date
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n


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
