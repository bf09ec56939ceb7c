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
from bot.messages.review import review_button, step_words
from bot.messages.wording import move_made, plain, players, result, seat_name, title
from bot.storage.records import Match, MatchState, MoveKind, PlayedMove
from renderers.i18n import bracketed, gettext_lazy, percent, prose, sentence, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import pgettext as _p

PICTURE, LETTERS = "picture", "text"
"""The forms in which a position is shown, as custom ids name them."""
_FLIP, _FORM = 4, 5


def words(match: Match, stepped: Stepped, review: Review | None) -> str:
    """Return which match and position this is, what led to it, and what its review says of that."""
    said = "" if review is None else step_words(match, review, stepped.number)
    voided = f"-# {result(match)}" if match.voided else ""
    lines = [f"**{title(match)}**", f"-# {players(match)}", voided, _at(match, stepped), said]
    return "\n".join(line for line in lines if line)


def best_words(hint: Hint, tried: GameState) -> str:
    """Return what is best in a position of a match in words, given where it leads."""
    match = hint.match
    does = GAMES[match.game].move_in_words(tried.before, tried.last)
    move = translated(does) if hint.advice.move in does else bracketed(does, f"**{hint.advice.move}**")
    line = _("Best for {seat}: {moves}.", seat=seat_name(match, hint.seat), moves=move)
    if hint.advice.winning is None:
        return prose([line, _("One good choice of several.")])
    if hint.advice.proven and hint.advice.winning in _PROVEN:
        return prose([line, _PROVEN[hint.advice.winning]])
    return prose([line, _("The chance to win is about {share}.", share=percent(hint.advice.winning))])


_PROVEN = {
    1.0: gettext_lazy("It wins for certain."),
    0.5: gettext_lazy("It draws for certain."),
    0.0: gettext_lazy("Every move loses here, if the other side finds the right replies."),
}


def _at(match: Match, stepped: Stepped) -> str:
    """Return which position of a match this is, and what led to it."""
    entry = stepped.entry
    if entry is None:
        return _n("**The beginning** of {n} move.", "**The beginning** of {n} moves.", stepped.last)
    at = _("**Move {number} of {last}**", number=stepped.number, last=stepped.last)
    return f"{at} · {_led(match, stepped, entry)}"


def _led(match: Match, stepped: Stepped, entry: PlayedMove) -> str:
    name = plain(match.seats[entry.seat].person.name)
    match entry.kind:
        case MoveKind.DROP:
            return sentence(translated(LEFT[entry.text].filled(name=name)))
        case MoveKind.DRAW:
            return _("A draw was agreed.")
        case MoveKind.CLOSED:
            return _("The match was put away.")
        case MoveKind.FORCED:
            return _("{name} has to pass.", name=name)
    return sentence(move_made(match, stepped.game_state))


def turns(
    match: Match, stepped: Stepped, seat: int, form: str
) -> tuple[list[discord.ui.Button[discord.ui.LayoutView]], list[discord.ui.Button[discord.ui.LayoutView]]]:
    """Return the buttons to the other positions, and those that show this one otherwise."""
    number, last = stepped.number, stepped.last
    leading = [
        (_p("position", "First"), 0, number == 0),
        (_("◀ Back"), max(number - 1, 0), number == 0),
        (_("Next ▶"), min(number + 1, last), number == last),
        (_p("position", "Last"), last, number == last),
    ]
    steps = [
        button(_step(match, to, seat, form, at), label, disabled=off) for at, (label, to, off) in enumerate(leading)
    ]
    other, label = (PICTURE, _("As a picture")) if form == LETTERS else (LETTERS, _("As text"))
    over = match.state is MatchState.OVER
    best = button(custom_ids.BEST(match=match.id, number=number, seat=seat, verb=form), _("Best move"))
    flip = button(_step(match, number, (seat + 1) % len(match.seats), form, _FLIP), _("Flip the board"))
    views = [flip, button(_step(match, number, seat, other, _FORM), label)]
    offered = [best] if over and stepped.game_state.result is None else []
    return steps, [*offered, *views, *([review_button(match)] if over else [])]


def _step(match: Match, number: int, seat: int, form: str, at: int) -> str:
    """Return the custom id of a button; ``at`` tells those apart that lead to the same position."""
    return custom_ids.STEP(match=match.id, number=number, seat=seat, verb=form, button=at)
