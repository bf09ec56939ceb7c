"""A match looked at position by position: what is said of each, and the buttons that lead to the others."""

from __future__ import annotations

import discord

from bot.games import GAMES
from bot.matches.model.game_state import GameState
from bot.matches.model.review import Review
from bot.matches.services.hints import Hint
from bot.messages import custom_ids
from bot.messages.board import LEFT
from bot.messages.drawing import Stepped
from bot.messages.layout import button
from bot.messages.review import percent, review_button, step_words
from bot.messages.wording import move_made, plain, players, result, seat_name, title
from bot.storage.records import Match, MatchState, MoveKind

PICTURE, LETTERS = "picture", "text"
"""The forms in which a position is shown, as custom ids name them."""
_FLIP, _FORM = 4, 5


def words(match: Match, stepped: Stepped, review: Review | None) -> str:
    """Return which match and position this is, what led to it, and what its review says of that."""
    at = "The beginning" if stepped.entry is None else f"Move {stepped.number} of {stepped.last}"
    said = "" if review is None else step_words(match, review, stepped.number)
    voided = f"-# {result(match)}" if match.voided else ""
    lines = [f"**{title(match)}**", f"-# {players(match)}", voided, f"**{at}**{_led(match, stepped)}", said]
    return "\n".join(line for line in lines if line)


def best_words(hint: Hint, tried: GameState) -> str:
    """Return what is best in a position of a match in words, given where it leads."""
    match = hint.match
    does = GAMES[match.game].move_in_words(tried.before, tried.last)
    text = "" if hint.advice.move in does else f" (**{hint.advice.move}**)"
    line = f"Best for {seat_name(match, hint.seat)}: {does}{text}."
    if hint.advice.winning is None:
        return f"{line} One good choice of several."
    if hint.advice.proven and hint.advice.winning in _PROVEN:
        return f"{line} {_PROVEN[hint.advice.winning]}"
    return f"{line} The chance to win is about {percent(hint.advice.winning)}."


_PROVEN = {1.0: "It wins for certain.", 0.5: "It draws for certain.", 0.0: "It loses like every other move."}


def _led(match: Match, stepped: Stepped) -> str:
    entry = stepped.entry
    if entry is None:
        return f" of {stepped.last} {'move' if stepped.last == 1 else 'moves'}."
    name = plain(match.seats[entry.seat].person.name)
    match entry.kind:
        case MoveKind.DROP:
            return f" · {name} {LEFT[entry.text]}."
        case MoveKind.DRAW:
            return " · A draw was agreed."
        case MoveKind.PUT_AWAY:
            return " · The match was put away."
        case MoveKind.FORCED:
            return f" · {name} has to pass."
    return f" · {move_made(match, stepped.game_state)}."


def turns(
    match: Match, stepped: Stepped, seat: int, form: str
) -> tuple[list[discord.ui.Button[discord.ui.LayoutView]], list[discord.ui.Button[discord.ui.LayoutView]]]:
    """Return the buttons to the other positions, and those that show this one otherwise."""
    number, last = stepped.number, stepped.last
    leading = [
        ("First", 0, number == 0),
        ("◀ Back", max(number - 1, 0), number == 0),
        ("Next ▶", min(number + 1, last), number == last),
        ("Last", last, number == last),
    ]
    steps = [
        button(_step(match, to, seat, form, at), label, disabled=off) for at, (label, to, off) in enumerate(leading)
    ]
    other, label = (PICTURE, "As a picture") if form == LETTERS else (LETTERS, "As text")
    over = match.state is MatchState.OVER
    best = button(custom_ids.BEST(match=match.id, number=number, seat=seat, verb=form), "Best move")
    flip = button(_step(match, number, (seat + 1) % len(match.seats), form, _FLIP), "Flip the board")
    views = [flip, button(_step(match, number, seat, other, _FORM), label)]
    offered = [best] if over and stepped.game_state.result is None else []
    return steps, [*offered, *views, *([review_button(match)] if over else [])]


def _step(match: Match, number: int, seat: int, form: str, at: int) -> str:
    """Return the custom id of a button; ``at`` tells those apart that lead to the same position."""
    return custom_ids.STEP(match=match.id, number=number, seat=seat, verb=form, button=at)
