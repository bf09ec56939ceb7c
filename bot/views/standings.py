"""The leaderboard in pages."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.games import GAMES
from bot.matches.rating import shown
from bot.matches.refusals import Refusal
from bot.storage.queries.ratings import OVERALL
from bot.storage.records import Rating
from bot.views.answers import Reply, answer_in_place
from bot.views.controls import Control, row
from bot.views.host import Host, guild_of, host_of
from bot.views.wording import mention

PAGE = 10
EVERY_GAME = "all"
"""Stands for all games together in options and controls."""


class LeaderboardButton(Control, template=r"ranks:(?P<game>[a-z]{1,20}):(?P<page>\d{1,5}):(?P<side>back|next)"):
    """Turns to the page before or after."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply:
            host, user = host_of(interaction), interaction.user.id
            return await leaderboard(host, guild_of(interaction), user, match["game"], int(match["page"]))

        await answer_in_place(interaction, work)


async def leaderboard(host: Host, guild_id: int, user_id: int, game: str, page: int) -> Reply:
    """Return one page of a leaderboard, the first being 0, with the reader's own line. Raises ``Refusal``."""
    if game != EVERY_GAME and game not in GAMES:
        raise Refusal("I do not know that game. `/games` lists those I do.")
    name = "all games" if game == EVERY_GAME else GAMES[game].name
    ranked = await host.services.overview.leaderboard(guild_id, OVERALL if game == EVERY_GAME else game)
    if not ranked:
        return Reply(f"Nobody has finished a rated game of {name} here yet. `/challenge` somebody to be the first.")
    last = (len(ranked) - 1) // PAGE
    page = min(page, last)
    lines = [_line(rank, rating, user_id) for rank, rating in _numbered(ranked)[page * PAGE : (page + 1) * PAGE]]
    own = next(((rank, rating) for rank, rating in _numbered(ranked) if rating.user_id == user_id), None)
    if own is not None and (own[0] - 1) // PAGE != page:
        lines += ["…", _line(*own, user_id)]
    view = discord.ui.LayoutView(timeout=None)
    head = f"### Leaderboard: {name}\n"
    foot = "\n-# A rating with ? is still uncertain; it settles after some games."
    view.add_item(discord.ui.Container(discord.ui.TextDisplay(head + "\n".join(lines) + foot)))
    if last:
        view.add_item(
            row(
                LeaderboardButton.create(f"ranks:{game}:{max(page - 1, 0)}:back", "◀ Back", disabled=page == 0),
                LeaderboardButton.create(f"ranks:{game}:{min(page + 1, last)}:next", "Next ▶", disabled=page == last),
            )
        )
    return Reply(view=view)


def _numbered(ranked: list[Rating]) -> list[tuple[int, Rating]]:
    return list(enumerate(ranked, 1))


def _line(rank: int, rating: Rating, reader: int) -> str:
    line = (
        f"{rank}. {mention(rating.user_id)} · **{shown(rating)}** · "
        f"{rating.wins} won, {rating.draws} drawn, {rating.losses} lost"
    )
    return f"{line} ← you" if rating.user_id == reader else line
