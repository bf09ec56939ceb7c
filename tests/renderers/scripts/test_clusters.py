"""Clusters are never parted, and Japanese lines are broken only at permitted places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderers.scripts.clusters import breakable_parts, clusters


@pytest.mark.parametrize(
    "parts",
    [
        ["a", "b"],
        ["e\u0301", "x\u0302\u0323"],
        ["👩‍🚀", "👍🏽", "❤️", "1️⃣"],
        ["🇮🇹", "🇫🇷", "🇯"],
        ["👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "a"],
        ["क्ष", "त्रि", "य"],
        ["นี่", "น้", "ำ"],
        ["מַ", "ה"],
        ["م", "ی\u200c", "خ"],
        ["ன்", "శ్రీ", "日"],
    ],
)
def test_letters_with_marks_and_emoji_of_several_parts_are_one(parts: list[str]) -> None:
    assert clusters("".join(parts)) == parts


@given(st.text())
def test_no_character_is_lost(text: str) -> None:
    assert "".join(clusters(text)) == text
    assert "".join(breakable_parts(text)) == text


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("unbroken", ["unbroken"]),
        ("한국어", ["한국어"]),
        ("先手の番です。", ["先", "手", "の", "番", "で", "す。"]),
        ("「ポーン」を", ["「ポー", "ン」", "を"]),
        ("c3へ", ["c3", "へ"]),
        ("ちょっと", ["ちょっ", "と"]),
    ],
)
def test_a_line_is_broken_neither_before_what_closes_nor_after_what_opens(word: str, parts: list[str]) -> None:
    assert breakable_parts(word) == parts
