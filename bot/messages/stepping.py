"""A match looked at position by position: what is said of each, and the buttons that lead to the others."""

from __future__ import annotations

import discord

from bot.messages import custom_ids
from bot.messages.board import LEFT
from bot.messages.drawing import Stepped
from bot.messages.layout import button
from bot.messages.wording import move_made, plain, players, result, title
from bot.storage.records import Match, MoveKind

PICTURE, LETTERS = "picture", "text"
"""The forms in which a position is shown, as custom ids name them."""
_FLIP, _FORM = 4, 5


def words(match: Match, stepped: Stepped) -> str:
    """Return which match and position this is, and what led to it."""
    at = "The beginning" if stepped.entry is None else f"Move {stepped.number} of {stepped.last}"
    voided = f"\n-# {result(match)}" if match.voided else ""
    return f"**{title(match)}**\n-# {players(match)}{voided}\n**{at}**{_led(match, stepped)}"


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
    flip = button(_step(match, number, (seat + 1) % len(match.seats), form, _FLIP), "Flip the board")
    return steps, [flip, button(_step(match, number, seat, other, _FORM), label)]


def _step(match: Match, number: int, seat: int, form: str, at: int) -> str:
    """Return the custom id of a button; ``at`` tells those apart that lead to the same position."""
    return custom_ids.STEP(match=match.id, number=number, seat=seat, verb=form, button=at)
