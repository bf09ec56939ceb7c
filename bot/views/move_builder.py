"""The move builder: a private message in which a move is put together choice by choice, whatever the game.

Its state is in the ``custom_id`` of its controls, so it survives restarts and any number of builders may be open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.games import GAMES
from bot.matches.model.building import Keys
from bot.matches.model.refusals import Stale, Unconfirmed
from bot.matches.model.turn import check_to_move
from bot.matches.services.match_queries import MatchView
from bot.messages import custom_ids
from bot.messages.board import aim, board_link
from bot.messages.drawing import PendingMove, with_move
from bot.messages.layout import layout, link, row
from bot.messages.pictures import Picture
from bot.messages.wording import best_words, refused, title
from bot.requests.outcome import if_readable
from bot.requests.request import Request
from bot.storage.records import Match, Seat
from bot.views.answers import Reply, answer_in_place, answer_privately, answer_with_modal, replace_earlier
from bot.views.builder_preview import keys_of
from bot.views.builder_session import BuilderIds, BuilderSession, typed_move
from bot.views.controls import Choice, Control, page_of
from bot.views.which_match import found_match, meant_match
from renderers.i18n import gettext as _
from renderers.i18n import translated


class PlayButton(Control, of=custom_ids.PLAY):
    """Opens the move builder."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        match_id, ply = int(match["match"]), int(match["ply"])
        if await answer_privately(interaction, _opened, match_id, ply):
            await replace_earlier(interaction, "builder", match_id, ply)


class BuilderButton(Control, of=custom_ids.BUILDER):
    """A choice, Play, Back, Cancel, Type, and whole moves offered in one click, which are taken like choices."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        match_id, ply, keys = int(match["match"]), int(match["ply"]), keys_of(match["prefix"])
        match match["verb"]:
            case "type":
                await answer_with_modal(interaction, TypeModal(match_id, ply, match["prefix"]))
            case "file":
                await answer_in_place(interaction, _shown, match_id, ply, keys, int(match["menu"]))
            case "hint":
                await answer_in_place(interaction, _hinted, match_id, ply)
            case "aimless":
                await answer_in_place(interaction, _without_aims, match_id, ply)
            case "setup":
                await answer_in_place(interaction, _reopened, match_id, ply)
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
        await answer_in_place(interaction, _shown, int(match["match"]), int(match["ply"]), keys, page_of(value))


class TypeModal(discord.ui.Modal):
    """Takes a move as text. ``typed`` handles what is submitted, so that the form survives a restart."""

    def __init__(self, match_id: int, ply: int, example: str) -> None:
        custom_id = custom_ids.TYPED_MOVE(match=match_id, ply=ply)
        super().__init__(title=_("Type your move"), custom_id=custom_id, timeout=900)
        self.add_item(typed_move(example))


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


_SQUARES = re.compile(r"[a-z]\d+(-[a-z]\d+)*")


def played_words(text: str) -> str:
    """Return the confirmation of a move that was built: by its squares, and without a text that says more than that."""
    return _("You played **{move}**.", move=text) if _SQUARES.fullmatch(text) else _("Your move is played.")


async def _opened(request: Request, match_id: int, ply: int) -> Reply:
    """Return a builder with nothing chosen yet. Raises ``Refusal`` for those who cannot move now."""
    match_view = await request.services.queries.match_view(request.server, match_id)
    match, seat = match_view.match, check_to_move(match_view.match, request.turn(match_id, ply))
    if not await _first_play(request, match, seat):
        return await _shown(request, match_id, ply, ())
    session, won = _session(match_view, seat.seat), await request.context.renderer.win(GAMES[match.game])
    return await session.reply(request, await session.preview(request, ()), aim=(aim(match), won))


async def _first_play(request: Request, match: Match, seat: Seat) -> bool:
    """Return whether a person is about to make their first move in a game, and wants to be told how it is won."""
    set_up = len(match.seats) if any(one.ready_made for one in match.seats) else 0
    if not request.preferences.aims or match.ply > set_up + seat.seat:
        return False
    return await request.services.queries.is_first(match, request.person.id)


async def _without_aims(request: Request, match_id: int, ply: int) -> Reply:
    """Never show again how a game is won; return the builder without it."""
    shown = await _shown(request, match_id, ply, ())
    await request.services.personal_settings.prefer(request.person.id, lambda known: replace(known, aims=False))
    return shown


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
    return await after_move(request, match_id, played_words(played.text))


async def _shown(
    request: Request, match_id: int, ply: int, keys: Keys, page: int = 0, *, chosen: bool = False
) -> Reply:
    """Return the builder after some choices; play the move just ``chosen`` unless the player is asked to confirm."""
    match_view = await request.services.queries.match_view(request.server, match_id)
    try:
        seat = check_to_move(match_view.match, request.turn(match_id, ply))
    except Stale as stale:
        if chosen:
            # Perhaps it was played, and the answer was lost: then it is confirmed again.
            return await _play(request, match_id, ply, "".join(keys))
        return Reply(view=layout(refused(stale)))
    session = _session(match_view, seat.seat)
    found = await session.preview(request, keys, page)
    now = found.state
    if chosen and now.move is not None and not now.steps and not (request.preferences.confirm or found.asks):
        return await _play(request, match_id, ply, str(now.move))
    return await session.reply(request, found, found.file or page)


async def _hinted(request: Request, match_id: int, ply: int) -> Reply:
    """Return the builder at its beginning, with the best move in words and on the board."""
    hint = await request.services.hints.hint(request.turn(match_id, ply))
    match_view = await request.services.queries.match_view(request.server, match_id)
    session = _session(match_view, hint.seat)
    game_state = match_view.game_state
    tried = await request.services.context.compute(with_move, game_state, hint.advice.move)
    does = translated(GAMES[hint.match.game].move_in_words(tried.before, tried.last))
    news = best_words(hint.match, hint.seat, hint.advice, does)
    return await session.reply(request, await session.preview(request, ()), news=news, hinted=hint.advice.move)


async def _reopened(request: Request, match_id: int, ply: int) -> Reply:
    """Take back the set-up that was taken without asking. The board that is posted then leads to another one."""
    await request.services.agreements.reopen_set_up(request.turn(match_id, ply))
    return Reply(view=layout(_("Your set-up is open again. Press **Play** on the new board to arrange your pieces.")))


@dataclass(frozen=True, slots=True)
class _MatchSession(BuilderSession):
    """A turn of a match."""

    match_view: MatchView

    @property
    def hints(self) -> bool:
        return not self.match_view.match.between_people

    @property
    def reopens(self) -> bool:
        return self.match_view.reopens_set_up(self.match_view.match.seats[self.seat])

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
    return _MatchSession(f"-# {title(match)}", match.game, position, seat, ids, key, match_view)


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
