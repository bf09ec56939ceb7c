"""A package brings the translations of its game: its messages and its guide, with English for what it leaves out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import write_po

from bot.games import GAMES, OWN, Games
from bot.games.game import Game
from bot.languages.speaking import language
from bot.messages.guides import guide_pages
from bot.operation import checks, game_check
from bot.translating.extraction import languages_without
from renderers.i18n import speaking, translated
from tests.support.languages import read_anew
from tests.support.toy_package import FOLDER, KEY

MODULE = "offered_in_german"
SOURCE = (FOLDER / "tavoliere_tic_tac_toe" / "__init__.py").read_text(encoding="utf-8")
MESSAGES = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8"

msgid "Crosses"
msgstr "Kreuze"

msgid "{square} is taken"
msgstr "{square} ist besetzt"

msgid "You play on."
msgstr "Los, spiel"
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a game in a package with German translations; it is found once ``offered`` is called."""
    folder = tmp_path / MODULE
    copytree(FOLDER / "tavoliere_tic_tac_toe", folder)
    (folder / "__init__.py").write_text(SOURCE.replace(f'"{KEY}"', '"noughts"'), encoding="utf-8")
    german = folder / "locale" / "de"
    german.mkdir(parents=True)
    (german / "messages.po").write_text(MESSAGES, encoding="utf-8")
    own = (folder / "guide.md").read_text(encoding="utf-8")
    (german / "guide.md").write_text(own.replace("## ", "## Deutsch: "), encoding="utf-8")
    info = tmp_path / f"{MODULE}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {MODULE}\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[tavoliere.games]\nx = {MODULE}:TIC_TAC_TOE\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    sys.modules.pop(MODULE, None)
    read_anew()


def offered(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Let this process find the package, and return its game."""
    found = dict(Games(OWN).items())
    monkeypatch.setitem(GAMES._by_key, "noughts", found["noughts"])
    read_anew()
    return found["noughts"]


def titles(game: Game, code: str) -> list[str]:
    with speaking(language(code)):
        return [page.title for page in guide_pages(game, game.variants[0])]


def test_its_messages_and_its_guide_are_shown_in_its_languages_and_in_english_elsewhere(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the bot says itself stays as its translators wrote it."""
    game = offered(monkeypatch)
    with speaking(language("de")):
        assert translated(game.seat_names[0]) == "Kreuze"
        assert translated(game.seat_names[1]) == "Noughts"
        assert language("de").messages.gettext("You play on.") != "Los, spiel", (
            "a package says the bot's own words anew"
        )
    with speaking(language("it")):
        assert translated(game.seat_names[0]) == "Crosses"
    assert all(title.startswith("Deutsch: ") for title in titles(game, "de"))
    assert titles(game, "it") == titles(game, "en")


def test_what_cannot_be_read_is_english_and_both_checks_say_so(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (package / "locale" / "de" / "guide.md").write_text("## Only one page\n\nText\n", encoding="utf-8")
    (package / "locale" / "it").mkdir()
    (package / "locale" / "it" / "messages.po").write_bytes(b'msgid "Crosses"\nmsgstr "\xff"\n')
    game = offered(monkeypatch)
    assert titles(game, "de") == titles(game, "en")
    with speaking(language("it")):
        assert translated(game.seat_names[0]) == "Crosses"
    unreadable = "'utf-8' codec can't decode"
    assert any(one.startswith(f"it, of the game noughts: {unreadable}") for one in checks._untranslatable())
    said: list[str] = []
    assert not game_check.check_game("noughts", said.append)
    assert any(one.startswith("In de: ") and "1 pages for standard, not" in one for one in said)
    assert any(one.startswith(f"In it: {unreadable}") for one in said)


def test_a_language_that_has_everything_is_no_longer_named_as_missing(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = offered(monkeypatch)
    assert languages_without(game)[:2] == ["de", "es"], "only two of its messages are there"
    every = Catalog(locale="de")
    for _, ids, _, context in extract_from_file("python", package / "__init__.py"):
        every.add(ids, string=f"Deutsch {ids}", context=context)
    with (package / "locale" / "de" / "messages.po").open("wb") as file:
        write_po(file, every)
    assert languages_without(game)[:1] == ["es"]
    (package / "locale" / "de" / "guide.md").unlink()
    assert languages_without(game)[:2] == ["de", "es"]
