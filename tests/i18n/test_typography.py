"""How each language is written: its quotation marks, the blanks round its signs, and no marks of another language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from bot.languages.catalogues import catalogue
from bot.translating.extraction import HERE, TRANSLATED, messages_of

LEFT_OUT = re.compile(r"`[^`]*`|\{\w*\}|<[@#/:t][^>]*>|https?://[^\s)]+|\(\?\?\)|\(\?!?\)")
"""Commands and notation, what is filled in, mentions, links, and the marks of moves: ``(??)``."""
DIAGRAM = re.compile(r"^```diagram$.*?^```$", re.MULTILINE | re.DOTALL)
CAPTION = re.compile(r"^caption: (.*)$", re.MULTILINE)

STRAIGHT = r"\"|\.\.\.|\s-\s|\d-\d"
"""Signs of typewriters; dots, dashes and ranges have signs of their own."""
WRONG = {
    "de": rf"{STRAIGHT}|[«»]|”",
    "es": rf"{STRAIGHT}|[“”„]|\s[;:!?]",
    "fr": rf"{STRAIGHT}|[“”„]|(?<![\u202f;:!?])[;!?](?!\w)|(?<!\u202f):(?=[\s*]|$)|(?<!\u202f)»|«(?!\u202f)",
    "it": rf"{STRAIGHT}|[“”„]|\s[;:!?]",
    "ja": rf"{STRAIGHT}|[«»“”„]|[ぁ-んァ-ヶ一-龠][,.:;!?()]|[,:;!()][ぁ-んァ-ヶ一-龠]|[０-９Ａ-Ｚａ-ｚ]",
    "pt-BR": rf"{STRAIGHT}|[«»„]|\s[;:!?]",
}
"""What a language does not write, by its tag. French has narrow blanks that do not break before ``; : ! ? »``."""

each_language = pytest.mark.parametrize("code", TRANSLATED)


def texts(code: str) -> Iterator[str]:
    """Yield every message and every part of a guide in a language, without what is the same in all of them."""
    for message in messages_of(catalogue(code)):
        if " ? " in message.id:
            continue  # the mark of a rating that is uncertain
        for form in [message.string] if isinstance(message.string, str) else message.string or ():
            yield LEFT_OUT.sub("x", form)
    for file in sorted((HERE / code / "guides").glob("*.md")):
        guide = file.read_text(encoding="utf-8")
        written = [line for line in DIAGRAM.sub("", guide).splitlines() if not line.startswith(":::")]
        for line in (*written, *CAPTION.findall(guide)):
            yield LEFT_OUT.sub("x", line)


@each_language
def test_no_mark_of_another_language_is_written(code: str) -> None:
    wrong = re.compile(WRONG.get(code, STRAIGHT))
    found = [
        f"{text[max(0, at.start() - 30) : at.end() + 30]!r}" for text in texts(code) for at in wrong.finditer(text)
    ]
    assert not found, "\n".join(found)


def test_questions_and_exclamations_are_opened_in_spanish() -> None:
    for text in texts("es"):
        assert text.count("?") == text.count("¿"), text
        assert text.count("!") == text.count("¡"), text
