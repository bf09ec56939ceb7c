"""The languages the bot offers, and the catalogues their translators wrote. Does not know the current language.

A language is a folder of ``bot/locale``, named by its tag, and a line of ``OFFERED``. Its messages are a gettext
catalogue, ``LC_MESSAGES/messages.po``. A message that has no translation, or a broken one, is shown in English.

A game of another package brings its own: ``locale/<tag>/messages.po`` and ``locale/<tag>/guide.md`` in its folder.
"""

from __future__ import annotations

import inspect
from collections import defaultdict
from gettext import GNUTranslations, NullTranslations
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

import structlog
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po

from bot.games import GAMES, OWN
from bot.games.game import Game

log = structlog.get_logger(__name__)

OFFERED = MappingProxyType(
    {
        "en": "English",
        "de": "Deutsch",
        "es": "Español",
        "fr": "Français",
        "it": "Italiano",
        "ja": "日本語",
        "pt-BR": "Português (Brasil)",
    }
)
"""The name of each language in that language, by its tag."""


def folder(code: str) -> Traversable:
    """Return the folder that holds a language's catalogue, glossary and guides."""
    return resources.files("bot") / "locale" / code


def games_elsewhere() -> tuple[Game, ...]:
    """Return the games of other packages, which bring their translations, in the order in which they were found."""
    return tuple(game for game in GAMES.values() if game not in OWN)


def guide_file(code: str, game: Game) -> Traversable:
    """Return where the guide of a game in a language is, if it is there."""
    return _of_package(code, game) / "guide.md" if game not in OWN else folder(code) / "guides" / f"{game.key}.md"


def _of_package(code: str, game: Game) -> Traversable:
    """Return where a package has the translations of its game into a language."""
    return Path(inspect.getfile(type(game))).parent / "locale" / code


def catalogue(code: str, *, game: Game | None = None, strict: bool = False) -> Catalog:
    """Return the messages of a language as its translators wrote them: none where there is no file yet.

    They are those of the bot, or those that the package of a ``game`` brings. Raises ``OSError`` or ``ValueError``
    for a file that cannot be read; when ``strict``, for a line that cannot, too.
    """
    locale = code.replace("-", "_")
    path = folder(code) / "LC_MESSAGES" / "messages.po" if game is None else _of_package(code, game) / "messages.po"
    if not path.is_file():
        return Catalog(locale=locale, fuzzy=False)
    with path.open("rb") as file:
        try:
            return read_po(file, locale=locale, domain="messages", abort_invalid=strict)
        except PoFileError as error:
            raise ValueError(f"line {error.lineno + 1} cannot be read: {error.line.strip()}") from error


def compiled(code: str, game: Game | None = None) -> NullTranslations:
    """Return the messages of a language as gettext reads them, without broken translations.

    They are those of the bot, or those of the package of a ``game``. Raises ``OSError`` or ``ValueError`` where the
    catalogue cannot be read.
    """
    messages = catalogue(code, game=game)
    for message in broken(messages):
        log.error("translation broken, English used instead", language=code, translation=message.string)
        message.string = "" if isinstance(message.string, str) else ("",) * len(_forms(message))
    file = BytesIO()
    write_mo(file, messages)
    file.seek(0)
    return GNUTranslations(file)


def broken(messages: Catalog) -> list[Message]:
    """Return the messages whose translation cannot be filled in, because its braces are wrong."""
    return [message for message in messages if not all(map(_can_be_filled_in, _forms(message)))]


def _forms(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def _can_be_filled_in(translation: str) -> bool:
    try:
        translation.format_map(defaultdict(str))
    except (ValueError, AttributeError, LookupError, TypeError):
        return False
    return True
