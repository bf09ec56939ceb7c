"""Both directions on a line, as the Unicode Bidirectional Algorithm has it. Capitals in the names of tests run left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderers.scripts.bidi import END, ISOLATE, isolated, levels, runs

_HEBREW = str.maketrans({chr(ord("A") + at): chr(0x5D0 + at) for at in range(26)})
_ARABIC = str.maketrans("ABGD", "ابجد")


def seen(text: str) -> str:
    """Return the characters of a line from left to right, as they are, isolates left out."""
    parts = (text[run.start : run.end][:: -1 if run.leftwards else 1] for run in runs(text))
    return "".join(parts).replace(ISOLATE, "").replace(END, "")


@pytest.mark.parametrize(
    ("read", "shown"),
    [
        ("abc", "abc"),
        ("ABC", "CBA"),
        ("ABC DEF", "FED CBA"),
        ("abc DEF 3", "abc 3 FED"),
        ("abc DEF 3 GHI", "abc IHG 3 FED"),
        ("DEF 3!", "!3 FED"),
        ("DEF 1,234.5", "1,234.5 FED"),
        ("ABC abc DEF", "FED abc CBA"),
        ("abc (DEF) ghi", "abc (FED) ghi"),
        ("abc (DEF ghi) JKL", "abc (FED ghi) LKJ"),
        ("abc DEF (ghi JKL) MNO", "abc FED (ghi LKJ) ONM"),
        ("ABC (def) GHI", "IHG )def( CBA"),
        ("ABC-5", "5-CBA"),
        ("abc DEF GHI jkl", "abc IHG FED jkl"),
        (f"abc {ISOLATE}DEF!{END} 3", "abc !FED 3"),
        (f"{ISOLATE}DEF{END} · 3 abc", "FED · 3 abc"),
        (f"abc {ISOLATE}DEF…", "abc …FED"),
        (f"abc{END} DEF", "abc FED"),
        ("ABC  ", "  CBA"),
        ("abc DEF  ", "abc FED  "),
        ("", ""),
    ],
)
def test_hebrew_runs_left_and_what_is_around_it_stays(read: str, shown: str) -> None:
    assert seen(read.translate(_HEBREW)) == shown.translate(_HEBREW)


def test_numbers_after_arabic_letters_stand_to_their_left() -> None:
    assert seen("ab ABG 3".translate(_ARABIC)) == "ab 3 GBA".translate(_ARABIC)
    assert seen("ab A1-2".translate(_ARABIC)) == "ab 2-1A".translate(_ARABIC)


def test_a_mark_stays_with_its_letter() -> None:
    assert levels("a\u0301א\u05b0ب\u064b") == [0, 0, 1, 1, 1, 1]


def test_only_what_runs_left_is_isolated() -> None:
    assert isolated("Zoë") == "Zoë"
    assert isolated("דוד") == f"{ISOLATE}דוד{END}"


@given(st.text(alphabet=f"aאب1٠,+%! ([)]\u0301\u200d{ISOLATE}{END}", max_size=60))
def test_every_character_is_in_one_run(text: str) -> None:
    places = sorted(at for run in runs(text) for at in range(run.start, run.end))
    assert places == list(range(len(text)))
