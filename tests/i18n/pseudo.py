"""An invented language: every letter has an accent, and every message is as long as in any language.

Whatever is shown without accents is not in the catalogues, or was made English again by joining it with something.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from pathlib import Path

import pytest

from bot.games import GAMES
from bot.languages import speaking as languages
from bot.languages.catalogues import catalogue
from bot.messages import guides
from bot.translating.extraction import TRANSLATED, messages_of
from renderers.i18n import Language
from tests.support.languages import read_anew

CODE = "it"
"""The tag it goes by while a test speaks it: one that is offered."""

_ACCENTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "åƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ",
)
_KEPT = re.compile(r"\{\w*\}|`[^`]*`|</?[^>]*>|https?://\S+")
"""The parts of a message that stay as they are: placeholders, commands and code, mentions."""
_WORD = re.compile(r"[A-Za-z]{3,}")
_NOT_SAID = re.compile(r"\b\w+/\w+\b|`[^`]*`|```.*?```|<[@#/:t][^>]*>|https?://\S+|attachment://\S+", re.DOTALL)


@cache
def _longest() -> dict[tuple[str | None, str], int]:
    """Return how long each message is in the language that takes most letters for it."""
    found: dict[tuple[str | None, str], int] = {}
    for code in TRANSLATED:
        for message in messages_of(catalogue(code)):
            forms = [message.string] if isinstance(message.string, str) else message.string or ()
            for english in [message.id] if isinstance(message.id, str) else message.id:
                key = (message.context, english)
                found[key] = max(found.get(key, 0), *map(len, forms))
    return found


class _Accented(gettext.NullTranslations):
    def gettext(self, message: str) -> str:
        return self._said(None, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._said(None, msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self._said(context, message)

    def _said(self, context: str | None, message: str) -> str:
        return accented(message) + "ẋ" * (_longest().get((context, message), 0) - len(message))


def accented(message: str) -> str:
    """Return a message with accents on everything but placeholders, commands and mentions."""
    kept = _KEPT.findall(message)
    said = [piece.translate(_ACCENTED) for piece in _KEPT.split(message)]
    return "".join(piece + (kept[at] if at < len(kept) else "") for at, piece in enumerate(said))


def in_english(text: str, names: Iterable[str]) -> list[str]:
    """Return the words of a text that are neither accented nor names."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
    return _WORD.findall(_NOT_SAID.sub(" ", text))


def _accented_guide(guide: str) -> str:
    """Return a guide with accents, but for the positions of its diagrams."""
    said, block = [], False
    for line in guide.splitlines():
        block ^= line.startswith("```")
        kept, caption, words = line.partition("caption: ")
        said.append(kept + caption + accented(words) if block or line.startswith(("```", ":::")) else accented(line))
    return "\n".join(said)


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Language]:
    """Let the pseudo-language stand for Italian, in whatever asks for a language by its tag."""
    folder = tmp_path / "locale" / "guides"
    folder.mkdir(parents=True)
    for game in GAMES.values():
        guide = (resources.files(type(game).__module__) / "guide.md").read_text(encoding="utf-8")
        (folder / f"{game.key}.md").write_text(_accented_guide(guide), encoding="utf-8")
    monkeypatch.setattr(guides, "guide_file", lambda _code, game: folder / f"{game.key}.md")
    guides.translated_pages.cache_clear()
    read_anew()
    monkeypatch.setattr(languages, "compiled", lambda *_: _Accented())
    yield languages.language(CODE)
    read_anew()
    guides.translated_pages.cache_clear()
