"""The catalogues: every message of the program, extracted from the source and the command tree, with translations.

``bot/locale/<tag>`` holds a language: ``LC_MESSAGES/messages.po`` (its messages), ``glossary.toml`` (its terms) and
``guides`` (one guide per game). ``python -m bot.translating update`` brings the catalogues up to date with the source.
"""

from __future__ import annotations

import inspect
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.pofile import write_po

from bot.cogs import command_tree
from bot.games import OWN
from bot.games.game import Game
from bot.languages.catalogues import OFFERED, catalogue, guide_file
from renderers.i18n import ENGLISH

ROOT = Path(__file__).parents[2]
HERE = ROOT / "bot" / "locale"
PACKAGES = ("bot", "renderers")
_ARGUMENTS: dict[str, Any] = {"gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}
"""Which arguments of each function of ``renderers.i18n`` are messages, and which one is the context."""
_SHORT = {"_": "gettext", "_n": "ngettext", "_p": "pgettext"}
_KEYWORDS = {
    **_ARGUMENTS,
    **{f"{name}_lazy": arguments for name, arguments in _ARGUMENTS.items()},
    **{short: _ARGUMENTS[name] for short, name in _SHORT.items()},
}
_COMMENT = "Translators:"
_COMMANDS = "bot/cogs/command_tree.py"
"""The place that catalogues name as the source of the names of commands and options."""
_WIDTH = 100
_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
"""The date in every catalogue: a file changes only when its messages do."""

TRANSLATED = tuple(code for code in OFFERED if code != ENGLISH.code)


def extracted() -> Catalog:
    """Return every message of the source, without translations."""
    template = Catalog(project="Tavoliere", creation_date=_EPOCH, fuzzy=False)
    for package in PACKAGES:
        messages = extract_from_dir(
            ROOT / package,
            method_map=[("**.py", "python")],
            keywords=_KEYWORDS,
            comment_tags=(_COMMENT,),
            strip_comment_tags=True,
        )
        for name, line, ids, comments, context in sorted(messages, key=lambda message: (message[0], message[1])):
            template.add(ids, None, [(f"{package}/{name}", line)], auto_comments=comments, context=context)
    for kind, word in sorted(set(command_tree.words())):
        template.add(word, None, [(_COMMANDS, 1)], context=kind)
    return template


def languages_without(game: Game) -> list[str]:
    """Return the languages that lack a message of a game's module or package, or its guide."""
    module = Path(inspect.getfile(type(game)))
    files = sorted(module.parent.rglob("*.py")) if module.name == "__init__.py" else [module]
    said = Catalog()
    for file in files:
        for _, ids, _, context in extract_from_file("python", file, keywords=_KEYWORDS):
            said.add(ids, context=context)
    missing = []
    for code in TRANSLATED:
        held = [catalogue(code)] if game in OWN else [catalogue(code), _brought(code, game)]
        messages = [message for each in held for message in messages_of(each)]
        translated = {(message.context, message.id) for message in messages if is_translated(message)}
        lacks = any((message.context, message.id) not in translated for message in messages_of(said))
        if lacks or not guide_file(code, game).is_file():
            missing.append(code)
    return missing


def _brought(code: str, game: Game) -> Catalog:
    """Return the messages that the package of a game brings, none where they cannot be read."""
    try:
        return catalogue(code, game=game)
    except (OSError, ValueError):
        return Catalog()


def path_of(code: str) -> Path:
    return HERE / code / "LC_MESSAGES" / "messages.po"


def update(code: str, template: Catalog) -> Catalog:
    """Bring the catalogue of a language up to date: add new messages untranslated, remove messages that are gone."""
    messages = catalogue(code)
    messages.update(template, no_fuzzy_matching=True)
    messages.project, messages.creation_date, messages.revision_date = template.project, _EPOCH, _EPOCH
    messages.header_comment = f"# The messages of Tavoliere in {OFFERED[code]}."
    messages.last_translator = messages.language_team = messages.msgid_bugs_address = ""
    path_of(code).parent.mkdir(parents=True, exist_ok=True)
    with path_of(code).open("wb") as file:
        write_po(file, messages, width=_WIDTH, ignore_obsolete=True, sort_by_file=True, include_lineno=False)
    return messages


def messages_of(catalogue: Catalog) -> list[Message]:
    """Return the messages of a catalogue without its header."""
    return [message for message in catalogue if message.id]


def is_translated(message: Message) -> bool:
    """Return whether a message has a translation, in every form it needs."""
    forms = [message.string] if isinstance(message.string, str) else list(message.string or ())
    return bool(forms) and all(forms) and not message.fuzzy
