"""Names as long as Discord allows, on the boards of all games: read to the end, and over nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image

from bot.languages.speaking import language
from renderers.i18n import speaking
from renderers.pixels.layout import Layout
from renderers.pixels.theme import THEMES
from renderers.scene import Scene
from tests.renderers.contact_sheet import GAMES, both
from tests.renderers.drawing import Box, changed, drawn

NAMES = (
    "Maximiliane von Hohenschwangau-B",
    "Donaudampfschifffahrtskapitaenin",
    "THE GRANDMASTER OF ALL THE TABLE",
    "春眠不觉晓处处闻啼鸟夜来风雨声花落知多少床前",
    "عبد الرحمن بن محمد الحضرمي كبير",
    "אברהם בן דוד הלוי מירושלים הבירה",
)
TOO_WIDE = ("W" * 32, "😀" * 32)
DARK = THEMES["dark"]
FRAME = 4
"""The width of the frame of a tray, in pixels."""
SEATED = {**dict.fromkeys(GAMES, 2), "rectangles of three": 3}


def empty(key: str, *, over: bool = False) -> Scene:
    """Return a board of a game without pieces, with the trays of the middle or of the end of a game, in German."""
    with speaking(language("de")):
        scene = both(key.partition(" ")[0])[over].translated()
    return replace(
        scene, trays=scene.trays[: SEATED[key]], pieces=(), outlines=(), marks=(), paths=(), strip=(), notes=()
    )


def picture(scene: Scene, name: str) -> Image.Image:
    """Draw a board whose players have one name."""
    with speaking(language("de")):
        return drawn(replace(scene, trays=tuple(replace(tray, player=name) for tray in scene.trays)))


def labelled(scene: Scene) -> Scene:
    """Return a board that says at the far end of its trays what the end of a game adds."""
    trays = (replace(tray, label=" · ".join(filter(None, ("gewonnen", tray.label)))) for tray in scene.trays)
    return replace(scene, trays=tuple(trays))


def bare(scene: Scene) -> Scene:
    """Return a board whose trays have names alone."""
    return replace(scene, trays=tuple(replace(tray, label="", share=None, shape=None) for tray in scene.trays))


def changed_in(first: Image.Image, second: Image.Image, place: Box) -> Box:
    """Return where two pictures differ within a place, in pixels from its corner."""
    found = changed(first, second).crop(place).getbbox()
    assert found is not None
    return found


@pytest.mark.parametrize("key", SEATED)
def test_the_last_letter_of_a_long_name_is_drawn(key: str) -> None:
    scene = empty(key, over=True)
    for name in NAMES:
        differs = changed(picture(scene, name), picture(scene, name[:-1]))
        assert all(differs.crop(place).getbbox() for _tray, place in Layout(scene).trays), name


@pytest.mark.parametrize("label", ["9 pieces", "gewonnen · 14 Spielsteine", "qgj" * 12])
def test_the_words_for_a_share_stand_above_its_bar_and_not_beyond_its_ends(label: str) -> None:
    scene = empty("redo")
    scene = replace(scene, trays=tuple(replace(tray, label=label, share=0.0) for tray in scene.trays))
    shown = picture(scene, "")
    for _tray, (left, top, right, bottom) in Layout(scene).trays:
        inside = shown.crop(((left + right) // 2, top + FRAME, right - 13, bottom - FRAME))
        panel = Image.new("RGB", inside.size, DARK.panel)
        rows = [at for at in range(inside.height) if inside.getpixel((inside.width - 30, at)) == DARK.background]
        upper, lower = (0, 0, inside.width, rows[0] - 2), (0, rows[0] + 3, inside.width, rows[-1] - 2)
        words, bar = (changed(inside.crop(part), panel.crop(part)).getbbox() for part in (upper, lower))
        assert words is not None
        assert bar is not None
        assert words[3] < upper[3], "the words touch the bar"
        assert bar[0] <= words[0]
        assert words[2] <= bar[2]


@pytest.mark.parametrize("key", SEATED)
def test_no_name_is_drawn_over_what_else_stands_in_its_tray(key: str) -> None:
    scene = labelled(empty(key))
    nameless, alone = picture(scene, ""), picture(bare(scene), "")
    for name in (*NAMES, *TOO_WIDE):
        named = picture(scene, name)
        for _tray, (left, top, right, bottom) in Layout(scene).trays:
            within = left + FRAME, top + FRAME, right - FRAME, bottom - FRAME
            written, beside = changed_in(nameless, named, within), changed_in(nameless, alone, within)
            assert written[2] <= beside[0] or written[1] >= beside[3], (name, written, beside)
            with_frame = changed_in(nameless, named, (left, top, right, bottom))
            assert with_frame == tuple(side + FRAME for side in written), name
