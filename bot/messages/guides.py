"""The guide to a game in the current language."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import structlog

from bot.games.game import Game, Variant
from bot.games.guides import Page, guide, read_like
from bot.languages.catalogues import guide_file
from bot.languages.speaking import with_commands_named
from renderers.i18n import current_language

log = structlog.get_logger(__name__)


def guide_pages(game: Game, variant: Variant) -> tuple[Page, ...]:
    """Return the pages of a game's guide for a variant, in English where there is no translation."""
    pages = translated_pages(current_language().code, game, variant)
    return tuple(replace(page, text=with_commands_named(page.text)) for page in pages)


@cache
def translated_pages(code: str, game: Game, variant: Variant) -> tuple[Page, ...]:
    """Return the pages of a game's guide in a language, in English where the translation is missing or broken.

    The names of commands are English.
    """
    file = guide_file(code, game)
    if not file.is_file():
        return guide(game, variant)
    try:
        return read_like(file.read_text(encoding="utf-8"), game, f"{code}/guides/{game.key}.md", variant)
    except (OSError, ValueError) as error:
        log.error("a guide cannot be read, it is shown in English", language=code, error=str(error))
        return guide(game, variant)
