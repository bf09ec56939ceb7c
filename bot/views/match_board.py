"""A match in an answer: looking at it from any side, what else can be done in it, its replay and its text record."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import discord

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model import match_record
from bot.matches.model.game_state import standing
from bot.matches.model.playability import check_installed
from bot.matches.model.refusals import Unavailable
from bot.matches.services.match_queries import MatchView
from bot.messages import custom_ids
from bot.messages.board import board_link, open_button, record_buttons, step_through, text
from bot.messages.layout import Part, box, button, gallery, layout, row
from bot.messages.pictures import Attachment, Picture
from bot.messages.wording import players, result, title
from bot.requests import acts
from bot.requests.acts import LABELS, Act
from bot.requests.request import Request
from bot.requests.review_words import remark
from bot.storage.records import Match, MatchState
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.controls import Control
from bot.views.sharing import share_buttons
from bot.views.which_match import meant_match
from renderers.i18n import gettext as _


class MoreButton(Control, of=custom_ids.MORE):
    """Shows what else can be done in a match."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, more, int(match["match"]))


class LookButton(Control, of=custom_ids.LOOK):
    """Shows the board from one side, as a picture or in letters."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        as_text = match["verb"] == "text"
        await answer_in_place(interaction, _look, int(match["match"]), int(match["seat"]), as_text=as_text)


class ReplayButton(Control, of=custom_ids.REPLAY):
    """Shows the whole match as an animation."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, replay, int(match["match"]))


class VoidedReplayButton(Control, of=custom_ids.VOIDED):
    """Shows a voided match as an animation."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, replay, int(match["match"]))


class ExportButton(Control, of=custom_ids.EXPORT):
    """Gives the text record of a match."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, export, int(match["match"]))


class ResignButton(Control, of=custom_ids.RESIGN):
    """Asks the player to confirm, and resigns."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        match_id, ply = int(match["match"]), int(match["ply"])
        match match["verb"]:
            case "no":
                await answer_in_place(interaction, _play_on)
            case "ask":
                await answer_in_place(interaction, ask_resignation, match_id)
            case _:
                await answer_in_place(interaction, _resign, match_id, ply)


async def replay(request: Request, number: int | None) -> Reply:
    """Return a match as an animation, from the person's own side. Raises ``Refusal``."""
    match_id = await meant_match(request, number, finished=True)
    match, played = await request.services.queries.played(request.server, match_id)
    check_installed(match.game)
    mine = match.seat_of(request.person.id)
    seat = 0 if mine is None else mine.seat
    picture = await request.context.renderer.replay(match, played, seat, request.preferences)
    words = [f"**{title(match)}**", players(match), *([result(match)] if match.state is MatchState.OVER else [])]
    buttons = row(step_through(match, 0), *share_buttons(match, "replay"))
    return Reply(view=layout(box("\n".join(words), gallery(picture)), buttons), attachments=(picture,))


async def export(request: Request, number: int | None) -> Reply:
    """Return the text record of a match as a file. Raises ``Refusal``."""
    match_id = await meant_match(request, number, finished=True)
    match, played = await request.services.queries.played(request.server, match_id)
    spec = JobSpec(Pool.PICTURES, Priority.LOOK)
    reviewed = None
    with suppress(Unavailable):
        reviewed = await request.services.reviews.reviewed(match.guild_id, match_id, request.person.id)
    plies, moves = standing(played), () if reviewed is None else reviewed.review.moves
    remarks = {plies[move.number - 1].ply: remark(move) for move in moves}
    text_record = await request.services.context.compute_as(spec, match_record.write, match, played, remarks)
    attachment = Attachment(text_record.encode(), f"{match.game}-{match.id}.txt")
    words = _("Here is **{match}** as text.", match=title(match))
    return Reply(words, attachments=(attachment,))


async def board(request: Request, number: int | None, as_text: bool | None) -> Reply:
    """Return a match from the person's own side, or post its board again where that is gone. Raises ``Refusal``.

    ``as_text`` None is as the person likes it.
    """
    match_id = await meant_match(request, number, finished=True)
    match_view = await request.services.queries.match_view(request.server, match_id)
    mine = match_view.match.seat_of(request.person.id)
    if mine is not None and await _post_again(request, match_view.match):
        return Reply(_("The board of {match} was gone; I've posted it again.", match=title(match_view.match)))
    seat = 0 if mine is None else mine.seat
    return await _looked(
        request, match_view, seat, as_text=request.preferences.text_boards if as_text is None else as_text
    )


async def ask_resignation(request: Request, number: int | None) -> Reply:
    """Return the question whether the player means to resign. Raises ``Refusal`` for those who cannot."""
    match = await request.services.forfeits.may_resign(request.turn(await meant_match(request, number)))
    question = _("Do you want to resign **{match}**? It counts as a loss.", match=title(match))
    yes, no = (custom_ids.RESIGN(verb=verb, match=match.id, ply=match.ply) for verb in ("yes", "no"))
    buttons = row(button(yes, _("Yes, resign"), discord.ButtonStyle.danger), button(no, _("No, play on")))
    return Reply(view=layout(question, buttons))


async def more(request: Request, match_id: int) -> Reply:
    """Return what else can be done in a match. Raises ``Refusal``."""
    match_view = await request.services.queries.match_view(request.server, match_id)
    match = match_view.match
    mine = match.seat_of(request.person.id)
    seat = 0 if mine is None else mine.seat
    controls = [
        _look_button(match, (seat + 1) % len(match.seats), "picture", _("Flip the board")),
        _look_button(match, seat, "text", _("Board as text")),
    ]
    if match.state is MatchState.RUNNING:
        controls += record_buttons(match)
    rows = [row(*controls)]
    if match.state is MatchState.RUNNING and (possible := acts.possible(match_view, request.person.id)):
        buttons = [_act_button(match, act) for act in possible]
        if mine is not None and match_view.reopens_set_up(mine):
            reopens = custom_ids.BUILDER(verb="setup", match=match.id, ply=match.ply, menu=0, prefix="")
            buttons.insert(-1, button(reopens, _("Change my set-up")))
        rows.append(row(*buttons))
    return Reply(view=layout(f"**{title(match)}**\n{players(match)}", *rows))


async def _look(request: Request, match_id: int, seat: int, *, as_text: bool) -> Reply:
    match_view = await request.services.queries.match_view(request.server, match_id)
    return await _looked(request, match_view, seat, as_text=as_text)


async def _looked(request: Request, match_view: MatchView, seat: int, *, as_text: bool) -> Reply:
    """Return a match from one side, as the person likes to see it."""
    match, renderer = match_view.match, request.context.renderer
    seat = seat if seat < len(match.seats) else 0
    parts: list[Part] = [f"### {title(match)}\n-# {players(match)}"]
    pictures: tuple[Picture, ...] = ()
    if as_text:
        letters = await renderer.text_board(match, match_view.game_state, seat)
        parts.append(f"```\n{letters}\n```")
    else:
        picture = await renderer.look(match, match_view.game_state, seat, request.preferences)
        parts.append(gallery(picture))
        pictures = (picture,)
    parts.append(text(match_view))
    if match.board_message_id is not None:
        parts.append(_("-# [Go to the board]({link})", link=board_link(match)))
    here, there = ("text", "picture") if as_text else ("picture", "text")
    flip = _look_button(match, (seat + 1) % len(match.seats), here, _("Flip the board"))
    change = _look_button(match, seat, there, _("As a picture") if as_text else _("As text"))
    mine = match.seat_of(request.person.id)
    hinted = mine is not None and mine.to_move and not match.between_people
    opened = mine is not None and bool(request.context.settings.page_url)
    controls = row(flip, change, *([_hint_button(match)] if hinted else []), *([open_button(match)] if opened else []))
    return Reply(view=layout(box(*parts), controls), attachments=pictures)


async def _play_on(_request: Request) -> Reply:
    return Reply(view=layout(_("You play on.")))


async def _resign(request: Request, match_id: int, ply: int) -> Reply:
    return Reply(view=layout(await acts.resign(request, match_id, ply)))


async def _post_again(request: Request, match: Match) -> bool:
    """Post the board again if it is gone or never came, here if its place is lost; return whether that is done."""
    servers, places = request.context.servers, (match.place_id, match.channel_id)
    known = [may for place in places if (may := servers.may_post(match.guild_id, place)) is not None]
    lost = not any(known)
    # A place that is not known may be an archived thread: its board tells.
    moves = lost and bool(known) and match.state is MatchState.RUNNING
    if not moves and not await _is_gone(request, match):
        return False
    if lost and request.place.lacking:
        return False
    return await request.services.turns.post_again(match, request.channel if lost else None, request.id)


async def _is_gone(request: Request, match: Match) -> bool:
    """Return whether the board of a match as it stands cannot be seen; where that is not certain, it can."""
    if match.board_channel_id is None or match.board_message_id is None or match.board_ply != match.ply:
        return True
    return await request.context.servers.message_is_gone(match.board_channel_id, match.board_message_id)


def _hint_button(match: Match) -> discord.ui.Button[discord.ui.LayoutView]:
    """Return the button that shows the best move of the present turn."""
    return button(custom_ids.HINT(match=match.id, ply=match.ply), _("Hint"))


def _look_button(match: Match, seat: int, form: str, label: str) -> discord.ui.Button[discord.ui.LayoutView]:
    """Return a button that shows a match from one side, as a picture or as text."""
    return button(custom_ids.LOOK(match=match.id, seat=seat, verb=form), label)


def _act_button(match: Match, act: Act) -> discord.ui.Button[discord.ui.LayoutView]:
    """Return the button for something that a player can do now beside moving."""
    here = {"match": match.id, "ply": match.ply}
    ids = {
        Act.DRAW: custom_ids.ASK(verb="draw", **here),
        Act.HINT: custom_ids.HINT(**here),
        Act.TAKE_BACK: custom_ids.ASK(verb="takeback", **here),
        Act.ASK_TAKE_BACK: custom_ids.ASK(verb="takeback", **here),
        Act.CLAIM: custom_ids.CLAIM(**here),
        Act.RESIGN: custom_ids.RESIGN(verb="ask", **here),
    }
    style = discord.ButtonStyle.danger if act is Act.RESIGN else discord.ButtonStyle.secondary
    return button(ids[act], LABELS[act], style)
