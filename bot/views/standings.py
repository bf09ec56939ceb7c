"""The leaderboard in pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import discord

from bot.games import GAMES
from bot.matches.rating import points, shown
from bot.matches.refusals import Refusal
from bot.storage.queries.ratings import OVERALL
from bot.views.answers import Reply, answer_in_place
from bot.views.controls import Control, row
from bot.views.host import Host, guild_of, host_of
from bot.views.pictures import Picture
from bot.views.wording import mention, record
from renderers.ranking import Row

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
        of_game = "" if game == EVERY_GAME else f" of {name}"
        return Reply(f"{_NOBODY[by].format(of_game)} `/challenge` somebody to be the first.")
    last = (len(ranked) - 1) // PAGE
    page = min(page, last)
    listed = ranked[page * PAGE : (page + 1) * PAGE]
    own = next((numbered for numbered in ranked if numbered[1].user_id == user_id), None)
    lines = [_line(rank, entry, user_id) for rank, entry in listed]
    if own is not None and own not in listed:
        listed.append(own)
        lines += ["…", _line(*own, user_id)]
    title = f"{name}{_HEAD[by]}"
    picture = await _picture(host, listed, ranked, title[0].upper() + title[1:], user_id)
    view = discord.ui.LayoutView(timeout=None)
    words = f"### Leaderboard: {title}\n" + "\n".join(lines) + _FOOT[by]
    view.add_item(discord.ui.Container(picture.gallery(), discord.ui.TextDisplay(words)))
    if last:
        view.add_item(row(_turn(game, by, page, page - 1, last), _turn(game, by, page, page + 1, last)))
    return Reply(view=view, attachments=(picture,))


_NOBODY = {
    By.RATING: "Nobody has finished a rated game{} here lately.",
    By.MONTH: "Nobody has won a game{} here this month.",
}
_HEAD = {By.RATING: "", By.MONTH: ", won this month"}
_FOOT = {By.RATING: "\n-# A rating with ? is still uncertain; it settles after some games.", By.MONTH: ""}


@dataclass(frozen=True, slots=True)
class _Entry:
    user_id: int
    words: str
    label: str
    """What stands beside the bar in the picture."""
    value: float
    """What the length of the bar is about."""


Ranked = list[tuple[int, _Entry]]


async def _ranked(host: Host, guild_id: int, game: str, by: By) -> Ranked:
    overview = host.services.overview
    if by is By.MONTH:
        winners = await overview.winners(guild_id, game)
        entries = [_Entry(user_id, f"**{wins}** won", str(wins), wins) for user_id, wins in winners]
    else:
        rated = await overview.leaderboard(guild_id, game)
        entries = [_Entry(one.user_id, record(one), shown(one), points(one.mu)) for one in rated]
    return list(enumerate(entries, 1))


async def _picture(host: Host, page: Ranked, every: Ranked, title: str, reader: int) -> Picture:
    """Draw a page; the longest bar is the best of all, the shortest the last."""
    names = await host.services.overview.names([entry.user_id for _, entry in page])
    values = [entry.value for _, entry in every]
    low, high = min(values), max(values)
    rows = [
        Row(
            rank,
            names.get(entry.user_id, "?"),
            entry.label,
            (entry.value - low) / (high - low) if high > low else 1.0,
            entry.user_id == reader,
        )
        for rank, entry in page
    ]
    theme = (await host.services.personal.preferences(reader)).theme
    return await host.studio.ranks(rows, title, theme)


def _turn(game: str, by: By, page: int, to: int, last: int) -> LeaderboardButton:
    side, label = ("back", "← Back") if to < page else ("next", "Next →")
    wanted = min(max(to, 0), last)
    return LeaderboardButton.create(f"ranks:{game}:{by}:{wanted}:{side}", label, disabled=wanted == page)


def _line(rank: int, entry: _Entry, reader: int) -> str:
    line = f"{rank}. {mention(entry.user_id)} · {entry.words}"
    return f"{line} ← you" if entry.user_id == reader else line
