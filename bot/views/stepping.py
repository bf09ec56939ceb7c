"""A match position by position, and the best move: as a hint against a computer player, or in a match that is over.

The custom ids of the buttons say which position is shown, so that stepping goes on after a restart.
"""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.games import GAMES
from bot.matches.model.review import Review
from bot.matches.services.hints import Hint
from bot.messages import custom_ids
from bot.messages.board import LEFT
from bot.messages.drawing import Stepped
from bot.messages.layout import box, button, gallery, layout, row
from bot.messages.wording import best_words, move_made, plain, players, result, title
from bot.requests.request import Request
from bot.requests.review_words import step_words
from bot.storage.records import Match, MatchState, MoveKind, PlayedMove
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.builder_preview import prefix_of
from bot.views.controls import Control
from bot.views.review import review_button
from bot.views.which_match import meant_match
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import pgettext as _p
from renderers.i18n import sentence, translated

PICTURE, LETTERS = "picture", "text"
"""The forms in which a position is shown, as custom ids name them."""
_FLIP, _FORM = 4, 5


class StepsButton(Control, of=custom_ids.STEPS):
    """Begins to step through a match, from one of its positions on."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, _opened, int(match["match"]), int(match["number"]))


class StepButton(Control, of=custom_ids.STEP):
    """Goes to another position, or shows this one from the other side or in another form."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        match_id, number, seat = int(match["match"]), int(match["number"]), int(match["seat"])
        await answer_in_place(interaction, _position, match_id, number, seat, match["verb"])


class HintButton(Control, of=custom_ids.HINT):
    """Shows the best move to a player whose turn it is against a computer player."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, hint, int(match["match"]), int(match["ply"]))


class BestButton(Control, of=custom_ids.BEST):
    """Shows the best move in a position of a match that is over, in place of the position."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        match_id, number, seat = int(match["match"]), int(match["number"]), int(match["seat"])
        await answer_in_place(interaction, _best, match_id, number, seat, match["verb"])


async def hint(request: Request, number: int | None, ply: int | None = None) -> Reply:
    """Return the best move in a person's match against a computer player. Raises ``Refusal``."""
    match_id = await meant_match(request, number)
    found = await request.services.hints.hint(request.turn(match_id, ply))
    return await _drawn(request, found, found.seat, _form(request))


async def _best(request: Request, match_id: int, number: int, seat: int, form: str) -> Reply:
    found = await request.services.hints.best(request.server, match_id, number, request.person.id)
    return await _drawn(request, found, seat, form)


async def _drawn(request: Request, hint: Hint, seat: int, form: str) -> Reply:
    """Return the best move on the board and in words, and in a match that is over the way on from there."""
    seat = seat if seat < len(hint.match.seats) else 0
    stepped, shown = await request.context.renderer.stepped(
        hint.match,
        hint.played,
        hint.number,
        seat,
        request.preferences,
        letters=form == LETTERS,
        instead=hint.advice.move,
    )
    tried = stepped.game_state
    does = GAMES[hint.match.game].move_in_words(tried.before, tried.last)
    words = best_words(hint.match, hint.seat, hint.advice, translated(does))
    if hint.match.state is MatchState.OVER:
        onward = [row(*buttons) for buttons in _turns(hint.match, stepped, seat, form)]
    else:
        plays = custom_ids.BUILDER(
            verb="play", match=hint.match.id, ply=hint.match.ply, menu=0, prefix=prefix_of((hint.advice.move,))
        )
        onward = [row(button(plays, _("Play it"), discord.ButtonStyle.success))]
    board = f"```\n{shown}\n```" if isinstance(shown, str) else gallery(shown)
    attachments = () if isinstance(shown, str) else (shown,)
    return Reply(view=layout(box(f"-# {title(hint.match)}", board, words), *onward), attachments=attachments)


def _form(request: Request) -> str:
    return LETTERS if request.preferences.text_boards else PICTURE


async def _opened(request: Request, match_id: int, number: int) -> Reply:
    """Return one position of a match as the person likes to see it, their own side at the bottom."""
    match_view = await request.services.queries.match_view(request.server, match_id)
    mine = match_view.match.seat_of(request.person.id)
    return await _position(request, match_id, number, 0 if mine is None else mine.seat, _form(request))


async def _position(request: Request, match_id: int, number: int, seat: int, form: str) -> Reply:
    """Return one position of a match, or the last where it has fewer, from a seat's side. Raises ``Refusal``."""
    match = (await request.services.queries.match_view(request.server, match_id)).match
    _same, played = await request.services.queries.played(request.server, match_id)
    seat = seat if seat < len(match.seats) else 0
    stepped, shown = await request.context.renderer.stepped(
        match, played, number, seat, request.preferences, letters=form == LETTERS
    )
    steps, views = _turns(match, stepped, seat, form)
    reviewed = await request.services.reviews.reviewed(match.guild_id, match_id, request.person.id)
    words = _words(match, stepped, None if reviewed is None else reviewed.review)
    board = f"```\n{shown}\n```" if isinstance(shown, str) else gallery(shown)
    attachments = () if isinstance(shown, str) else (shown,)
    heading = f"**{title(match)}**\n-# {players(match)}"
    return Reply(view=layout(box(heading, board, words), row(*steps), row(*views)), attachments=attachments)


def _words(match: Match, stepped: Stepped, review: Review | None) -> str:
    """Return the number of the position, the move that led to it, and what the review says of both."""
    said = "" if review is None else step_words(match, review, stepped.number)
    voided = f"-# {result(match)}" if match.voided else ""
    lines = [voided, _at(match, stepped), said]
    return "\n".join(line for line in lines if line)


def _at(match: Match, stepped: Stepped) -> str:
    """Return the number of a position, and the move that led to it."""
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
            return _("The match was closed.")
        case MoveKind.FORCED:
            return _("{name} has to pass.", name=name)
    return sentence(move_made(match, stepped.game_state))


def _turns(
    match: Match, stepped: Stepped, seat: int, form: str
) -> tuple[list[discord.ui.Button[discord.ui.LayoutView]], list[discord.ui.Button[discord.ui.LayoutView]]]:
    """Return the buttons to the other positions, and those that show this one in another way."""
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
    """Return the custom id of a button; ``at`` tells buttons to the same position apart."""
    return custom_ids.STEP(match=match.id, number=number, seat=seat, verb=form, button=at)
