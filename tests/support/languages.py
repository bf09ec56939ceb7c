"""Languages for tests: catalogues read anew, their messages, and the games that they do not cover."""

from __future__ import annotations

from functools import cache
from typing import Any

from babel.messages.catalog import Message

from bot.languages import speaking as languages
from bot.languages.speaking import language
from bot.translating.extraction import extracted, messages_of
from renderers.i18n import gettext, speaking


def read_anew() -> None:
    """Let every catalogue be read again when it is needed."""
    languages.language.cache_clear()
    languages.translations.cache_clear()


@cache
def messages_of_the_source() -> list[Message]:
    """Return every message of the source, extracted once in a process: that takes seconds."""
    return messages_of(extracted())


def said(code: str, message: str, *, commands: str | None = None, **values: Any) -> str:
    """Return a message in a language, with commands called as in the language ``commands``, or else in the same."""
    with speaking(language(code, commands)):
        return gettext(message, **values)
