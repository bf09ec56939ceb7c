"""What a language lacks: messages and guides that are not translated, or that are behind the English ones."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from babel.messages.catalog import Catalog

from bot.games import OWN
from bot.games.game import Game
from bot.games.guides import guide, read_like
from bot.languages import catalogues
from bot.languages.catalogues import catalogue, guide_file
from bot.translating.extraction import is_translated, messages_of

LOOKED_AT = "looked_at.toml"
"""The file beside the guides of a language that says by which English page each was last looked at."""
UNFINISHED: frozenset[str] = frozenset()
"""Languages that are offered before all of them is there."""


def missing(code: str, template: Catalog) -> list[str]:
    """Return what a language lacks of the messages of ``template`` and of the guides, a line each."""
    held = {(message.context, message.id): message for message in messages_of(catalogue(code))}
    lines = []
    for message in messages_of(template):
        translation = held.pop((message.context, message.id), None)
        if translation is None or not is_translated(translation):
            text = message.id if isinstance(message.id, str) else message.id[-1]
            places = sorted({place for place, _line in message.locations})
            lines.append(f"{places[0]}: {text!r}")
    if held:
        lines.append(f"messages.po: {len(held)} messages that the source no longer has (`update` removes them)")
    return [*lines, *(line for game in OWN for line in _missing_of_guide(code, game))]


def _missing_of_guide(code: str, game: Game) -> Iterator[str]:
    file = guide_file(code, game)
    if not file.is_file():
        yield f"guides/{game.key}.md: not there"
        return
    text = file.read_text(encoding="utf-8")
    try:
        for variant in game.variants:
            for english, page in zip(guide(game, variant), read_like(text, game, file.name, variant), strict=True):
                captions = zip(english.diagrams, page.diagrams, strict=True)
                if page.title == english.title or page.text == english.text:
                    yield f"guides/{file.name}: the page {page.title!r} is in English ({variant.key})"
                elif any(theirs.caption in ("", ours.caption) for ours, theirs in captions):
                    yield f"guides/{file.name}: a caption on the page {page.title!r} is in English ({variant.key})"
                elif differs := _typed(english.text) ^ _typed(page.text):
                    yield f"guides/{file.name}: the page {page.title!r} differs in {', '.join(sorted(differs))}"
    except ValueError as error:
        yield f"guides/{error}"
    digests = _looked_at(code).get(game.key, {})
    for title, digest in _english_pages(game).items():
        if digests.get(title) != digest:
            yield f"guides/{file.name}: the English page {title!r} has changed since this was looked at (`looked-at`)"


def look_at(code: str, game: Game) -> None:
    """Note that the guide of a game says in a language what the English one says now."""
    lines = list[str]()
    for key, pages in sorted({**_looked_at(code), game.key: _english_pages(game)}.items()):
        lines += [f"[{key}]", *(f'{json.dumps(title)} = "{digest}"' for title, digest in pages.items()), ""]
    _file(code).write_text("\n".join(lines), encoding="utf-8")


def _looked_at(code: str) -> dict[str, dict[str, str]]:
    """Return the digests of the English pages that a language's guides were last looked at by, by game and title."""
    return tomllib.loads(_file(code).read_text(encoding="utf-8")) if _file(code).is_file() else {}


def _file(code: str) -> Path:
    return Path(str(catalogues.folder(code))) / "guides" / LOOKED_AT


def _english_pages(game: Game) -> dict[str, str]:
    """Return the digest of each page of an English guide, in all variants, by its title."""
    said = dict[str, list[str]]()
    for variant in game.variants:
        for page in guide(game, variant):
            said.setdefault(page.title, []).extend([page.text, *(diagram.caption for diagram in page.diagrams)])
    return {title: sha256("\n".join(texts).encode()).hexdigest()[:12] for title, texts in said.items()}


def _typed(text: str) -> set[str]:
    """Return what a text has between backticks: moves, squares and commands."""
    return set(re.findall(r"`[^`\n]+`", text.replace("```", "")))
