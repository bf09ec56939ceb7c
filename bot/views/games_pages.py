"""The games there are in pages, with pictures, for ``/games``."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.games import GAMES
from bot.games.game import Game
from bot.messages import custom_ids
from bot.messages.layout import box, button, layout, row
from bot.messages.pictures import Picture
from bot.views.against_computer import play_button
from bot.views.answers import Reply, answer_in_place
from bot.views.bot_context import context_of, wanted_by
from bot.views.controls import Control
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import translated

PAGE = 5
"""Games on a page: each takes seven of the forty components that Discord allows in a message."""


class GamesPageButton(Control, of=custom_ids.GAMES_PAGE):
    """Turns to the page before or after."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_in_place(interaction, lambda: page(interaction, int(match["page"])))


async def page(interaction: discord.Interaction[Any], number: int) -> Reply:
    """Return one page of the games, the first being 0; the last one for a page there is not (any more)."""
    renderer, theme = context_of(interaction).renderer, (await wanted_by(interaction)).theme
    games = list(GAMES.values())
    last = (len(games) - 1) // PAGE
    number = min(number, last)
    shown = games[number * PAGE : (number + 1) * PAGE]
    pictures = [await renderer.showpiece(game, theme) for game in shown]
    boxes = [_entry(game, picture) for game, picture in zip(shown, pictures, strict=True)]
    turns = [row(_turn(number, number - 1, last), _turn(number, number + 1, last))] if last else []
    return Reply(view=layout(*boxes, *turns), attachments=tuple(pictures))


def _entry(game: Game, picture: Picture) -> discord.ui.Container[discord.ui.LayoutView]:
    designer = _("Designer unknown") if game.designer == "unknown" else _("By {designer}", designer=game.designer)
    players = game.players
    if len(players) == 1:
        count = _n("{n} player", "{n} players", players.start)
    else:
        count = _("{fewest} to {most} players", fewest=players.start, most=players.stop - 1)
    words = picture.beside(f"### {translated(game.name)}\n{translated(game.sentence)}\n-# {designer} · {count}")
    rules = button(custom_ids.RULES(game=game.key, variant=""), _("Rules of {game}", game=game.name))
    return box(words, row(rules, *play_button(game)))


def _turn(number: int, to: int, last: int) -> discord.ui.Button[discord.ui.LayoutView]:
    side, label = ("back", _("← Back")) if to < number else ("next", _("Next →"))
    wanted = min(max(to, 0), last)
    return button(custom_ids.GAMES_PAGE(page=wanted, side=side), label, disabled=wanted == number)
