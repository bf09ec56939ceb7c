"""``python -m bot.translating missing`` lists what translations lack; no test fails for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from typer.testing import CliRunner

from bot.games import GAMES
from bot.languages import catalogues
from bot.languages.catalogues import catalogue
from bot.translating import __main__ as command
from bot.translating import completeness
from bot.translating.completeness import LOOKED_AT, look_at, missing
from bot.translating.extraction import HERE, messages_of
from tests.support.languages import read_anew

ENGLISH = (HERE.parent / "games" / "redo" / "guide.md").read_text(encoding="utf-8")
TRANSLATED = re.sub(r"^(## .*|caption: .*)$", r"\1 (it)", ENGLISH, flags=re.MULTILINE)
TRANSLATED = re.sub(r"^(## .*)$", r"\1\n\nIn italiano.\n", TRANSLATED, flags=re.MULTILINE)


@pytest.fixture
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder that stands for Italian's, with a guide of one game, Redo."""
    folder = tmp_path / "it"
    (folder / "LC_MESSAGES").mkdir(parents=True)
    (folder / "guides").mkdir()
    (folder / "guides" / "redo.md").write_text(TRANSLATED, encoding="utf-8")
    monkeypatch.setattr(catalogues, "folder", lambda _code: folder)
    monkeypatch.setattr(completeness, "OWN", (GAMES["redo"],))
    read_anew()
    look_at("it", GAMES["redo"])
    yield folder
    read_anew()


def template(folder: Path) -> Catalog:
    """Have a catalogue hold three messages that are translated, and return them as the messages of the source."""
    found = Catalog(locale="it")
    translations = Catalog(locale="it")
    for ids, said in (("Accept", "Accetta"), ("Decline", "Rifiuta"), (("{n} piece", "{n} pieces"), ("a", "b"))):
        found.add(ids, locations=[("bot/x.py", 1)])
        translations.add(ids, said)
    write(folder, translations)
    return found


def write(folder: Path, translations: Catalog) -> None:
    with (folder / "LC_MESSAGES" / "messages.po").open("wb") as file:
        write_po(file, translations)


def test_a_message_without_a_translation_is_listed_with_its_place(own_folder: Path) -> None:
    source = template(own_folder)
    assert missing("it", source) == []
    source.add("A new sentence.", locations=[("bot/views/x.py", 1)])
    assert missing("it", source) == ["bot/views/x.py: 'A new sentence.'"]


def test_a_message_that_lacks_one_of_its_forms_is_listed(own_folder: Path) -> None:
    source = template(own_folder)
    translations = catalogue("it")
    for message in messages_of(translations):
        message.string = "" if message.id == "Decline" else ("uno", "") if isinstance(message.id, tuple) else "x"
    write(own_folder, translations)
    assert missing("it", source) == ["bot/x.py: 'Decline'", "bot/x.py: '{n} pieces'"]


def test_messages_that_the_source_no_longer_has_are_counted(own_folder: Path) -> None:
    source = template(own_folder)
    source.delete("Accept")
    assert missing("it", source) == ["messages.po: 1 messages that the source no longer has (`update` removes them)"]


def without(text: str, begins: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith(begins)) + "\n"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text + "\n## Altro\n\nUna pagina.\n", "pages for standard, not"),
        (lambda text: text.replace("moves: ", "moves: c3 ", 1), "guides/redo.md"),
        (lambda text: without(text, "caption:"), "a caption on the page"),
        (lambda text: text + "\n`z9`\n", "differs in `z9`"),
        (lambda _text: ENGLISH, "is in English"),
    ],
)
def test_a_guide_that_is_behind_the_english_one_is_listed(
    own_folder: Path, change: Callable[[str], str], said: str
) -> None:
    source, file = template(own_folder), own_folder / "guides" / "redo.md"
    text = file.read_text(encoding="utf-8")
    file.write_text(change(text), encoding="utf-8")
    found = missing("it", source)
    assert found
    assert all(line.startswith("guides/redo.md") for line in found)
    assert said in found[0]
    file.unlink()
    assert missing("it", source) == ["guides/redo.md: not there"]


def test_a_page_of_a_guide_is_listed_from_its_change_in_english_until_its_translation_was_looked_at(
    own_folder: Path,
) -> None:
    source, noted = template(own_folder), own_folder / "guides" / LOOKED_AT
    digest = re.findall(r'"What it is" = "(\w+)"', noted.read_text(encoding="utf-8"))[0]
    noted.write_text(noted.read_text(encoding="utf-8").replace(digest, "0" * 12), encoding="utf-8")
    (line,) = missing("it", source)
    assert line.startswith("guides/redo.md: the English page 'What it is' has changed")
    look_at("it", GAMES["redo"])
    assert missing("it", source) == []


@pytest.mark.parametrize(("lacks", "code"), [([], 0), (["bot/x.py: 'A new sentence.'"], 1)])
def test_the_command_fails_where_anything_is_missing(
    monkeypatch: pytest.MonkeyPatch, lacks: list[str], code: int
) -> None:
    monkeypatch.setattr(command, "extracted", Catalog)
    monkeypatch.setattr(command, "missing", lambda language, _template: lacks if language == "it" else [])
    run = CliRunner().invoke(command.app, ["missing"])
    assert run.exit_code == code
    assert "de: nothing missing" in run.output
    assert all(f"  {line}" in run.output for line in lacks)
    monkeypatch.setattr(command, "UNFINISHED", frozenset({"it"}))
    assert CliRunner().invoke(command.app, ["missing"]).exit_code == 0
