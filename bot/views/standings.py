"""The leaderboard in pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import discord

from bot.games import GAMES
from bot.matches.refusals import Refusal
from bot.storage.queries.ratings import OVERALL
from bot.views.answers import Reply, answer_in_place
from bot.views.controls import Control, row
from bot.views.host import Host, guild_of, host_of
from bot.views.wording import mention, record

PAGE = 10
EVERY_GAME = "all"
"""Stands for all games together in options and controls."""


class By(StrEnum):
    """What a leaderboard is ordered by."""

    RATING = "rating"
    MONTH = "month"


class LeaderboardButton(
    Control, template=r"ranks:(?P<game>[a-z]{1,20}):(?P<by>rating|month):(?P<page>\d{1,5}):(?P<side>back|next)"
):
    """Turns to the page before or after."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply:
            host, by = host_of(interaction), By(match["by"])
            user_id, page = interaction.user.id, int(match["page"])
            return await leaderboard(host, guild_of(interaction), user_id, match["game"], by, page)

        await answer_in_place(interaction, work)


async def leaderboard(host: Host, guild_id: int, user_id: int, game: str, by: By, page: int) -> Reply:
    """Return one page of a leaderboard, the first being 0, with the reader's own line. Raises ``Refusal``."""
    if game != EVERY_GAME and game not in GAMES:
        raise Refusal("I do not know that game. `/games` lists those I do.")
    name = "all games" if game == EVERY_GAME else GAMES[game].name
    ranked = await _ranked(host, guild_id, OVERALL if game == EVERY_GAME else game, by)
    if not ranked:
        return Reply(f"{_NOBODY[by].format(name=name)} `/challenge` somebody to be the first.")
    last = (len(ranked) - 1) // PAGE
    page = min(page, last)
    lines = [_line(rank, entry, user_id) for rank, entry in ranked[page * PAGE : (page + 1) * PAGE]]
    own = next((numbered for numbered in ranked if numbered[1].user_id == user_id), None)
    if own is not None and (own[0] - 1) // PAGE != page:
        lines += ["…", _line(*own, user_id)]
    view = discord.ui.LayoutView(timeout=None)
    head = f"### Leaderboard: {name}{_HEAD[by]}\n"
    view.add_item(discord.ui.Container(discord.ui.TextDisplay(head + "\n".join(lines) + _FOOT[by])))
    if last:
        view.add_item(row(_turn(game, by, page, page - 1, last), _turn(game, by, page, page + 1, last)))
    return Reply(view=view)


_NOBODY = {
    By.RATING: "Nobody has finished a rated game of {name} here lately.",
    By.MONTH: "Nobody has won a game of {name} here this month.",
}
_HEAD = {By.RATING: "", By.MONTH: ", won this month"}
_FOOT = {By.RATING: "\n-# A rating with ? is still uncertain; it settles after some games.", By.MONTH: ""}


@dataclass(frozen=True, slots=True)
class _Entry:
    user_id: int
    words: str


async def _ranked(host: Host, guild_id: int, game: str, by: By) -> list[tuple[int, _Entry]]:
    overview = host.services.overview
    if by is By.MONTH:
        winners = await overview.winners(guild_id, game)
        entries = [_Entry(user_id, f"**{wins}** won") for user_id, wins in winners]
    else:
        entries = [_Entry(rating.user_id, record(rating)) for rating in await overview.leaderboard(guild_id, game)]
    return list(enumerate(entries, 1))


def _turn(game: str, by: By, page: int, to: int, last: int) -> LeaderboardButton:
    side, label = ("back", "◀ Back") if to < page else ("next", "Next ▶")
    wanted = min(max(to, 0), last)
    return LeaderboardButton.create(f"ranks:{game}:{by}:{wanted}:{side}", label, disabled=wanted == page)


def _line(rank: int, entry: _Entry, reader: int) -> str:
    line = f"{rank}. {mention(entry.user_id)} · {entry.words}"
    return f"{line} ← you" if entry.user_id == reader else line
