"""The leaderboard in pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import discord

from bot.games import GAMES
from bot.matches.model.rating import format_rating, points
from bot.matches.model.refusals import Refusal
from bot.messages import custom_ids
from bot.messages.layout import box, button, layout, row
from bot.messages.pictures import Picture
from bot.messages.wording import mention, record
from bot.storage.ratings import OVERALL
from bot.views.answers import Reply, answer_in_place
from bot.views.bot_context import BotContext, context_of, guild_of
from bot.views.controls import Control
from renderers.charts.ranking import Row, bar_share
from renderers.i18n import capitalised, gettext_lazy, number, prose, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

PAGE = 10
EVERY_GAME = "all"
"""Stands for all games together in options and controls."""
WHY_OVERALL = gettext_lazy(
    "“All games” is one rating for all matches together, not an average of the others, so it can "
    "lie above or below every one of them."
)


class By(StrEnum):
    """What a leaderboard is ordered by."""

    RATING = "rating"
    MONTH = "month"


class LeaderboardButton(Control, of=custom_ids.LEADERBOARD):
    """Turns to the page before or after."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply:
            context, by = context_of(interaction), By(match["verb"])
            user_id, page = interaction.user.id, int(match["page"])
            return await leaderboard(context, guild_of(interaction), user_id, match["game"], by, page)

        await answer_in_place(interaction, work)


async def leaderboard(context: BotContext, guild_id: int, user_id: int, game: str, by: By, page: int) -> Reply:
    """Return one page of a leaderboard, the first being 0, with the reader's own line. Raises ``Refusal``."""
    if game != EVERY_GAME and game not in GAMES:
        raise Refusal(_("I don't know that game. `/games` lists the ones I do."))
    ranked = await _ranked(context, guild_id, OVERALL if game == EVERY_GAME else game, by)
    if not ranked:
        return Reply(_nobody(game, by))
    last = (len(ranked) - 1) // PAGE
    page = min(page, last)
    listed = ranked[page * PAGE : (page + 1) * PAGE]
    own = next((numbered for numbered in ranked if numbered[1].user_id == user_id), None)
    lines = [_line(rank, entry, user_id) for rank, entry in listed]
    if own is not None and own not in listed:
        listed.append(own)
        lines += ["…", _line(*own, user_id)]
    title = _title(game, by)
    names = await context.services.queries.names(guild_id, [entry.user_id for _, entry in listed])
    picture = await _picture(context, listed, ranked, capitalised(title), by, names, user_id)
    foot = [_FOOT[by], WHY_OVERALL if game == EVERY_GAME and by is By.RATING else ""]
    words = "\n".join(
        [_("### Leaderboard: {title}", title=title), *lines, *(f"-# {translated(line)}" for line in foot if line)]
    )
    turns = [row(_turn(game, by, page, page - 1, last), _turn(game, by, page, page + 1, last))] if last else []
    return Reply(view=layout(box(picture.gallery(), words), *turns), attachments=(picture,))


def _nobody(game: str, by: By) -> str:
    """Say that a leaderboard is empty."""
    name = "" if game == EVERY_GAME else GAMES[game].name
    if by is By.MONTH:
        empty = (
            _("Nobody has won a game of {game} here this month.", game=name)
            if name
            else _("Nobody has won a game here this month.")
        )
    else:
        empty = (
            _("Nobody has finished a rated game of {game} here lately.", game=name)
            if name
            else _("Nobody has finished a rated game here lately.")
        )
    invitation = _("`/challenge` somebody to be the first.")
    return prose([empty, invitation])


def _title(game: str, by: By) -> str:
    """Return what a leaderboard is of, to follow a colon."""
    if game != EVERY_GAME:
        name = translated(GAMES[game].name)
        return name if by is By.RATING else _("{game}, won this month", game=name)
    return _("all games") if by is By.RATING else _("all games, won this month")


_FOOT = {By.RATING: gettext_lazy("A rating with ? is still uncertain; it settles after some games."), By.MONTH: ""}


@dataclass(frozen=True, slots=True)
class _Entry:
    user_id: int
    words: str
    label: str
    """What stands beside the bar in the picture."""
    value: float
    """What the length of the bar is about."""


Ranked = list[tuple[int, _Entry]]


async def _ranked(context: BotContext, guild_id: int, game: str, by: By) -> Ranked:
    queries = context.services.queries
    if by is By.MONTH:
        winners = await queries.winners(guild_id, game)
        entries = [
            _Entry(user_id, _n("**{n}** won", "**{n}** won", wins), number(wins), wins) for user_id, wins in winners
        ]
    else:
        rated = await queries.leaderboard(guild_id, game)
        entries = [_Entry(one.user_id, record(one), format_rating(one), points(one.mu)) for one in rated]
    return list(enumerate(entries, 1))


async def _picture(
    context: BotContext, page: Ranked, every: Ranked, title: str, by: By, names: dict[int, str], reader: int
) -> Picture:
    """Draw a page; the longest bar is the best of all, and wins are counted from none."""
    values = [entry.value for _, entry in every]
    rows = [
        Row(
            rank,
            names.get(entry.user_id, "?"),
            entry.label,
            bar_share(entry.value, values, from_zero=by is By.MONTH),
            entry.user_id == reader,
        )
        for rank, entry in page
    ]
    theme = (await context.services.personal_settings.preferences(reader)).theme
    return await context.renderer.ranks(rows, title, theme)


def _turn(game: str, by: By, page: int, to: int, last: int) -> discord.ui.Button[discord.ui.LayoutView]:
    side, label = ("back", _("← Back")) if to < page else ("next", _("Next →"))
    wanted = min(max(to, 0), last)
    custom_id = custom_ids.LEADERBOARD(game=game, verb=by, page=wanted, side=side)
    return button(custom_id, label, disabled=wanted == page)


def _line(rank: int, entry: _Entry, reader: int) -> str:
    line = f"{rank}. {mention(entry.user_id)} · {entry.words}"
    return _("{line} ← you", line=line) if entry.user_id == reader else line
