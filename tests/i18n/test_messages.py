"""Messages, at once and later, in the current language."""

from __future__ import annotations

import asyncio
import gettext as catalogues
import json
import pickle
from typing import ClassVar

import pytest
from babel import Locale

from renderers import i18n
from renderers.i18n import (
    ENGLISH,
    SEMICOLON,
    Language,
    LazyJoin,
    LazyList,
    LazyNumber,
    LazyText,
    gettext_lazy,
    ngettext_lazy,
    speaking,
    translated,
)


class Italian(catalogues.NullTranslations):
    """A catalogue of a few messages."""

    MESSAGES: ClassVar = {
        "{name} moves": "{name} muove",
        "North": "Nord",
        "draw": "patta",
        "{seat} to move": "Muove {seat}",
    }

    def gettext(self, message: str) -> str:
        return self.MESSAGES.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return {"{n} piece": "{n} pezzo" if n == 1 else "{n} pezzi"}.get(msgid1, msgid1)

    def pgettext(self, context: str, message: str) -> str:
        return "pareggio" if (context, message) == ("outcome", "draw") else message


ITALIAN = Language("it", Italian(), Locale("it"))
JAPANESE = Language("ja", catalogues.NullTranslations(), Locale("ja"))
SPANISH = Language("es", catalogues.NullTranslations(), Locale("es"))
GERMAN = Language("de", catalogues.NullTranslations(), Locale("de"))


def test_a_lazy_message_is_its_english_text_until_it_is_translated() -> None:
    text = gettext_lazy("{seat} to move", seat=gettext_lazy("North"))
    assert text == "North to move"
    assert hash(text) == hash("North to move")
    with speaking(ITALIAN):
        assert text == "North to move"
        assert translated(text) == "Muove Nord"
    assert translated(text) == "North to move"


def test_what_is_said_at_once_translates_the_lazy_messages_it_holds() -> None:
    with speaking(ITALIAN):
        assert i18n.gettext("{name} moves", name=gettext_lazy("North")) == "Nord muove"


@pytest.mark.parametrize(("n", "english", "italian"), [(1, "1 piece", "1 pezzo"), (0, "0 pieces", "0 pezzi")])
def test_a_number_chooses_the_form(n: int, english: str, italian: str) -> None:
    text = ngettext_lazy("{n} piece", "{n} pieces", n)
    assert text == english
    with speaking(ITALIAN):
        assert translated(text) == italian == i18n.ngettext("{n} piece", "{n} pieces", n)


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        (gettext_lazy("third repetition"), "the same position for the third time"),
        (gettext_lazy("200 turns after the set-up"), "200 turns since the set-up"),
    ],
)
def test_a_stored_reason_keeps_its_words_and_is_shown_in_clearer_ones(stored: LazyText, shown: str) -> None:
    assert stored == stored.as_data()["message"]
    words = gettext_lazy("{outcome}: {reason}").filled(outcome="A draw", reason=stored)
    assert translated(words) == f"A draw: {shown}"


def test_a_word_means_something_else_in_another_context() -> None:
    with speaking(ITALIAN):
        assert translated(i18n.pgettext_lazy("outcome", "draw")) == "pareggio" == i18n.pgettext("outcome", "draw")
        assert translated(gettext_lazy("draw")) == "patta"


def test_values_can_be_filled_in_later_and_braces_in_them_do_nothing() -> None:
    text = gettext_lazy("{name} moves")
    assert text == "{name} moves"
    with speaking(ITALIAN):
        assert translated(text.filled(name="{name} {0}")) == "{name} {0} muove"


@pytest.mark.parametrize(
    "text", [gettext_lazy("{seat} to move", seat=gettext_lazy("North")), LazyList(["a", gettext_lazy("North"), "c"])]
)
def test_a_lazy_message_goes_to_another_process_whole(text: LazyText) -> None:
    copy = pickle.loads(pickle.dumps(text))
    assert copy == text
    with speaking(ITALIAN):
        assert translated(copy) == translated(text) != text


def test_a_lazy_message_can_be_written_down() -> None:
    text = gettext_lazy("{name} moves", name=ngettext_lazy("{n} piece", "{n} pieces", 2))
    read = LazyText.from_data(json.loads(json.dumps(text.as_data())))
    assert read == text
    with speaking(ITALIAN):
        assert translated(read) == translated(text) == "2 pezzi muove"


@pytest.mark.parametrize(
    "text",
    [
        LazyList(["a", gettext_lazy("North"), "c"]),
        LazyJoin("; ", [gettext_lazy("North"), LazyList(["a", gettext_lazy("North")])]),
        LazyJoin(SEMICOLON, [gettext_lazy("North"), LazyList(["a", gettext_lazy("North")])]),
        LazyNumber(12345.6, 1),
    ],
)
def test_what_a_message_holds_can_be_written_down_with_it(text: LazyText) -> None:
    message = gettext_lazy("{name} moves", name=text)
    read = LazyText.from_data(json.loads(json.dumps(message.as_data())))
    assert read == message
    with speaking(ITALIAN):
        assert translated(read) == translated(message) != message


def test_lists_and_numbers_are_written_as_the_language_does_it() -> None:
    words = ["a", gettext_lazy("North"), "c"]
    assert i18n.listed(words) == "a, North and c" == LazyList(words)
    assert (i18n.number(1234.5, 1), i18n.percent(0.667, 1)) == ("1,234.5", "66.7%")
    with speaking(ITALIAN):
        assert i18n.listed(words) == "a, Nord e c" == translated(LazyList(words))
        assert (i18n.number(12345.6, 1), i18n.percent(0.667, 1)) == ("12.345,6", "66,7%")
    with speaking(GERMAN):
        assert (i18n.percent(0.667, 1), i18n.percent(0.5)) == ("66,7\xa0%", "50\xa0%")
    with speaking(JAPANESE):
        assert i18n.listed(["a", "b"]) == "a、b"


def test_words_beside_each_other_have_the_comma_of_the_language() -> None:
    assert i18n.enumerated(["a", gettext_lazy("North"), "c"]) == "a, North, c"
    with speaking(ITALIAN):
        assert i18n.enumerated(["a", gettext_lazy("North"), "c"]) == "a, Nord, c"
    with speaking(JAPANESE):
        assert i18n.enumerated(["a", "b", "c"]) == "a、b、c"


@pytest.mark.parametrize(
    ("language", "thousand", "ten"),
    [(ENGLISH, "1,000", "10,000"), (GERMAN, "1.000", "10.000"), (SPANISH, "1000", "10.000")],
)
def test_counts_have_their_thousands_apart_and_ratings_do_not(language: Language, thousand: str, ten: str) -> None:
    with speaking(language):
        for count, written in ((1000, thousand), (10_000, ten)):
            later = ngettext_lazy("{n} match", "{n} matches", count)
            assert i18n.number(count) == written
            assert i18n.ngettext("{n} match", "{n} matches", count) == f"{written} matches" == translated(later)
            assert i18n.ungrouped(count) == str(count)


@pytest.mark.parametrize(
    ("text", "capitalised"),
    [
        ("places a piece", "Places a piece"),
        ("étend", "Étend"),
        ("a1に駒を置く", "a1に駒を置く"),
        ("2 à 2", "2 à 2"),
        ("", ""),
    ],
)
def test_a_capital_begins_a_sentence_but_never_a_square(text: str, capitalised: str) -> None:
    assert i18n.capitalised(text) == capitalised


async def test_every_task_speaks_its_own_language() -> None:
    heard = []

    async def say(language: Language) -> None:
        i18n.speak(language)
        await asyncio.sleep(0)
        heard.append(i18n.current_language().code)

    await asyncio.gather(say(ITALIAN), say(JAPANESE))
    assert sorted(heard) == ["it", "ja"]
    assert i18n.current_language() is ENGLISH
