"""Lines in all scripts: glyphs take the forms and the order that their scripts ask for, and stay on the line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFont

from renderers.scripts import line
from renderers.scripts.bidi import isolated
from renderers.scripts.drawable import MISSING, drawable
from renderers.scripts.line import Part, coverage, parts, shaped, width
from renderers.scripts.typefaces import EMOJI, STACK, Weight, font, outlines
from tests.renderers.scripts.names import HOSTILE, NAMES

_ROOM = 0.26
"""How far below the baseline letters may reach, in sizes: the line has that room at every size in use."""


def glyphs(text: str) -> list[int]:
    """Return the glyphs of a text in one font, from left to right."""
    (part,) = parts(text)
    return [glyph.number for glyph in shaped(part, Weight.BOLD)[0]]


def seen(text: str) -> str:
    """Return the parts of a line from left to right, each as it is read."""
    return "|".join(part.text for part in parts(drawable(text)))


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_in_any_script_is_drawn_as_it_is(name: str) -> None:
    assert drawable(name) == name
    assert MISSING not in name
    for part in parts(name):
        if part.typeface is not None:
            assert 0 not in [glyph.number for glyph in shaped(part, Weight.MEDIUM)[0]], part


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_no_letter_reaches_beyond_its_line(name: str) -> None:
    ascent = font(100, Weight.BOLD).getmetrics()[0] / 100
    for part in parts(name):
        if part.typeface is None:
            continue
        face = outlines(part.typeface, Weight.BOLD)
        em = part.typeface.scale / face.face.upem
        for glyph in shaped(part, Weight.BOLD)[0]:
            extents = face.get_glyph_extents(glyph.number)
            if extents is not None and extents.height:
                assert glyph.y + extents.y_bearing * em <= ascent + 0.02, (part.text, glyph)
                assert glyph.y + (extents.y_bearing + extents.height) * em >= -_ROOM, (part.text, glyph)


def test_arabic_letters_join() -> None:
    apart = {glyphs(letter)[0] for letter in "علي"}
    assert not apart & set(glyphs("علي"))
    assert glyphs("لا") != [*glyphs("ا"), *glyphs("ل")]


def test_a_non_joiner_keeps_persian_letters_apart() -> None:
    assert glyphs("می\u200cخ") != glyphs("میخ")


def test_hebrew_is_read_from_the_right() -> None:
    assert glyphs("אב") == [*glyphs("ב"), *glyphs("א")]


def test_consonants_of_devanagari_become_one_glyph() -> None:
    assert len(glyphs("क\u094dष")) == 1
    assert len(glyphs("क\u094d\u200cष")) > 1


def test_a_vowel_of_devanagari_stands_before_the_consonant_it_follows() -> None:
    first, second = glyphs("कि")
    assert second == glyphs("क")[0] != first


def test_a_tone_mark_of_thai_stands_higher_above_a_vowel() -> None:
    def top(text: str) -> float:
        (part,) = parts(text)
        face = outlines(part.typeface, Weight.MEDIUM) if part.typeface else None
        assert face is not None
        marks = shaped(part, Weight.MEDIUM)[0]
        return max(glyph.y + float(face.get_glyph_extents(glyph.number).y_bearing / face.face.upem) for glyph in marks)

    assert top("ที่") > top("ท่")


@pytest.mark.parametrize("emoji", ["👩‍🚀", "🇮🇹", "👍🏽", "👨‍👩‍👧‍👦", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️‍🔥"])
def test_emoji_of_several_parts_are_one_glyph(emoji: str) -> None:
    (part,) = parts(emoji)
    face = outlines(EMOJI, Weight.MEDIUM)
    sizes = [face.get_glyph_extents(glyph.number) for glyph in shaped(part, Weight.MEDIUM)[0]]
    assert len([size for size in sizes if size is not None and size.height]) == 1


def test_parts_stand_in_the_order_in_which_they_are_seen() -> None:
    assert seen("Ali علي 3") == "Ali |3| |علي"
    assert seen("דוד Bob!") == "!|Bob| |דוד"
    assert seen(f"Blue · {isolated('דוד!')} 3") == "Blue · |!|דוד| 3"


def test_brackets_of_the_main_font_are_turned_round_among_letters_that_run_left() -> None:
    line_parts = parts("(א)")
    assert [line._written(part) for part in line_parts if part.typeface is None] == ["(", ")"]
    assert [part.text for part in line_parts] == [")", "א", "("]


def test_no_layout_but_the_basic_one_is_asked_of_pillow() -> None:
    assert font(31, Weight.BOLD).layout_engine is ImageFont.Layout.BASIC


def test_bold_is_bolder() -> None:
    ink = {w: sum(coverage("日本語", 40, w).histogram()[128:]) for w in Weight}
    assert ink[Weight.BOLD] > ink[Weight.MEDIUM]


def test_a_line_is_as_wide_as_its_parts_and_as_high_as_any() -> None:
    for name in NAMES.values():
        picture = coverage(name, 31, Weight.BOLD)
        assert picture.size == (width(name, 31, Weight.BOLD) + 1, sum(font(31, Weight.BOLD).getmetrics()))
        assert picture.getbbox() is not None


def test_the_machine_s_language_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    part = Part("б", STACK[0], leftwards=False)
    before = shaped.__wrapped__(part, Weight.BOLD)
    for variable in ("LC_ALL", "LANG"):
        monkeypatch.setenv(variable, "sr_RS.UTF-8")
    assert shaped.__wrapped__(part, Weight.BOLD) == before


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_is_a_line_of_bounded_length(name: str) -> None:
    shown = drawable(name)
    assert len(shown) <= 2 * 300
    assert drawable(shown) == shown
    picture = coverage(shown, 31, Weight.BOLD)
    assert picture.height == sum(font(31, Weight.BOLD).getmetrics())
    assert isinstance(picture, Image.Image)


@given(st.text(alphabet=st.characters(categories=["L", "M", "N", "S", "P", "Cf", "Cn", "Co", "Cs"]), max_size=40))
def test_any_text_is_drawn(text: str) -> None:
    shown = drawable(text)
    assert drawable(shown) == shown
    coverage(shown, 20, Weight.MEDIUM)
