"""A match position by position, and the best move: as a hint against a computer player, or in a match that is over.

The custom ids of the buttons say which position is shown, so that stepping goes on after a restart.
"""

from __future__ import annotations

import discord

from bot.games import GAMES
from bot.matches.services.hints import Hint
from bot.matches.services.notes import plies
from bot.messages import custom_ids
from bot.messages.board import LEFT
from bot.messages.drawing import Stepped
from bot.messages.layout import box, button, gallery, layout, row
from bot.messages.wording import best_words, escaped, move_made, players, result, title
from bot.requests import looking
from bot.requests.request import Request
from bot.requests.review_words import step_words
from bot.storage.records import Entry, EntryKind, Match, MatchState
from bot.views import builder_ids, notes
from bot.views.answers import Reply
from bot.views.controls import form, in_place, privately
from bot.views.review import review_button
from bot.views.which_match import resolve_match_id
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import pgettext as _p
from renderers.i18n import sentence, translated

_FLIP, _FORM = 4, 5


@privately(custom_ids.STEPS)
async def on_steps(request: Request, ids: custom_ids.Position) -> Reply:
    """Begin to step through a match, from one of its positions on, the person's own side at the bottom."""
    match_view = await looking.match_view(request, ids.match)
    mine = match_view.match.seat_of(request.person.id)
    return await _position(request, ids.match, ids.number, 0 if mine is None else mine.seat, _form(request))


@in_place(custom_ids.STEP)
async def on_step(request: Request, ids: custom_ids.Step) -> Reply:
    """Go to another position, or show this one from the other side or in another form."""
    return await _position(request, ids.match, ids.number, ids.seat, ids.form)


@privately(custom_ids.HINT)
async def on_hint(request: Request, ids: custom_ids.OfTurn) -> Reply:
    """Show the best move to a player whose turn it is against a computer player."""
    return await hint(request, ids.match, ids.ply)


@in_place(custom_ids.BEST)
async def on_best(request: Request, ids: custom_ids.Best) -> Reply:
    """Show the best move in a position of a match that is over, in place of the position."""
    await looking.check(request, ids.match)
    best = await request.services.hints.best(request.home, ids.match, ids.number, request.person.id)
    return await _hint_reply(request, best, ids.seat, ids.form)


@form(custom_ids.TYPED_NOTE_ON_STEP)
async def on_typed_note(request: Request, ids: custom_ids.NoteOnStep, text: str) -> Reply:
    """Keep a note that was typed into the form, and show its position."""
    await notes.write(request, ids.match, ids.ply, text)
    _match, played = await looking.match_and_entries(request, ids.match)
    every = plies(played)
    number = every.index(ids.ply) if ids.ply in every else len(every) - 1
    return await _position(request, ids.match, number, ids.seat, ids.form)


async def hint(request: Request, number: int | None, ply: int | None = None) -> Reply:
    """Return the best move in a person's match against a computer player. Raises ``Refusal``."""
    match_id = await resolve_match_id(request, number)
    best = await request.services.hints.hint(request.actor, match_id, ply)
    return await _hint_reply(request, best, best.seat, _form(request))


async def _hint_reply(request: Request, hint: Hint, seat: int, form: custom_ids.Form) -> Reply:
    """Return the best move on the board and in words, and in a match that is over the way on from there."""
    seat = seat if seat < len(hint.match.seats) else 0
    stepped, shown = await request.context.renderer.replay_position(
        hint.match,
        hint.played,
        hint.number,
        seat,
        request.preferences,
        letters=form == "text",
        instead=hint.advice.move,
    )
    tried = stepped.game_state
    does = GAMES[hint.match.game].move_in_words(tried.before, tried.last)
    words = best_words(hint.match, hint.seat, hint.advice, translated(does))
    if hint.match.state is MatchState.OVER:
        onward = [row(*buttons) for buttons in _turns(hint.match, stepped, seat, form)]
    else:
        plays = builder_ids.BUILDER(
            verb="play", of=hint.match.id, ply=hint.match.ply, menu=0, choices=(hint.advice.move,)
        )
        onward = [row(button(plays, _("Play it"), discord.ButtonStyle.success))]
    board = f"```\n{shown}\n```" if isinstance(shown, str) else gallery(shown)
    attachments = () if isinstance(shown, str) else (shown,)
    return Reply(view=layout(box(f"-# {title(hint.match)}", board, words), *onward), attachments=attachments)


def _form(request: Request) -> custom_ids.Form:
    return "text" if request.preferences.text_boards else "picture"


async def _position(request: Request, match_id: int, number: int, seat: int, form: custom_ids.Form) -> Reply:
    """Return one position of a match, or the last where it has fewer, from a seat's side. Raises ``Refusal``."""
    match = (await looking.match_view(request, match_id)).match
    _same, played = await looking.match_and_entries(request, match_id)
    seat = seat if seat < len(match.seats) else 0
    stepped, shown = await request.context.renderer.replay_position(
        match, played, number, seat, request.preferences, letters=form == "text"
    )
    steps, views = _turns(match, stepped, seat, form)
    reviewed = await request.services.reviews.review_for(match.guild_id, match_id, request.person.id)
    if stepped.entry is None:
        led = _n("**The beginning** of {n} move.", "**The beginning** of {n} moves.", stepped.last)
    else:
        at = _("**Move {number} of {last}**", number=stepped.number, last=stepped.last)
        led = f"{at} · {_entry_words(match, stepped, stepped.entry)}"
    ply, noted = await notes.words_at(request, match, stepped.number)
    if ply is not None:
        views.append(button(custom_ids.NOTE_ON_STEP(match.id, ply, seat, form), _p("button", "Note")))
    said = "" if reviewed is None else step_words(match, reviewed.review, stepped.number)
    voided = f"-# {result(match)}" if match.voided else ""
    words = "\n".join(line for line in (voided, led, said, noted) if line)
    board = f"```\n{shown}\n```" if isinstance(shown, str) else gallery(shown)
    attachments = () if isinstance(shown, str) else (shown,)
    heading = f"**{title(match)}**\n-# {players(match)}"
    return Reply(view=layout(box(heading, board, words), row(*steps), row(*views)), attachments=attachments)


def _entry_words(match: Match, stepped: Stepped, entry: Entry) -> str:
    name = escaped(match.seats[entry.seat].person.name)
    match entry.kind:
        case EntryKind.DROP:
            return sentence(translated(LEFT[entry.text].filled(name=name)))
        case EntryKind.DRAW:
            return _("A draw was agreed.")
        case EntryKind.CLOSED:
            return _("The match was closed.")
        case EntryKind.FORCED:
            return _("{name} has to pass.", name=name)
    return sentence(move_made(match, stepped.game_state))


def _turns(
    match: Match, stepped: Stepped, seat: int, form: custom_ids.Form
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
    other: custom_ids.Form = "picture" if form == "text" else "text"
    label = _("As a picture") if form == "text" else _("As text")
    over = match.state is MatchState.OVER
    best = button(custom_ids.BEST(match=match.id, number=number, seat=seat, form=form), _("Best move"))
    flip = button(_step(match, number, (seat + 1) % len(match.seats), form, _FLIP), _("Flip the board"))
    views = [flip, button(_step(match, number, seat, other, _FORM), label)]
    offered = [best] if over and stepped.game_state.result is None else []
    return steps, [*offered, *views, *([review_button(match)] if over else [])]


def _step(match: Match, number: int, seat: int, form: custom_ids.Form, at: int) -> str:
    """Return the custom id of a button; ``at`` tells buttons to the same position apart."""
    return custom_ids.STEP(match=match.id, number=number, seat=seat, form=form, button=at)
