"""Choosing a game: a menu, in pages where Discord's limit is exceeded, and the game that a typed text means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

import discord

from bot.games import GAMES
from bot.games.game import Game
from bot.matches.model.refusals import Refusal
from bot.messages.layout import select
from bot.messages.wording import shorten
from bot.views.builder_preview import OPTION_LIMIT, OPTIONS
from renderers.i18n import gettext as _
from renderers.i18n import translated

_MORE: Final = ">"
"""Begins the value of the last option, which leads to another page. No key of a game begins with it."""


def game_menu(custom_id: str, games: Iterable[Game], page: int = 0) -> discord.ui.Select[discord.ui.LayoutView]:
    """Return the menu of some games; where they are more than fit one, its last option leads to the next page.

    ``page`` counts from 0 and begins again after the last page.
    """
    every = list(games)
    if len(every) <= OPTIONS:
        return select(custom_id, _("Which game?"), [_option(game) for game in every])
    room = OPTIONS - 1
    pages = -(-len(every) // room)
    page %= pages
    options = [_option(game) for game in every[page * room : (page + 1) * room]]
    options.append(discord.SelectOption(label=_("More games"), value=f"{_MORE}{(page + 1) % pages}"))
    return select(custom_id, _("Which game?"), options)


def page_chosen(value: str) -> int | None:
    """Return the page that a chosen option leads to, or None for a game."""
    found = re.fullmatch(rf"{_MORE}(\d{{1,3}})", value)
    return int(found[1]) if found else None


def _option(game: Game) -> discord.SelectOption:
    return discord.SelectOption(
        label=translated(game.name), value=game.key, description=shorten(game.summary, OPTION_LIMIT)
    )


def names_with(typed: str, keys: Sequence[str]) -> list[tuple[str, str]]:
    """Return names and keys of the games whose names contain the ``typed`` text, those that begin with it first."""
    wanted = typed.casefold().strip()
    named = [(translated(GAMES[key].name), key) for key in keys]
    found = [(name, key) for name, key in named if wanted in name.casefold()]
    return sorted(found, key=lambda one: (not one[0].casefold().startswith(wanted), one[0].casefold()))


def known_game(text: str) -> str:
    """Return the key of the game that a text means: its key, or its name in English or the language of the moment.

    Where games are suggested and not listed, a person may type any text. Raises ``Refusal`` if it means no game.
    """
    wanted = text.casefold().strip()
    for key, game in GAMES.items():
        if wanted in (key, game.name.casefold(), translated(game.name).casefold()):
            return key
    raise Refusal(_("I don't know that game. `/games` lists the ones I do."))
