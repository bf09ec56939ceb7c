"""Choosing a game: a menu, in pages where Discord's limit is exceeded, and the game that a typed text means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

import discord

from bot.games import GAMES
from bot.games.faults import of_each
from bot.games.game import Game
from bot.matches.model.refusals import Refusal
from bot.messages.layout import OPTION_LIMIT, OPTIONS, select
from bot.messages.wording import shorten
from renderers.i18n import folded, translated
from renderers.i18n import gettext as _

_MORE: Final = ">"
"""Begins the value of the last option, which leads to another page. No key of a game begins with it."""


def game_menu(custom_id: str, games: Iterable[Game], page: int = 0) -> discord.ui.Select[discord.ui.LayoutView]:
    """Return the menu of some games; where they are more than fit one, its last option leads to the next page.

    ``page`` counts from 0 and begins again after the last page.
    """
    every = of_each(
        lambda game: discord.SelectOption(
            label=translated(game.name), value=game.key, description=shorten(game.summary, OPTION_LIMIT)
        ),
        games,
    )
    if len(every) <= OPTIONS:
        return select(custom_id, _("Which game?"), every)
    room = OPTIONS - 1
    pages = -(-len(every) // room)
    page %= pages
    more = discord.SelectOption(label=_("More games"), value=f"{_MORE}{(page + 1) % pages}")
    return select(custom_id, _("Which game?"), [*every[page * room : (page + 1) * room], more])


def page_chosen(value: str) -> int | None:
    """Return the page that a chosen option leads to, or None for a game."""
    more = re.fullmatch(rf"{_MORE}(\d{{1,3}})", value)
    return int(more[1]) if more else None


def names_with(typed: str, keys: Sequence[str]) -> list[tuple[str, str]]:
    """Return names and keys of the games whose names contain the ``typed`` text, those that begin with it first."""
    part = folded(typed)
    named = of_each(lambda game: (translated(game.name), game.key), map(GAMES.__getitem__, keys))
    matching = [(name, key) for name, key in named if part in folded(name)]
    return sorted(matching, key=lambda match: (not folded(match[0]).startswith(part), folded(match[0])))


def known_game(text: str) -> str:
    """Return the key of the game that a text means: its key, or its name in English or the language of the moment.

    Where games are suggested and not listed, a person may type any text. Raises ``Refusal`` if it means no game.
    """
    name = folded(text)
    names = of_each(lambda game: (game.key, folded(game.name), folded(translated(game.name))), GAMES.values())
    if key := next((called[0] for called in names if name in called), None):
        return key
    raise Refusal(_("I don't know that game. `/games` lists the ones I do."))
