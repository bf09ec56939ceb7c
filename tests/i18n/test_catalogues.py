"""The catalogues: true to their English in all that is not words. ``python -m bot.translating missing`` tells whether
they are complete.
"""

from __future__ import annotations

import ast
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from bot.games import GAMES
from bot.languages import catalogues
from bot.languages import speaking as languages
from bot.languages.catalogues import OFFERED, catalogue
from bot.languages.speaking import COMMAND, OPTION
from bot.translating.extraction import HERE, PACKAGES, ROOT, TRANSLATED, is_translated, messages_of
from renderers.i18n import ENGLISH, SEMICOLON, LazyJoin, gettext, ngettext, pgettext, speaking, translated
from tests.support.languages import messages_of_the_source, read_anew

PLACEHOLDER = re.compile(r"\{\w*\}")
KEPT = re.compile(r"`[^`]*`|<[@#/:t][^>]*>|https?://\S+|\]\(")
"""Commands and notation, mentions and links."""
MARKS = ("**", "### ", "## ", "-# ", "\n")


def _forms(message: Message) -> Iterator[tuple[str, str]]:
    """Yield each form of a translation with the English it stands for."""
    if isinstance(message.id, str):
        assert isinstance(message.string, str)
        yield message.id, message.string
        return
    one, many = message.id
    forms = list(message.string or ())
    for at, form in enumerate(forms):
        yield (one if at == 0 and len(forms) > 1 else many), form


def _marked(file: Path) -> Iterator[tuple[str, str | None, str]]:
    """Yield where a file of the program marks a message, and its context and text."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "renderers.i18n"]
    names = {alias.asname or alias.name: alias.name.removesuffix("_lazy") for node in imported for alias in node.names}
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
            continue
        said = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        where = f"{file.relative_to(ROOT)}:{call.lineno}"
        match names.get(call.func.id), said:
            case "gettext" | "ngettext", [message, *_]:
                yield where, None, message
            case "pgettext", [context, message]:
                yield where, context, message


def test_every_message_that_is_marked_is_extracted() -> None:
    """What is marked inside the arguments of another marked message is not: it would be English in every language."""
    template = messages_of_the_source()
    known = {(one.context, one.id if isinstance(one.id, str) else one.id[0]) for one in template}
    marked = [one for package in PACKAGES for file in (ROOT / package).rglob("*.py") for one in _marked(file)]
    assert len(marked) > len(known)
    assert [one for one in marked if one[1:] not in known] == []


@pytest.mark.parametrize("code", TRANSLATED)
def test_what_is_no_word_is_the_same_in_a_translation(code: str) -> None:
    for message in messages_of(catalogue(code)):
        if not is_translated(message):
            continue
        several = not isinstance(message.id, str)
        for english, said in _forms(message):
            filled, wanted = set(PLACEHOLDER.findall(said)), set(PLACEHOLDER.findall(english))
            number = {"{n}"} if several else set()
            assert filled - number == wanted - number, said
            assert Counter(KEPT.findall(said)) == Counter(KEPT.findall(english)), said
            for mark in MARKS:
                assert said.count(mark) == english.count(mark), said
            assert (said[:1].isspace(), said[-1:].isspace()) == (english[:1].isspace(), english[-1:].isspace()), said


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_words_of_the_glossary_are_used(code: str) -> None:
    terms = tomllib.loads((HERE / code / "glossary.toml").read_text(encoding="utf-8"))["terms"]
    assert len(terms) > 60
    missed = []
    for message in messages_of(catalogue(code)):
        if message.context in (COMMAND, OPTION) or not is_translated(message):
            continue
        for english, said in _forms(message):
            plain, words = _plain(english), _plain(said).casefold()
            missed += [
                f"{term}: {said}"
                for term, forms in terms.items()
                if _holds(plain, term) and not any(form.casefold() in words for form in forms)
            ]
    assert not missed, "\n".join(missed)


def _plain(text: str) -> str:
    return PLACEHOLDER.sub(" ", re.sub(r"`[^`]*`", " ", text))


def _holds(text: str, term: str) -> bool:
    # Most messages have none of the words, which is seen sooner than where a word begins and ends.
    if term.casefold() not in text.casefold():
        return False
    return re.search(rf"(?<![\w-]){re.escape(term)}(?![\w-])", text, re.IGNORECASE) is not None


def test_every_folder_is_a_language_that_is_offered() -> None:
    folders = {path.parents[1].name for path in HERE.glob("*/LC_MESSAGES/messages.po")}
    assert folders == set(TRANSLATED)
    assert next(iter(OFFERED)) == ENGLISH.code


@pytest.mark.parametrize(
    ("locale", "code"),
    [("it", "it"), ("es-ES", "es"), ("es-419", "es"), ("pt-BR", "pt-BR"), ("en-GB", "en"), ("pl", "en"), ("ja", "ja")],
)
def test_discords_locales_lead_to_the_languages(locale: str, code: str) -> None:
    assert languages.language_for(locale) == code


def test_a_language_that_lacks_a_message_says_it_in_english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    italian = catalogue("it")
    for message in messages_of(italian):
        if message.id != "Accept":
            message.string = "" if isinstance(message.id, str) else ("", "")
    monkeypatch.setattr(catalogues, "catalogue", lambda _code, game: italian if game is None else Catalog())
    read_anew()
    try:
        with speaking(languages.language("it")):
            assert gettext("Decline") == "Decline"
            assert ngettext("{n} piece", "{n} pieces", 2) == "2 pieces"
            assert gettext("Accept") != "Accept"
    finally:
        read_anew()


@pytest.fixture
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder that stands for Italian's, with its catalogue in it."""
    file = tmp_path / "LC_MESSAGES" / "messages.po"
    file.parent.mkdir()
    shutil.copy(HERE / "it" / "LC_MESSAGES" / "messages.po", file)
    monkeypatch.setattr(catalogues, "folder", lambda _code: tmp_path)
    read_anew()
    yield tmp_path
    read_anew()


def rewritten(folder: Path, before: str, after: str) -> None:
    file = folder / "LC_MESSAGES" / "messages.po"
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_bytes(text.replace(before, after).encode("utf-8", "surrogateescape"))


def test_a_translation_with_wrong_braces_is_said_in_english(own_folder: Path) -> None:
    rewritten(own_folder, 'msgstr "{person} può giocare di nuovo in questo server."', 'msgstr "{person può giocare."')
    with speaking(languages.language("it")):
        assert gettext("{person} can play in this server again.", person="Bob") == "Bob can play in this server again."
        assert gettext("Accept") != "Accept"


@pytest.mark.parametrize("after", ["\udcff", "plural=(n %%% 1)"])
def test_where_a_catalogue_cannot_be_read_english_is_spoken(own_folder: Path, after: str) -> None:
    rewritten(own_folder, "plural=(n != 1)" if "plural" in after else "Mossa", after)
    with speaking(languages.language("it")):
        assert gettext("Accept") == "Accept"
        assert ngettext("{n} piece", "{n} pieces", 2) == "2 pieces"


def test_what_is_wrong_with_a_catalogue_is_told_when_asked(own_folder: Path) -> None:
    rewritten(own_folder, 'msgid "Accept"', '<<<<<<< HEAD\nmsgid "Accept"')
    with pytest.raises(ValueError, match=r"line \d+ cannot be read: <<<<<<< HEAD"):
        catalogue("it", strict=True)


@pytest.mark.parametrize(("code", "written"), [("en", "a, b; c"), ("fr", "a, b\u202f; c"), ("ja", "a, b；c")])
def test_lists_stand_beside_each_other_as_a_language_writes_it(code: str, written: str) -> None:
    with speaking(languages.language(code)):
        assert translated(LazyJoin(SEMICOLON, ["a, b", "c"])) == written


def test_commands_in_sentences_are_called_as_discord_shows_them() -> None:
    with speaking(languages.language("it")):
        challenge = pgettext(COMMAND, "challenge")
        assert f"`/{challenge}`" in gettext("`/challenge` somebody to be the first.")
        matches, finished = pgettext(COMMAND, "matches"), pgettext(OPTION, "finished")
        help_text = next(
            text for text in map(str, (one.id for one in messages_of_the_source())) if "finished:True" in text
        )
        assert f"`/{matches} {finished}:True`" in gettext(help_text)
        which = gettext("Choose which match with `match`; its number is on its board.")
        assert f"`{pgettext(OPTION, 'match')}`" in which


@pytest.mark.parametrize("code", OFFERED)
def test_the_summary_of_a_game_fits_a_menu_in_every_language(code: str) -> None:
    with speaking(languages.language(code)):
        said = {game.key: translated(game.summary) for game in GAMES.values()}
    assert {key: text for key, text in said.items() if len(text) > 100} == {}
