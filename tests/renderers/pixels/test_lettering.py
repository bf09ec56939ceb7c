"""Letters: any text becomes one line that can be drawn, and fits where it is put."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from renderers.pixels import lettering
from renderers.pixels.lettering import ELLIPSIS, Weight, drawable, font, text_image, text_width, truncated, wrapped
from renderers.pixels.theme import THEMES
from renderers.scripts.clusters import breakable_parts
from renderers.scripts.line import is_plain, width

texts = st.text(max_size=80)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Alice", "Alice"),
        ("𝓐𝓵𝓲𝓬𝓮 🎲", "Alice 🎲"),
        ("Ａｌｉｃｅ", "Alice"),
        ("  a \n b\tc ", "a b c"),
        ("Zoë Ångström Łódź ﬁn", "Zoë Ångström Łódź fin"),
        ("Дмитрий Χρήστος", "Дмитрий Χρήστος"),
        ("日本 Alice", "日本 Alice"),
        ("ﾔﾏﾀﾞ ＡＢ！", "ヤマダ AB！"),
        ("אבג", "אבג"),
        ("น้ำ", "น้ำ"),
        ("ㅋㅋ", "ㅋㅋ"),
        ("👩‍🚀 Alice", "👩‍🚀 Alice"),
        ("‼️™️ ™", "‼️™️ TM"),
        ("\U000e1234\ue000\ud800", "□□□"),
        ("\u13a0 Alice ꧁", "□ Alice"),
        ("꧁", "□"),
        ("\u2068דוד\u2069 \u2068Bob\u2069 \u2067", "\u2068דוד\u2069 Bob"),
        ("\u3164\u2800", ""),
        ("\u200b\u202e", ""),
        ("Z̸̛̘̈a̷̷̷̷l̵g̶o̴̴̴̴̴", "Zal̵g̶o"),
        ("x\u0302\u0302\u0302\u0302", "x"),
        ("A\u202eB\u200dC\x00D", "ABCD"),
        ("3 × 4 → 12 − 1", "3 × 4 → 12 − 1"),
    ],
)
def test_a_text_keeps_what_the_fonts_can_draw(text: str, kept: str) -> None:
    assert drawable(text) == kept


@given(texts)
def test_drawable_text_is_one_line_and_stays_as_it_is(text: str) -> None:
    once = drawable(text)
    assert once == " ".join(once.split())
    assert drawable(once) == once


def test_every_letter_of_the_main_font_has_a_glyph_of_its_own() -> None:
    face = font(24, Weight.BOLD)
    missing = face.getmask("\U0010fffd")
    kept = [character for character in map(chr, range(33, 0x180)) if is_plain(drawable(character))]
    assert len(kept) > 300
    for character in "".join(map(drawable, kept)).replace(" ", ""):
        assert bytes(face.getmask(character)) != bytes(missing), character


def test_a_text_is_cut_between_clusters() -> None:
    text = drawable("👨‍👩‍👧‍👦" * 9)
    whole = {"👨‍👩‍👧‍👦" * count + ELLIPSIS for count in range(9)}
    for room in range(60, text_width(text, 30, Weight.BOLD), 7):
        assert truncated(text, 30, Weight.BOLD, room) in whole


def test_a_long_text_is_cut_without_measuring_every_length(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[str] = []

    def counted(text: str, size: int, weight: Weight) -> int:
        measured.append(text)
        return width(text, size, weight)

    monkeypatch.setattr(lettering, "width", counted)
    truncated(drawable("鬱" * 300), 29, Weight.BOLD, 211)
    assert len(measured) < 20


def test_japanese_lines_are_broken_between_signs() -> None:
    (text,) = [drawable("全ての長方形は面積が異なっていなければなりません。「同じ面積」は、使えません。")]
    lines = wrapped([text], 26, Weight.MEDIUM, 300)
    assert "".join(lines) == text
    assert len(lines) > 2
    assert not any(line[0] in "、。」っ" or line[-1] == "「" for line in lines)


@given(texts, st.integers(0, 400))
def test_a_cut_text_fits(text: str, room: int) -> None:
    shown = truncated(drawable(text), 30, Weight.BOLD, room)
    assert not shown or text_width(shown, 30, Weight.BOLD) <= room
    assert shown == drawable(text) or not shown or shown.endswith(ELLIPSIS)


@given(st.lists(texts, max_size=4), st.integers(40, 600))
@example(["0 0一"], 42)
def test_wrapped_lines_fit_and_keep_their_words_in_order(lines: list[str], room: int) -> None:
    kept = [drawable(line) for line in lines]
    broken = wrapped(kept, 26, Weight.MEDIUM, room)
    assert all(text_width(line, 26, Weight.MEDIUM) <= room for line in broken)
    if not any(ELLIPSIS in line for line in broken) and all(
        text_width(word, 26, Weight.MEDIUM) <= room for line in kept for word in line.split()
    ):
        assert parts(broken) == parts(kept)


def parts(lines: list[str]) -> list[str]:
    """Return what stands between two places at which a line may be broken, in order."""
    return [piece for line in lines for word in line.split() for piece in breakable_parts(word)]


def test_written_text_is_as_wide_as_it_says_and_as_high_as_its_line() -> None:
    theme = THEMES["dark"]
    for text in ("Alice", "jg", "1"):
        picture = text_image(theme, text, 30, Weight.BOLD, theme.text, theme.background)
        assert picture.width == text_width(text, 30, Weight.BOLD) + 1
        assert picture.height == sum(font(30, Weight.BOLD).getmetrics())
