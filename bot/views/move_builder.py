"""The move builder: a private message in which a move is put together choice by choice, whatever the game.

Its state is in the ``custom_id`` of its controls, so it survives restarts and any number of builders may be open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord

from bot.matches.model.refusals import Stale, Unconfirmed
from bot.matches.model.turn import check_to_move
from bot.matches.services.match_queries import MatchView
from bot.messages import custom_ids
from bot.messages.board import board_link
from bot.messages.drawing import PendingMove
from bot.messages.layout import layout, link, row
from bot.messages.pictures import Picture
from bot.messages.wording import refused, title
from bot.storage.people import Preferences
from bot.views.answers import Reply, answer_in_place, answer_with_modal
from bot.views.bot_context import BotContext, context_of, guild_of, request_of, wanted_by
from bot.views.builder_controls import BuilderIds
from bot.views.builder_state import Keys, keys_of
from bot.views.building import Building
from bot.views.controls import Choice, Control
from renderers.i18n import gettext as _


class BuilderButton(Control, of=custom_ids.BUILDER):
    """A choice, Play, Back, Cancel, Type, and the arrangements offered in one click, which are taken like choices."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        match_id, ply, keys = int(match["match"]), int(match["ply"]), keys_of(match["prefix"])
        if match["verb"] == "type":
            await answer_with_modal(interaction, TypeModal(match_id, ply))
        elif match["verb"] == "play":
            work = partial(_play, interaction, match_id, ply, "".join(keys), confirmed=True)
            await answer_in_place(interaction, work)
        elif match["verb"] == "cancel":
            await answer_in_place(interaction, _cancelled)
        else:
            chosen = match["verb"] == "pick"
            await answer_in_place(interaction, lambda: _shown(interaction, match_id, ply, keys, chosen=chosen))


class BuilderChoice(Choice, of=custom_ids.BUILDER_CHOICE):
    """Takes the next choice of a move."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        keys = (*keys_of(match["prefix"]), value)
        await answer_in_place(interaction, lambda: _shown(interaction, int(match[1]), int(match[2]), keys, chosen=True))


class BuilderPage(Choice, of=custom_ids.BUILDER_PAGE):
    """Turns to another part of a long list of choices."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        keys = keys_of(match["prefix"])
        page = int(value)
        await answer_in_place(interaction, lambda: _shown(interaction, int(match[1]), int(match[2]), keys, page))


class TypeModal(discord.ui.Modal):
    """Takes a move as text. What is submitted is handled by ``typed``, so that it survives a restart, too."""

    def __init__(self, match_id: int, ply: int) -> None:
        super().__init__(
            title=_("Type your move"), custom_id=custom_ids.TYPED_MOVE(match=match_id, ply=ply), timeout=900
        )
        field: discord.ui.TextInput[Any] = discord.ui.TextInput(custom_id="move", max_length=200)
        self.add_item(discord.ui.Label(text=_("Move"), description=_("In the notation of the rules"), component=field))


TYPED = re.compile(custom_ids.TYPED_MOVE.pattern)


async def typed(interaction: discord.Interaction[Any], match: re.Match[str], text: str) -> None:
    """Play the move submitted in a ``TypeModal``."""
    await answer_in_place(interaction, lambda: _play(interaction, int(match["match"]), int(match["ply"]), text))


async def opened(interaction: discord.Interaction[Any], match_id: int, ply: int) -> Reply:
    """Return a builder with nothing chosen yet. Raises ``Refusal`` for those who cannot move now."""
    match_view = await context_of(interaction).services.queries.match_view(guild_of(interaction), match_id)
    check_to_move(match_view.match, request_of(interaction, match_id, ply))
    return await _shown(interaction, match_id, ply, ())


async def asked_about(interaction: discord.Interaction[Any], match_id: int, asked: Unconfirmed) -> Reply:
    """Return a builder that asks whether a typed move is meant."""
    return await _shown(interaction, match_id, asked.ply, (asked.text,))


async def _cancelled() -> Reply:
    return Reply(view=layout(_("Cancelled. Press **Play** on the board when you're ready.")))


async def _play(
    interaction: discord.Interaction[Any], match_id: int, ply: int, text: str, *, confirmed: bool = False
) -> Reply:
    turns = context_of(interaction).services.turns
    try:
        played = await turns.play(request_of(interaction, match_id, ply), text, confirmed=confirmed)
    except Unconfirmed as asked:
        return await asked_about(interaction, match_id, asked)
    except Stale as stale:
        return Reply(view=layout(refused(stale)))
    return await after_move(interaction, match_id, _("You played **{move}**.", move=played.text))


async def after_move(interaction: discord.Interaction[Any], match_id: int, words: str) -> Reply:
    """Return what somebody sees after their move, with the way to the next match that waits for them."""
    queries = context_of(interaction).services.queries
    following = await queries.next_for(guild_of(interaction), interaction.user.id, match_id)
    onward = [] if following is None else [row(link(board_link(following), _("Next: {match}", match=title(following))))]
    return Reply(view=layout(words, *onward))


async def _shown(
    interaction: discord.Interaction[Any], match_id: int, ply: int, keys: Keys, page: int = 0, *, chosen: bool = False
) -> Reply:
    """Return the builder after some choices; play the move that was just ``chosen`` unless it is to be asked about."""
    context = context_of(interaction)
    match_view = await context.services.queries.match_view(guild_of(interaction), match_id)
    try:
        seat = check_to_move(match_view.match, request_of(interaction, match_id, ply))
    except Stale as stale:
        return Reply(view=layout(refused(stale)))
    building = _building(match_view, seat.seat)
    found, wanted = await building.considered(context, keys), await wanted_by(interaction)
    now = found.state
    if chosen and now.move is not None and not now.steps and not (wanted.confirm or found.asks):
        return await _play(interaction, match_id, ply, str(now.move))
    return await building.reply(context, found, wanted, page)


@dataclass(frozen=True, slots=True)
class _MatchBuilding(Building):
    """A turn of a match."""

    match_view: MatchView

    @property
    def hint(self) -> str | None:
        match = self.match_view.match
        return None if match.between_people else custom_ids.HINT(match=match.id, ply=match.ply)

    async def picture(self, context: BotContext, pending: PendingMove, wanted: Preferences) -> Picture:
        match, game_state = self.match_view.match, self.match_view.game_state
        return await context.renderer.pending(match, game_state, self.seat, pending, wanted)

    async def letters(self, context: BotContext, pending: PendingMove) -> str:
        match, game_state = self.match_view.match, self.match_view.game_state
        return await context.renderer.text_board(match, game_state, self.seat, pending)


def _building(match_view: MatchView, seat: int) -> Building:
    match, position = match_view.match, match_view.game_state.position
    fields = {"match": match.id, "ply": match.ply}
    ids = BuilderIds(custom_ids.BUILDER, custom_ids.BUILDER_CHOICE, custom_ids.BUILDER_PAGE, fields)
    key = (match.id, match.ply)
    return _MatchBuilding(f"**{title(match)}**", match.game, position, seat, ids, key, match_view)


def submitted_text(interaction: discord.Interaction[Any]) -> str:
    """Return what was typed into the only field of a submitted modal."""
    pending: list[Any] = [dict(interaction.data or {})]
    while pending:
        component = pending.pop()
        if "value" in component:
            return str(component["value"])
        pending += component.get("components", [])
        pending += [component["component"]] if "component" in component else []
    return ""
