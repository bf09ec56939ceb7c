"""The move builder: a private message in which a move is put together choice by choice, whatever the game.

Its state is in the ``custom_id`` of its controls, so it survives restarts and any number of builders may be open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import discord

from bot.matches.model.building import Keys
from bot.matches.model.refusals import Stale, Unconfirmed
from bot.matches.model.turn import check_to_move
from bot.matches.services.match_queries import MatchView
from bot.messages import custom_ids
from bot.messages.board import board_link
from bot.messages.drawing import PendingMove
from bot.messages.layout import layout, link, row
from bot.messages.pictures import Picture
from bot.messages.wording import refused, title
from bot.requests.outcome import if_readable
from bot.requests.request import Request
from bot.views.answers import Reply, answer_in_place, answer_privately, answer_with_modal
from bot.views.builder_preview import keys_of
from bot.views.builder_session import BuilderIds, BuilderSession
from bot.views.controls import Choice, Control
from bot.views.which_match import found_match, meant_match
from renderers.i18n import gettext as _


class PlayButton(Control, of=custom_ids.PLAY):
    """Opens the move builder."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, _opened, int(match["match"]), int(match["ply"]))


class BuilderButton(Control, of=custom_ids.BUILDER):
    """A choice, Play, Back, Cancel, Type, and whole moves offered in one click, which are taken like choices."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        match_id, ply, keys = int(match["match"]), int(match["ply"]), keys_of(match["prefix"])
        match match["verb"]:
            case "type":
                await answer_with_modal(interaction, TypeModal(match_id, ply))
            case "play":
                await answer_in_place(interaction, _play, match_id, ply, "".join(keys), confirmed=True)
            case "cancel":
                await answer_in_place(interaction, _cancelled)
            case verb:
                await answer_in_place(interaction, _shown, match_id, ply, keys, chosen=verb == "pick")


class BuilderChoice(Choice, of=custom_ids.BUILDER_CHOICE):
    """Takes the next choice of a move."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        keys = (*keys_of(match["prefix"]), value)
        await answer_in_place(interaction, _shown, int(match["match"]), int(match["ply"]), keys, chosen=True)


class BuilderPage(Choice, of=custom_ids.BUILDER_PAGE):
    """Turns to another part of a long list of choices."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        keys = keys_of(match["prefix"])
        await answer_in_place(interaction, _shown, int(match["match"]), int(match["ply"]), keys, int(value))


class TypeModal(discord.ui.Modal):
    """Takes a move as text. ``typed`` handles what is submitted, so that the form survives a restart."""

    def __init__(self, match_id: int, ply: int) -> None:
        super().__init__(
            title=_("Type your move"), custom_id=custom_ids.TYPED_MOVE(match=match_id, ply=ply), timeout=900
        )
        field: discord.ui.TextInput[Any] = discord.ui.TextInput(custom_id="move", max_length=200)
        self.add_item(discord.ui.Label(text=_("Move"), description=_("In the notation of the rules"), component=field))


TYPED = re.compile(custom_ids.TYPED_MOVE.pattern)


async def typed(interaction: discord.Interaction[Any], match: re.Match[str], text: str) -> None:
    """Play the move submitted in a ``TypeModal``."""
    await answer_in_place(interaction, _play, int(match["match"]), int(match["ply"]), text)


async def move(request: Request, number: int | None, text: str) -> Reply:
    """Play a move typed in a command. Raises ``Refusal``."""
    found = await found_match(request) if number is None else None
    match_id = found.id if found is not None else await meant_match(request, number)
    try:
        played = await request.services.turns.play(request.turn(match_id, found=found), text)
    except Unconfirmed as asked:
        return await _asked_about(request, match_id, asked)
    words = _("You played **{move}** in {match}.", move=played.text, match=title(played.match))
    return await after_move(request, match_id, words)


async def after_move(request: Request, match_id: int, words: str) -> Reply:
    """Return what a player sees after their move, with the way to the next match that waits for them."""
    waiting = request.services.queries.next_for(request.server, request.person.id, match_id)
    following = await if_readable(waiting, None)
    onward = [] if following is None else [row(link(board_link(following), _("Next: {match}", match=title(following))))]
    return Reply(view=layout(words, *onward))


async def _opened(request: Request, match_id: int, ply: int) -> Reply:
    """Return a builder with nothing chosen yet. Raises ``Refusal`` for those who cannot move now."""
    match_view = await request.services.queries.match_view(request.server, match_id)
    check_to_move(match_view.match, request.turn(match_id, ply))
    return await _shown(request, match_id, ply, ())


async def _asked_about(request: Request, match_id: int, asked: Unconfirmed) -> Reply:
    """Return a builder that asks the player to confirm a typed move."""
    return await _shown(request, match_id, asked.ply, (asked.text,))


async def _cancelled(_request: Request) -> Reply:
    return Reply(view=layout(_("Cancelled. Press **Play** on the board when you're ready.")))


async def _play(request: Request, match_id: int, ply: int, text: str, *, confirmed: bool = False) -> Reply:
    try:
        played = await request.services.turns.play(request.turn(match_id, ply), text, confirmed=confirmed)
    except Unconfirmed as asked:
        return await _asked_about(request, match_id, asked)
    except Stale as stale:
        return Reply(view=layout(refused(stale)))
    return await after_move(request, match_id, _("You played **{move}**.", move=played.text))


async def _shown(
    request: Request, match_id: int, ply: int, keys: Keys, page: int = 0, *, chosen: bool = False
) -> Reply:
    """Return the builder after some choices; play the move just ``chosen`` unless the player is asked to confirm."""
    match_view = await request.services.queries.match_view(request.server, match_id)
    try:
        seat = check_to_move(match_view.match, request.turn(match_id, ply))
    except Stale as stale:
        return Reply(view=layout(refused(stale)))
    session = _session(match_view, seat.seat)
    found = await session.preview(request, keys)
    now = found.state
    if chosen and now.move is not None and not now.steps and not (request.preferences.confirm or found.asks):
        return await _play(request, match_id, ply, str(now.move))
    return await session.reply(request, found, page)


@dataclass(frozen=True, slots=True)
class _MatchSession(BuilderSession):
    """A turn of a match."""

    match_view: MatchView

    @property
    def hint(self) -> str | None:
        match = self.match_view.match
        return None if match.between_people else custom_ids.HINT(match=match.id, ply=match.ply)

    async def picture(self, request: Request, pending: PendingMove) -> Picture:
        match, game_state = self.match_view.match, self.match_view.game_state
        return await request.context.renderer.pending(match, game_state, self.seat, pending, request.preferences)

    async def letters(self, request: Request, pending: PendingMove) -> str:
        match, game_state = self.match_view.match, self.match_view.game_state
        return await request.context.renderer.text_board(match, game_state, self.seat, pending)


def _session(match_view: MatchView, seat: int) -> BuilderSession:
    match, position = match_view.match, match_view.game_state.position
    fields = {"match": match.id, "ply": match.ply}
    ids = BuilderIds(custom_ids.BUILDER, custom_ids.BUILDER_CHOICE, custom_ids.BUILDER_PAGE, fields)
    key = (match.id, match.ply)
    return _MatchSession(f"**{title(match)}**", match.game, position, seat, ids, key, match_view)


def submitted_text(interaction: discord.Interaction[Any]) -> str:
    """Return the text of the only field of a submitted modal."""
    pending: list[Any] = [dict(interaction.data or {})]
    while pending:
        component = pending.pop()
        if "value" in component:
            return str(component["value"])
        pending += component.get("components", [])
        pending += [component["component"]] if "component" in component else []
    return ""
