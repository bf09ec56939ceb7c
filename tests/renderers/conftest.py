"""How pictures are compared with those that were looked at and kept."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops

KEPT = Path(__file__).parent / "pictures"
_VISIBLE = 40
"""Difference of a channel (0 to 255) that counts: edges may be smoothed a little differently by other versions."""
_SHARE = 0.001
"""Share of pixels that may differ so much. The smallest mark of a kept picture is larger."""

LooksLike = Callable[[bytes, str], None]


def opened(data: bytes) -> Image.Image:
    """Return a finished picture with its colours."""
    return Image.open(BytesIO(data)).convert("RGB")


def is_nearly(first: Image.Image, second: Image.Image) -> bool:
    """Say whether two pictures look the same."""
    if first.size != second.size:
        return False
    channels = ImageChops.difference(first, second).split()
    worst = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    seen = sum(worst.histogram()[_VISIBLE:])
    return seen <= _SHARE * first.width * first.height


@pytest.fixture
def looks_like(image_snapshot: Callable[..., None], pytestconfig: pytest.Config) -> LooksLike:
    """Compare a picture with the kept one of that name; ``--image-snapshot-update`` keeps it anew."""

    def compare(data: bytes, name: str) -> None:
        picture, kept = opened(data), KEPT / f"{name}.png"
        updating = pytestconfig.getoption("--image-snapshot-update")
        if not updating and kept.exists() and is_nearly(picture, Image.open(kept).convert("RGB")):
            return
        KEPT.mkdir(exist_ok=True)
        image_snapshot(picture.quantize(256, dither=Image.Dither.NONE) if updating else picture, kept)

    return compare
