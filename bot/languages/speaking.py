"""A language with its messages, the language for one of Discord's locales, and the names of commands in each.

Discord shows commands in the language of the reader's client, which may differ from the language the bot speaks to
them. So a ``Language`` has two tags: one for its messages, one for the commands inside them.

In private answers, commands are links, which put the command into the reader's message field. A link shows the default
name of its command, so readers whose Discord shows other names get the name in code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from gettext import NullTranslations
from typing import ParamSpec, TypeVar

import structlog
from babel import Locale

from bot.games.game import Game
from bot.languages.catalogues import OFFERED, compiled, games_elsewhere
from renderers.i18n import ENGLISH, Language, current_language, speaking, translated

log = structlog.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

COMMAND, OPTION = "command", "option"
"""The contexts of the names of commands and of their options in catalogues."""
_IN_CODE = re.compile(r"`(/?)([^`\n]+)`")
_COMMAND = re.compile(r"`/([a-z0-9-]+(?: [a-z0-9-]+){0,2})`")


@cache
def language(code: str, commands: str | None = None) -> Language:
    """Return a language with its messages; English where ``code`` is not offered (any more).

    Its messages name commands as Discord shows them in the language ``commands``, by default in the same language.
    """
    code, commands = (tag if tag in OFFERED else ENGLISH.code for tag in (code, commands or code))
    if code == commands == ENGLISH.code:
        return ENGLISH
    return Language(code, _CommandsNamed(translations(code), commands), Locale.parse(code, sep="-"), commands)


@cache
def translations(code: str) -> NullTranslations:
    """Return the messages of an offered language, commands in English; no messages if its catalogue is broken.

    Packages of games supply the translations that the bot lacks.
    """
    if code == ENGLISH.code:
        return ENGLISH.messages
    messages = _readable(code)
    for game in games_elsewhere():
        messages.add_fallback(_readable(code, game))
    return messages


def _readable(code: str, game: Game | None = None) -> NullTranslations:
    """Return the messages of the bot or of a game's package, or none of them where they cannot be read."""
    try:
        return compiled(code, game)
    except (OSError, ValueError, TypeError) as error:
        of = {} if game is None else {"game": game.key}
        log.error("catalogue unreadable, English used instead", language=code, error=str(error), **of)
        return NullTranslations()


class _CommandsNamed(NullTranslations):
    """Messages that name commands and options as Discord shows them in a language, which may be another one."""

    def __init__(self, messages: NullTranslations, commands: str) -> None:
        super().__init__()
        self._messages, self._commands = messages, commands

    def gettext(self, message: str) -> str:
        return _with_commands_named(self._commands, self._messages.gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return _with_commands_named(self._commands, self._messages.ngettext(msgid1, msgid2, n))

    def pgettext(self, context: str, message: str) -> str:
        return _with_commands_named(self._commands, self._messages.pgettext(context, message))


@cache
def language_for(locale: object) -> str:
    """Return the tag of the language for one of Discord's locales, such as ``es-419``; English where there is none."""
    tag = str(locale)
    base = tag.partition("-")[0]
    return tag if tag in OFFERED else next((code for code in OFFERED if code.partition("-")[0] == base), "en")


def in_language(code: str, commands: str, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function in a language, in any thread or process."""
    with speaking(language(code, commands)):
        return function(*args, **kwargs)


def with_commands_named(text: str) -> str:
    """Return a text whose commands and options in backticks have their names in the current language."""
    return _with_commands_named(current_language().commands, text)


def as_discord_shows(message: str) -> str:
    """Return a message in the language of the reader's Discord, for a text that stands in one of its menus."""
    with speaking(language(current_language().commands)):
        return translated(message)


def _with_commands_named(code: str, text: str) -> str:
    if "`" not in text or code == ENGLISH.code:
        return text
    translate = translations(code).pgettext

    def named(word: str) -> str:
        option, colon, value = word.partition(":")
        return f"{translate(OPTION, option)}:{value}" if colon else translate(COMMAND, word)

    def shown(code: re.Match[str]) -> str:
        slash, words = code.groups()
        said = " ".join(map(named, words.split(" "))) if slash else translate(OPTION, words)
        return f"`{slash}{said}`"

    return _IN_CODE.sub(shown, text)


class CommandLinks:
    """The ids of the commands that Discord has told so far. Commands that it has not told stay in code."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def learn(self, command_id: int, names: Iterable[str]) -> None:
        """Note the id of a registered command, and the whole names of what can be used of it: its subcommands."""
        self._ids.update(dict.fromkeys(names, command_id))

    def with_links(self, text: str) -> str:
        """Return a text with its commands as links, if the current language is that of default names."""
        if current_language().commands != ENGLISH.code:
            return text
        return _COMMAND.sub(self._link, text)

    def _link(self, named: re.Match[str]) -> str:
        command_id = self._ids.get(named[1])
        return named[0] if command_id is None else f"</{named[1]}:{command_id}>"
