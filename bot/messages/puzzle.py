"""Puzzles in words, and the messages about them that everybody sees: that of the day, and what somebody shares."""

from __future__ import annotations

from datetime import timedelta

import discord

from bot.games.puzzles import Kind, Puzzle
from bot.matches.model.game_state import GameState
from bot.matches.model.puzzles import as_rating
from bot.matches.model.rating import format_rating
from bot.matches.services.daily_puzzles import DailyView
from bot.messages import custom_ids
from bot.messages.layout import Part, box, button, layout, row
from bot.messages.outgoing import Outgoing
from bot.messages.pictures import BoardRenderer, gallery
from bot.messages.wording import mention
from bot.storage.puzzle_records import AttemptState, PuzzleAttempt, PuzzleRating
from bot.storage.records import Preferences

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
RIGHT, WRONG, SHOWN = "🟩", "🟥", "⬜"
"""What stands in a shared line for a right move, a wrong try, and a solution that was shown."""


def game_of(puzzle: Puzzle) -> str:
    """Return the name of a puzzle's game, with the variant where there are several."""
    game = puzzle.game
    return game.name if len(game.variants) == 1 else f"{game.name} ({game.variant(puzzle.variant).name})"


def task(puzzle: Puzzle, seat: int) -> str:
    """Return what is asked of a seat: ``Blue to move. Win in two moves.``"""
    number, name = puzzle.task.number, puzzle.game.seat_names[seat]
    match puzzle.task.kind:
        case Kind.WIN:
            return f"{name} to move. Win in {_counted(number, 'move')}."
        case Kind.HOLD if number == 1:
            return f"{name} to move. All moves but one lose to the very next move: find that one."
        case Kind.HOLD:
            return f"{name} to move. All moves but one lose within {_counted(number, 'move')}: find that one."
        case Kind.FIND:
            left = "Only one is left" if number == 1 else f"{_NUMBERS[number].capitalize()} are left"
            return f"Find {puzzle.game.finding}. {left}, and a guess that can't be drawn is a wrong try."


def rated_record(record: PuzzleRating) -> str:
    """Return what came of somebody's puzzles: ``1540? · 12 of 15 at the first try · 3 days in a row``."""
    count = record.first_try + record.failed
    parts = [f"**{format_rating(as_rating(record))}**", f"{record.first_try} of {count} at the first try"]
    if record.longest_streak:
        longest = f" (longest: {record.longest_streak})" if record.longest_streak > record.streak else ""
        days = "day" if record.streak == 1 else "days"
        parts.append(f"{record.streak} {days} in a row{longest}")
    return " · ".join(parts)


def daily_marker(view: DailyView) -> str:
    """Return the custom id by which the post of a puzzle of the day is recognised."""
    return custom_ids.DAILY(day=view.daily.day.isoformat())


async def daily_post(renderer: BoardRenderer, view: DailyView, start: GameState) -> Outgoing:
    """Return the post of a puzzle of the day with its board."""
    picture = await renderer.puzzle(view.puzzle, start, min(start.position.to_move), Preferences())
    return Outgoing(daily_view(view, start, picture.description), daily_marker(view), (picture,))


def daily_view(view: DailyView, start: GameState, description: str) -> discord.ui.LayoutView:
    """Return the text and controls of such a post; ``description`` is the alternative text of its board."""
    puzzle = view.puzzle
    date = f"{view.daily.day:%A}, {view.daily.day.day} {view.daily.day:%B %Y}"
    words = [
        f"### Puzzle of the day: {game_of(puzzle)}",
        task(puzzle, min(start.position.to_move)),
        f"-# {date} · difficulty {puzzle.difficulty} · {_solved_by(view)}",
    ]
    solve = row(button(daily_marker(view), "Solve", discord.ButtonStyle.success))
    parts: list[Part] = [box("\n".join(words), gallery(description), solve)]
    if view.before is not None:
        parts.append(_answer(view.before))
    return layout(*parts)


def shared(attempt: PuzzleAttempt, puzzle: Puzzle) -> Outgoing:
    """Return a line that says how somebody solved a puzzle and gives nothing away of it, with the way to try it."""
    of_day = "" if attempt.day is None else f" of {attempt.day.day} {attempt.day:%B}"
    line = f"{mention(attempt.user_id)} · puzzle{of_day} · {game_of(puzzle)} · {symbols(attempt)}"
    custom_id = custom_ids.PUZZLE(verb="same", attempt=attempt.id)
    return Outgoing(layout(line, row(button(custom_id, "Try it"))), custom_id)


def symbols(attempt: PuzzleAttempt) -> str:
    """Return an attempt in symbols: its wrong tries, at most five of them, then each move found."""
    found = (attempt.ply + 1) // 2
    count = len(attempt.wrong)
    wrong = WRONG * min(count, 5) + ("…" if count > 5 else "")
    return wrong + RIGHT * found + (SHOWN if attempt.state is AttemptState.SHOWN else "")


def _solved_by(view: DailyView) -> str:
    count = len(view.solvers)
    return "nobody has solved it yet" if not count else f"solved by {count}"


def _answer(before: DailyView) -> str:
    """Return the answer to the puzzle of the day before, and who was fastest."""
    moves = " ".join(f"**{move}**" if ply % 2 == 0 else move for ply, move in enumerate(before.puzzle.solution))
    words = f"Answer to the last one ({game_of(before.puzzle)}): {moves}"
    if not before.solvers:
        return f"{words}\n-# Nobody solved it."
    fastest = before.solvers[0]
    assert fastest.ended_at is not None
    others = f", of {len(before.solvers)}" if len(before.solvers) > 1 else ""
    after = _duration(fastest.ended_at - before.daily.at)
    return f"{words}\n-# Fastest{others}: {mention(fastest.user_id)}, {after} after it was posted."


def _counted(number: int, what: str) -> str:
    return f"{_NUMBERS[number]} {what}{'' if number == 1 else 's'}"


def _duration(time: timedelta) -> str:
    """Return a time in its largest unit, rounded down: ``3 hours``."""
    seconds = max(1, int(time.total_seconds()))
    for unit, name in ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second")):
        if seconds >= unit:
            count = seconds // unit
            return f"{count} {name}{'' if count == 1 else 's'}"
    raise AssertionError
