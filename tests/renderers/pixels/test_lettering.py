"""Letters: any text becomes one line that can be drawn, and fits where it is put."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderers.pixels.lettering import ELLIPSIS, Weight, drawable, font, text_image, text_width, truncated, wrapped
from renderers.pixels.theme import THEMES

texts = st.text(max_size=80)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Alice", "Alice"),
        ("𝓐𝓵𝓲𝓬𝓮 🎲", "Alice"),
        ("Ａｌｉｃｅ", "Alice"),
        ("  a \n b\tc ", "a b c"),
        ("Zoë Ångström Łódź ﬁn", "Zoë Ångström Łódź fin"),
        ("Дмитрий Χρήστος", "Дмитрий Χρήστος"),
        ("日本 Alice", "□□ Alice"),
        ("אבג", "□□□"),
        ("ไทยที่", "□□□□"),
        ("😀👍🏽", "□□"),
        ("👩‍🚀 Alice", "Alice"),
        ("\u200b\u202e", ""),
        ("Z̸̛̘a̷l̵g̶o̴", "Zalgo"),
        ("x\u0302\u0302\u0302", "x"),
        ("A\u202eB\u200dC\x00D", "ABCD"),
        ("3 × 4 → 12 − 1", "3 × 4 → 12 − 1"),
    ],
)
def test_a_text_keeps_what_the_font_can_draw(text: str, kept: str) -> None:
    assert drawable(text) == kept


@given(texts)
def test_drawable_text_is_one_line_and_stays_as_it_is(text: str) -> None:
    once = drawable(text)
    assert once == " ".join(once.split())
    assert drawable(once) == once


def test_every_letter_that_is_kept_has_a_glyph_of_its_own() -> None:
    face = font(24, Weight.BOLD)
    missing = face.getmask("\U0010fffd")
    for character in drawable("".join(map(chr, range(32, 0x180)))).replace(" ", ""):
        assert bytes(face.getmask(character)) != bytes(missing), character


@given(texts, st.integers(0, 400))
def test_a_cut_text_fits(text: str, room: int) -> None:
    shown = truncated(drawable(text), 30, Weight.BOLD, room)
    assert not shown or text_width(shown, 30, Weight.BOLD) <= room
    assert shown == drawable(text) or not shown or shown.endswith(ELLIPSIS)


@given(st.lists(texts, max_size=4), st.integers(40, 600))
def test_wrapped_lines_fit_and_keep_their_words_in_order(lines: list[str], room: int) -> None:
    kept = [drawable(line) for line in lines]
    broken = wrapped(kept, 26, Weight.MEDIUM, room)
    assert all(text_width(line, 26, Weight.MEDIUM) <= room for line in broken)
    if not any(ELLIPSIS in line for line in broken) and all(
        text_width(word, 26, Weight.MEDIUM) <= room for line in kept for word in line.split()
    ):
        assert " ".join(broken).split() == " ".join(kept).split()


def test_written_text_is_as_wide_as_it_says_and_as_high_as_its_line() -> None:
    theme = THEMES["dark"]
    for text in ("Alice", "jg", "1"):
        picture = text_image(theme, text, 30, Weight.BOLD, theme.text, theme.background)
        assert picture.width == text_width(text, 30, Weight.BOLD) + 1
        assert picture.height == sum(font(30, Weight.BOLD).getmetrics())
