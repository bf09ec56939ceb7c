"""PNG files: the same picture by either compressor."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from renderers import image
from renderers.pixels import png
from tests.renderers.scenes import FIVE


def read(data: bytes) -> Image.Image:
    """Return the picture in a file whose checksums are right."""
    Image.open(BytesIO(data)).verify()
    return Image.open(BytesIO(data))


@pytest.mark.parametrize("name", FIVE)
def test_both_writers_keep_every_pixel_and_its_colour(name: str) -> None:
    picture = image.draw(FIVE[name], width=450)
    for written in (png.by_isal(picture), png.by_pillow(picture)):
        found = read(written)
        assert (found.format, found.mode, found.size) == ("PNG", "P", picture.size)
        assert found.convert("RGB").tobytes() == picture.convert("RGB").tobytes()


def test_pictures_do_without_isal_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = image.draw(FIVE["redo"], width=450)
    assert png.encode(picture) == png.by_isal(picture)
    monkeypatch.setattr(png, "isal_zlib", None)
    assert png.encode(picture) == png.by_pillow(picture)
