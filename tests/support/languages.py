"""Languages for tests: catalogues read anew, their messages, and the games that they do not cover."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from babel.messages.catalog import Message

from bot.languages import speaking as languages
from bot.languages.catalogues import catalogue
from bot.languages.speaking import language
from bot.translating.extraction import HERE, extracted, is_translated, messages_of
from renderers.i18n import gettext, speaking


def read_anew() -> None:
    """Let every catalogue be read again when it is needed."""
    languages.language.cache_clear()
    languages.translations.cache_clear()


def said(code: str, message: str, *, commands: str | None = None, **values: Any) -> str:
    """Return a message in a language, with commands called as in the language ``commands``, or else in the same."""
    with speaking(language(code, commands)):
        return gettext(message, **values)


Key = tuple[str | None, str | tuple[str, ...]]


def key_of(message: Message) -> Key:
    """Return the context and the English of a message."""
    return message.context, message.id if isinstance(message.id, str) else tuple(message.id)


@cache
def template() -> dict[Key, str | None]:
    """Return every message of the source, with the game it belongs to if it is found in that game's folder alone."""
    return {key_of(message): _game(message) for message in messages_of(extracted())}


def _game(message: Message) -> str | None:
    games = {re.match(r"bot/games/(\w+)/|", place) for place, _ in message.locations}
    keys = {found[1] for found in games if found}
    return keys.pop() if len(keys) == 1 else None


@cache
def untranslated_games(code: str) -> frozenset[str]:
    """Return the games of which a language has neither a message nor the guide: people see them in English.

    A language that covers a part of a game has to cover all of it.
    """
    begun = {template().get(key_of(message)) for message in messages_of(catalogue(code)) if is_translated(message)}
    begun |= {file.stem for file in (HERE / code / "guides").glob("*.md")}
    return frozenset({game for game in template().values() if game is not None} - begun)
