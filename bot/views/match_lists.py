"""Somebody's matches, for ``/matches``: the running ones, and those that are over in pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import discord

from bot.matches.model.refusals import Refusal
from bot.messages import custom_ids, match_list
from bot.messages.layout import box, button, layout, row
from bot.views.answers import Reply, answer_in_place
from bot.views.bot_context import context_of, guild_of
from bot.views.controls import Control
from bot.views.leaderboard import EVERY_GAME
from renderers.i18n import gettext as _

PAGE = 8
"""Finished matches on a page: each takes three of the forty components that Discord allows in a message."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches: those of one game, those with somebody in a seat, or all."""

    game: str | None = None
    opponent_id: int | None = None


class FinishedButton(Control, of=custom_ids.FINISHED):
    """Turns to the page before or after."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        game = None if match["game"] == EVERY_GAME else match["game"]
        wanted = Wanted(game, int(match["opponent"]) if match["opponent"] else None)
        await answer_in_place(interaction, lambda: finished(interaction, wanted, int(match["page"])))


async def running(interaction: discord.Interaction[Any], wanted: Wanted) -> Reply:
    """Return somebody's running matches. Those that wait for them come first."""
    found = await context_of(interaction).services.queries.running(guild_of(interaction), interaction.user.id)
    shown = [
        match
        for match in found
        if wanted.game in (None, match.game)
        and (wanted.opponent_id is None or match.seat_of(wanted.opponent_id) is not None)
    ]
    if not found:
        raise Refusal(_("You have no match running in this server. `/challenge` starts one."))
    if not shown:
        raise Refusal(_("You have no running match like that. `/matches` lists all of them."))
    return Reply(view=layout(match_list.running(shown, interaction.user.id)))


async def finished(interaction: discord.Interaction[Any], wanted: Wanted, page: int = 0) -> Reply:
    """Return one page of somebody's finished matches, the first being 0. Raises ``Refusal`` where there is none."""
    user_id = interaction.user.id
    found = await context_of(interaction).services.queries.finished(
        guild_of(interaction), user_id, wanted.opponent_id, wanted.game, offset=page * PAGE, limit=PAGE + 1
    )
    if not found and page:
        return await finished(interaction, wanted)
    if not found:
        raise Refusal(
            _("You have no finished match like that in this server. `/matches` lists those that are running.")
        )
    shown = box(*match_list.finished(found[:PAGE], user_id, page))
    turns = [_turn(wanted, page, page - 1, page == 0), _turn(wanted, page, page + 1, len(found) <= PAGE)]
    paged = page > 0 or len(found) > PAGE
    return Reply(view=layout(shown, *([row(*turns)] if paged else [])))


def _turn(wanted: Wanted, page: int, to: int, disabled: bool) -> discord.ui.Button[discord.ui.LayoutView]:
    side, label = ("back", _("← Newer")) if to < page else ("next", _("Older →"))
    opponent = "" if wanted.opponent_id is None else wanted.opponent_id
    custom_id = custom_ids.FINISHED(game=wanted.game or EVERY_GAME, opponent=opponent, page=max(to, 0), side=side)
    return button(custom_id, label, disabled=disabled)
