"""The best move: for whoever plays against a computer player, and in any position of a match that is over."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.matches.services.hints import Hint
from bot.messages import custom_ids, stepping
from bot.messages.layout import box, layout, row
from bot.storage.records import MatchState
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.bot_context import context_of, guild_of, request_of, wanted_by
from bot.views.controls import Control


class HintButton(Control, of=custom_ids.HINT):
    """Shows the best move to whoever is to move against a computer player."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: hint(interaction, int(match["match"]), int(match["ply"])))


class BestButton(Control, of=custom_ids.BEST):
    """Shows the best move in a position of a match that is over, in place of the position."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply:
            found = await context_of(interaction).services.hints.best(
                guild_of(interaction), int(match["match"]), int(match["number"]), interaction.user.id
            )
            return await _shown(interaction, found, int(match["seat"]), match["verb"])

        await answer_in_place(interaction, work)


async def hint(interaction: discord.Interaction[Any], match_id: int, ply: int | None = None) -> Reply:
    """Return the best move for whoever asks in their match against a computer player. Raises ``Refusal``."""
    found = await context_of(interaction).services.hints.hint(request_of(interaction, match_id, ply))
    form = stepping.LETTERS if (await wanted_by(interaction)).text_boards else stepping.PICTURE
    return await _shown(interaction, found, found.seat, form)


async def _shown(interaction: discord.Interaction[Any], hint: Hint, seat: int, form: str) -> Reply:
    """Return the best move drawn on the board and in words, and in a match that is over the way on from there."""
    seat = seat if seat < len(hint.match.seats) else 0
    stepped, shown = await context_of(interaction).renderer.stepped(
        hint.match,
        hint.played,
        hint.number,
        seat,
        await wanted_by(interaction),
        letters=form == stepping.LETTERS,
        instead=hint.advice.move,
    )
    words = stepping.best_words(hint, stepped.game_state)
    onward = []
    if hint.match.state is MatchState.OVER:
        onward = [row(*buttons) for buttons in stepping.turns(hint.match, stepped, seat, form)]
    board = f"```\n{shown}\n```" if isinstance(shown, str) else shown.gallery()
    attachments = () if isinstance(shown, str) else (shown,)
    return Reply(view=layout(box(words, board), *onward), attachments=attachments)
