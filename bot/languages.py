"""The languages the bot speaks: which there are, their messages, and which of them somebody's Discord means.

A language is a folder of ``bot/locale``, named by its tag, and a line of ``OFFERED``. Its messages are a gettext
catalogue, ``LC_MESSAGES/messages.po``, read when they are first needed; a message that is not translated there, or
whose translation is broken, is shown in English.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO
from types import MappingProxyType
from typing import ParamSpec, TypeVar

import structlog
from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po

from renderers.i18n import ENGLISH, Language, current_language, speaking, translated

log = structlog.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

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
"""What each language calls itself, by its tag."""
COMMAND, OPTION = "command", "option"
"""The contexts under which the names of commands and of their options stand in catalogues."""
_IN_CODE = re.compile(r"`(/?)([^`\n]+)`")


def folder(code: str) -> Traversable:
    """Return where a language's catalogue, glossary and guides are."""
    return resources.files("bot") / "locale" / code


def catalogue(code: str, *, strict: bool = False) -> Catalog:
    """Return the messages of a language as its translators wrote them: none where nobody has begun.

    Raises ``OSError`` or ``ValueError`` for a file that cannot be read; when ``strict``, for a line that cannot, too.
    """
    locale, path = code.replace("-", "_"), folder(code) / "LC_MESSAGES" / "messages.po"
    if not path.is_file():
        return Catalog(locale=locale, fuzzy=False)
    with path.open("rb") as file:
        try:
            return read_po(file, locale=locale, domain="messages", abort_invalid=strict)
        except PoFileError as error:
            raise ValueError(f"line {error.lineno + 1} cannot be read: {error.line.strip()}") from error


@cache
def language(code: str, commands: str | None = None) -> Language:
    """Return a language with its messages; one that is not offered (any more) is English.

    Commands are called in them as Discord shows them in the language ``commands``, or else in this one.
    """
    code, commands = (tag if tag in OFFERED else ENGLISH.code for tag in (code, commands or code))
    if code == commands == ENGLISH.code:
        return ENGLISH
    return Language(code, _CommandsNamed(translations(code), commands), Locale.parse(code, sep="-"), commands)


@cache
def translations(code: str) -> NullTranslations:
    """Return the messages of a language that is offered, with commands called as in English; none if it is broken."""
    if code == ENGLISH.code:
        return ENGLISH.messages
    try:
        return compiled(code)
    except (OSError, ValueError) as error:
        log.error("a language cannot be read, English is spoken instead", language=code, error=str(error))
        return NullTranslations()


class _CommandsNamed(NullTranslations):
    """Messages in which commands and options are called as Discord shows them in a language, which may be another."""

    def __init__(self, messages: NullTranslations, commands: str) -> None:
        super().__init__()
        self._messages, self._commands = messages, commands

    def gettext(self, message: str) -> str:
        return _with_commands_named(self._commands, self._messages.gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return _with_commands_named(self._commands, self._messages.ngettext(msgid1, msgid2, n))

    def pgettext(self, context: str, message: str) -> str:
        return _with_commands_named(self._commands, self._messages.pgettext(context, message))


def compiled(code: str) -> NullTranslations:
    """Return the messages of a language as gettext reads them, without those that are broken.

    Raises ``OSError`` or ``ValueError`` where the catalogue cannot be read.
    """
    messages = catalogue(code)
    for message in broken(messages):
        log.error("a translation is broken, English is said instead", language=code, translation=message.string)
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


@cache
def language_for(locale: object) -> str:
    """Return the tag of the language for one of Discord's locales, such as ``es-419``; English where there is none."""
    wanted = str(locale)
    base = wanted.partition("-")[0]
    return wanted if wanted in OFFERED else next((code for code in OFFERED if code.partition("-")[0] == base), "en")


def in_language(code: str, commands: str, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function that speaks a language, in whatever thread or process this is."""
    with speaking(language(code, commands)):
        return function(*args, **kwargs)


def with_commands_named(text: str) -> str:
    """Return a text with the commands and options in backticks called as they are in the language of the moment."""
    return _with_commands_named(current_language().commands, text)


def as_discord_shows(message: str) -> str:
    """Return a message in the language of the Discord of whoever is spoken to: it stands there in a menu."""
    with speaking(language(current_language().commands)):
        return translated(message)


def _with_commands_named(code: str, text: str) -> str:
    if "`" not in text or code == ENGLISH.code:
        return text
    translate = translations(code).pgettext

    def named(word: str) -> str:
        option, colon, value = word.partition(":")
        return f"{translate(OPTION, option)}:{value}" if colon else translate(COMMAND, word)

    def shown(found: re.Match[str]) -> str:
        slash, words = found.groups()
        said = " ".join(map(named, words.split(" "))) if slash else translate(OPTION, words)
        return f"`{slash}{said}`"

    return _IN_CODE.sub(shown, text)
