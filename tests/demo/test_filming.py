"""The pictures of the README are taken from the demo page by one command, and taken anew when they are old."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from tests.demo.filming import PICTURES, WIDTH, Film, last_take, take

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PICTURES))
async def test_a_picture_is_as_wide_as_the_readme_shows_it_and_no_older_than_its_labels(
    tmp_path: Path, name: str
) -> None:
    labels = await take([name], tmp_path)
    assert labels[name] == last_take()[name], "python -m tests.demo.filming takes the pictures anew"
    with Image.open(tmp_path / ("phone.webp" if name == "phone" else f"{name}.png")) as picture:
        assert picture.width == WIDTH
        assert picture.height > WIDTH, "board and buttons"
        assert len(picture.convert("RGB").getcolors(1 << 24) or ()) > 50


def test_a_film_shows_its_frames_for_as_long_as_each_stands_and_begins_anew(tmp_path: Path) -> None:
    film = Film()
    film.frames = [(Image.new("RGB", (WIDTH, 10), colour), time) for colour, time in (("red", 300), ("blue", 900))]
    film.save(tmp_path / "film.webp")
    with Image.open(tmp_path / "film.webp") as shown:
        times = []
        for frame in ImageSequence.Iterator(shown):
            frame.load()
            times.append(frame.info["duration"])
        assert shown.info["loop"] == 0
    assert times == [300, 900]
