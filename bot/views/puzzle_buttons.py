"""What leads to a puzzle and away from it: that of the day, one somebody shared, the next, the solution, sharing."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import discord

from bot.matches.model.refusals import Refusal
from bot.messages import custom_ids
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.bot_context import context_of, guild_of, place_of
from bot.views.controls import Control
from bot.views.permissions import check_place
from bot.views.puzzle_builder import shown
from renderers.i18n import gettext as _


class DailyButton(Control, of=custom_ids.DAILY):
    """Opens the puzzle of a day."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: _daily(interaction, match["day"]))


class NextPuzzleButton(Control, of=custom_ids.NEXT_PUZZLE):
    """Gives another puzzle of the same game."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: given(interaction, match["game"]))


class PuzzleButton(Control, of=custom_ids.PUZZLE):
    """Shows the solution, goes back to trying, shares, or opens the puzzle somebody shared."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        attempt_id, puzzles, user_id = (
            int(match["attempt"]),
            context_of(interaction).services.puzzles,
            interaction.user.id,
        )

        async def same() -> Reply:
            return await shown(interaction, await puzzles.begin_same(user_id, attempt_id))

        async def share() -> Reply:
            check_place(interaction)
            await puzzles.share(user_id, attempt_id, guild_of(interaction), place_of(interaction))
            return Reply(_("Shared in this channel."))

        async def show() -> Reply:
            return await shown(interaction, await puzzles.show(user_id, attempt_id, interaction.id))

        async def resume() -> Reply:
            return await shown(interaction, await puzzles.view(user_id, attempt_id))

        match match["verb"]:
            case "same":
                await answer_privately(interaction, same)
            case "share":
                await answer_privately(interaction, share)
            case "show":
                await answer_in_place(interaction, show)
            case _:
                await answer_in_place(interaction, resume)


async def given(interaction: discord.Interaction[Any], game: str | None) -> Reply:
    """Return the puzzle somebody is at, or a new one for them. Raises ``Refusal``."""
    return await shown(interaction, await context_of(interaction).services.puzzles.begin(interaction.user.id, game))


async def _daily(interaction: discord.Interaction[Any], day: str) -> Reply:
    try:
        meant = date.fromisoformat(day)
    except ValueError as error:
        raise Refusal(_("There is no such day.")) from error
    puzzles = context_of(interaction).services.puzzles
    return await shown(interaction, await puzzles.begin_daily(interaction.user.id, guild_of(interaction), meant))
