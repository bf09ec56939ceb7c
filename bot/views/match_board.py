"""What the controls of a board lead to: more, resigning, the text board, the other side, the replay."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model import match_record
from bot.matches.model.game_state import standing
from bot.matches.services.match_queries import MatchView
from bot.messages import custom_ids
from bot.messages.board import board_link, record_buttons, step_through, text
from bot.messages.layout import Part, box, button, layout, row
from bot.messages.pictures import Attachment, Picture
from bot.messages.review import remark
from bot.messages.wording import players, result, title
from bot.storage.people import Preferences
from bot.storage.records import Match, MatchState, Seat
from bot.views import move_builder
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.bot_context import BotContext, context_of, guild_of, request_of, wanted_by
from bot.views.controls import Control
from renderers.i18n import gettext as _


class PlayButton(Control, of=custom_ids.PLAY):
    """Opens the move builder."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: move_builder.opened(interaction, int(match[1]), int(match[2])))


class MoreButton(Control, of=custom_ids.MORE):
    """Shows what else can be done."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: _more(interaction, int(match["match"])))


class LookButton(Control, of=custom_ids.LOOK):
    """Shows the board from one side, as a picture or in letters."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        seat, as_text = int(match["seat"]), match["verb"] == "text"

        async def work() -> Reply:
            match_view = await context_of(interaction).services.queries.match_view(
                guild_of(interaction), int(match["match"])
            )
            wanted = await wanted_by(interaction)
            reader = interaction.user.id
            return await look(context_of(interaction), match_view, seat, as_text=as_text, reader=reader, wanted=wanted)

        await answer_in_place(interaction, work)


class ReplayButton(Control, of=custom_ids.REPLAY):
    """Shows the whole match as an animation."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: replay(interaction, int(match["match"])))


class ExportButton(Control, of=custom_ids.EXPORT):
    """Gives the text record of a match."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: export(interaction, int(match["match"])))


class ResignButton(Control, of=custom_ids.RESIGN):
    """Asks whether resigning is meant, and resigns."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        verb, match_id, ply = match["verb"], int(match["match"]), int(match["ply"])

        async def work() -> Reply:
            if verb == "no":
                return Reply(view=layout(_("You play on.")))
            if verb == "ask":
                return await ask_resignation(interaction, match_id)
            await context_of(interaction).services.forfeits.resign(request_of(interaction, match_id, ply))
            return Reply(view=layout(_("You have resigned.")))

        await answer_in_place(interaction, work)


async def replay(interaction: discord.Interaction[Any], match_id: int) -> Reply:
    """Return a match as an animation, from the side of whoever asks. Raises ``Refusal``."""
    context = context_of(interaction)
    match, played = await context.services.queries.played(guild_of(interaction), match_id)
    mine = match.seat_of(interaction.user.id)
    picture = await context.renderer.replay(
        match, played, 0 if mine is None else mine.seat, await wanted_by(interaction)
    )
    words = [f"**{title(match)}**", players(match), *([result(match)] if match.state is MatchState.OVER else [])]
    return Reply(
        view=layout(box("\n".join(words), picture.gallery()), row(step_through(match, 0))), attachments=(picture,)
    )


async def export(interaction: discord.Interaction[Any], match_id: int) -> Reply:
    """Return the text record of a match as a file. Raises ``Refusal``."""
    context = context_of(interaction)
    match, played = await context.services.queries.played(guild_of(interaction), match_id)
    spec = JobSpec(Pool.PICTURES, Priority.LOOK)
    reviewed = await context.services.reviews.reviewed(match.guild_id, match_id, interaction.user.id)
    plies, moves = standing(played), () if reviewed is None else reviewed.review.moves
    remarks = {plies[move.number - 1].ply: remark(move) for move in moves}
    text_record = await context.services.context.compute_as(spec, match_record.write, match, played, remarks)
    attachment = Attachment(text_record.encode(), f"{match.game}-{match.id}.txt")
    words = _("Here is **{match}** as text.", match=title(match))
    return Reply(words, attachments=(attachment,))


async def look(
    context: BotContext,
    match_view: MatchView,
    seat: int,
    *,
    as_text: bool,
    reader: int,
    wanted: Preferences | None = None,
) -> Reply:
    """Return a private view of a match from one side, as its reader likes to see it."""
    match = match_view.match
    seat = seat if seat < len(match.seats) else 0
    parts: list[Part] = [f"{text(match_view)}\n-# {players(match)}"]
    pictures: tuple[Picture, ...] = ()
    if as_text:
        letters = await context.renderer.text_board(match, match_view.game_state, seat)
        parts.append(f"```\n{letters}\n```")
    else:
        picture = await context.renderer.look(match, match_view.game_state, seat, wanted or Preferences())
        parts.append(picture.gallery())
        pictures = (picture,)
    if match.board_message_id is not None:
        parts.append(_("-# [Go to the board]({link})", link=board_link(match)))
    here, there = ("text", "picture") if as_text else ("picture", "text")
    flip = _look_button(match, (seat + 1) % len(match.seats), here, _("Flip the board"))
    change = _look_button(match, seat, there, _("As a picture") if as_text else _("As text"))
    mine = match.seat_of(reader)
    hinted = mine is not None and mine.to_move and not match.between_people
    controls = row(flip, change, *([hint_button(match)] if hinted else []))
    return Reply(view=layout(box(*parts), controls), attachments=pictures)


async def ask_resignation(interaction: discord.Interaction[Any], match_id: int) -> Reply:
    """Return the question whether resigning is meant. Raises ``Refusal`` for those who cannot."""
    match = await context_of(interaction).services.forfeits.may_resign(request_of(interaction, match_id))
    question = _("Do you want to resign **{match}**? It counts as a loss.", match=title(match))
    yes, no = (custom_ids.RESIGN(verb=verb, match=match.id, ply=match.ply) for verb in ("yes", "no"))
    buttons = row(button(yes, _("Yes, resign"), discord.ButtonStyle.danger), button(no, _("No, play on")))
    return Reply(view=layout(question, buttons))


def hint_button(match: Match) -> discord.ui.Button[discord.ui.LayoutView]:
    """Return the button that shows the best move of the turn a match is at."""
    return button(custom_ids.HINT(match=match.id, ply=match.ply), _("Hint"))


def _look_button(match: Match, seat: int, form: str, label: str) -> discord.ui.Button[discord.ui.LayoutView]:
    """Return a button that shows a match from one side, as a picture or as text."""
    return button(custom_ids.LOOK(match=match.id, seat=seat, verb=form), label)


def _player_controls(match_view: MatchView, mine: Seat) -> list[discord.ui.Button[discord.ui.LayoutView]]:
    """Return what a player can do beside moving; what is impossible now is not offered."""
    match = match_view.match
    here = {"match": match.id, "ply": match.ply}
    controls = []
    if len(match.seats) == 2:
        controls.append(button(custom_ids.ASK(verb="draw", **here), _("Offer a draw")))
    if match.alone:
        if mine.to_move and not match.between_people:
            controls.append(hint_button(match))
        if match_view.game_state.last is not None:
            controls.append(button(custom_ids.ASK(verb="takeback", **here), _("Take back")))
    elif match_view.game_state.last_seat == mine.seat and not mine.to_move:
        controls.append(button(custom_ids.ASK(verb="takeback", **here), _("Ask to take back")))
    if match.flagged and not mine.to_move:
        controls.append(button(custom_ids.CLAIM(**here), _("Claim the win")))
    controls.append(button(custom_ids.RESIGN(verb="ask", **here), _("Resign"), discord.ButtonStyle.danger))
    return controls


async def _more(interaction: discord.Interaction[Any], match_id: int) -> Reply:
    context = context_of(interaction)
    match_view = await context.services.queries.match_view(guild_of(interaction), match_id)
    match = match_view.match
    mine = match.seat_of(interaction.user.id)
    seat = 0 if mine is None else mine.seat
    controls = [
        _look_button(match, (seat + 1) % len(match.seats), "picture", _("Flip the board")),
        _look_button(match, seat, "text", _("Board as text")),
    ]
    if match.state is MatchState.RUNNING:
        controls += record_buttons(match)
    rows = [row(*controls)]
    if mine is not None and not mine.dropped and match.state is MatchState.RUNNING:
        rows.append(row(*_player_controls(match_view, mine)))
    return Reply(view=layout(f"**{title(match)}**\n{players(match)}", *rows))
