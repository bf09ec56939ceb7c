"""A player's private notes on a match: the list of them, the form to write one, and sharing them after the end."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import discord

from bot.matches.model.refusals import Refusal
from bot.matches.services.notes import NOTE_LIMIT, NotesView, plies
from bot.matches.services.shares import SharedView
from bot.messages import custom_ids
from bot.messages.layout import OPTION_LIMIT, OPTIONS, Part, button, layout, row, select
from bot.messages.notes import as_text, each_note, position, quoted
from bot.messages.pictures import Attachment
from bot.messages.wording import shorten, that_fit, title
from bot.requests.outcome import STORAGE_ERRORS
from bot.requests.request import Request
from bot.storage import notes
from bot.storage.records import Match
from bot.views.answers import Reply, answer_with_modal, refuse_value
from bot.views.controls import Interaction, control, form, privately
from bot.views.which_match import resolve_match_id
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import pgettext as _p

_SHOWN = 3000
"""Characters of the notes in one message, which has room for 4,000 with the words around them."""
_READ_WITHIN = 1.0
"""Seconds to find the note for the form, which has to be opened within three seconds."""


@privately(custom_ids.NOTES)
async def on_notes(request: Request, ids: custom_ids.OfMatch) -> Reply:
    """Show a player's notes on a match."""
    return await note(request, ids.match)


@control(custom_ids.NOTE)
async def on_note(interaction: Interaction, ids: custom_ids.OfTurn) -> None:
    """Open the form for a note."""
    await _open_form(interaction, ids.match, ids.ply, custom_ids.TYPED_NOTE(ids.match, ids.ply))


@control(custom_ids.NOTE_CHOICE)
async def on_note_choice(interaction: Interaction, ids: custom_ids.OfMatch) -> None:
    """Open the form to change a note."""
    data: dict[str, Any] = dict(interaction.data or {})
    chosen = data.get("values", [])
    if len(chosen) != 1 or not 0 < len(chosen[0]) <= 5 or not chosen[0].isdecimal():
        await refuse_value(interaction)
        return
    ply = int(chosen[0])
    await _open_form(interaction, ids.match, ply, custom_ids.TYPED_NOTE(ids.match, ply))


@form(custom_ids.TYPED_NOTE)
async def on_typed_note(request: Request, ids: custom_ids.OfTurn, text: str) -> Reply:
    """Keep a note that was typed into the form."""
    await write(request, ids.match, ids.ply, text)
    return await note(request, ids.match)


@control(custom_ids.NOTE_ON_STEP)
async def on_note_on_step(interaction: Interaction, ids: custom_ids.NoteOnStep) -> None:
    """Open the form for a note on the position that is stepped to."""
    await _open_form(interaction, ids.match, ids.ply, custom_ids.TYPED_NOTE_ON_STEP.write(ids))


async def note(request: Request, number: int | None, text: str | None = None) -> Reply:
    """Write a note on the newest position of a match, or list the notes. Raises ``Refusal``."""
    match_id = await resolve_match_id(request, number, finished=True)
    if text is not None:
        view = await request.services.notes.view(request.home, match_id, request.person.id)
        await write(request, match_id, view.newest, text)
    return Reply(view=_listed(await request.services.notes.view(request.home, match_id, request.person.id)))


async def write(request: Request, match_id: int, ply: int, text: str) -> None:
    """Store a note, or remove it if the text is empty. Raises ``Refusal``."""
    await request.services.notes.write(request.home, match_id, request.person.id, request.id, ply, text)


async def words_at(request: Request, match: Match, number: int | None = None) -> tuple[int | None, str]:
    """Return the ply of a position, None for the newest, and the reader's note on it; no ply for others than players.

    A note is no reason to refuse the board: a position that there is not has none.
    """
    if match.seat_of(request.person.id) is None:
        return None, ""
    view = await request.services.notes.view(request.home, match.id, request.person.id)
    every = plies(view.played)
    ply = every[-1 if number is None else min(number, len(every) - 1)]
    text = view.notes.get(ply)
    return ply, "" if text is None else "\n".join(("-# " + _("Your note:"), quoted(text)))


def shared_text(view: SharedView) -> Reply:
    """Return all the notes that a person has shared, as a file. Raises ``Refusal`` if they are gone."""
    if view.share.notes is None or view.match is None:
        raise Refusal(_("These notes have been deleted."))
    file = Attachment(as_text(view.played, dict(view.share.notes)).encode(), f"notes-{view.match.id}.txt")
    return Reply(_("Here are the notes on **{match}** as text.", match=title(view.match)), attachments=(file,))


def _listed(view: NotesView) -> discord.ui.LayoutView:
    """Return a player's notes with their controls: the newest, where not all of them fit."""
    match, every = view.match, each_note(view.played, view.notes)
    shown = that_fit(every[::-1], _SHOWN)[::-1]
    lines = [_("### Your notes on {match}", match=title(match)), "-# " + _("Only you can see them.")]
    if not every:
        lines.append(_("There are none yet."))
    if len(shown) < len(every):
        more = len(every) - len(shown)
        lines.append("-# " + _n("{n} earlier one is in **Export**.", "{n} earlier ones are in **Export**.", more))
    parts: list[Part] = ["\n".join([*lines, *shown])]
    if view.notes:
        newest = list(view.notes.items())[-OPTIONS:]
        options = [
            discord.SelectOption(
                label=shorten(f"{position(view.played, ply)}: {' '.join(text.split())}", OPTION_LIMIT), value=str(ply)
            )
            for ply, text in newest
        ]
        parts.append(row(select(custom_ids.NOTE_CHOICE(match.id), _("Change or delete a note"), options)))
    buttons = [button(custom_ids.NOTE(match.id, view.newest), _("Write a note"))]
    if view.notes:
        buttons.append(button(custom_ids.EXPORT(match.id), _("Export")))
    if view.notes and match.shareable:
        buttons.append(button(custom_ids.SHARE("notes", match.id), _("Share notes")))
    return layout(*parts, row(*buttons))


async def _open_form(interaction: Interaction, match_id: int, ply: int, custom_id: str) -> None:
    """Open the form for a note with what is noted there, unless that cannot be found in time."""
    stored: dict[int, str] = {}
    with suppress(TimeoutError, *STORAGE_ERRORS):
        async with asyncio.timeout(_READ_WITHIN):
            services = interaction.client.context.services
            stored = await services.read(notes.of_match, match_id, interaction.user.id)
    shown = discord.ui.Modal(title=_("Your note"), custom_id=custom_id, timeout=900)
    field: discord.ui.TextInput[discord.ui.LayoutView] = discord.ui.TextInput(
        custom_id="note",
        style=discord.TextStyle.paragraph,
        max_length=NOTE_LIMIT,
        required=False,
        default=stored.get(ply),
    )
    described = _("Only you can see it. Without text, the note is deleted.")
    shown.add_item(discord.ui.Label(text=_p("button", "Note"), description=described, component=field))
    await answer_with_modal(interaction, shown)
