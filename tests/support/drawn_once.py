"""Pictures of boards that are drawn once in a process, however often tests that do not look at them ask for them.

It saves 0.003 s a picture.
"""

from __future__ import annotations

from functools import lru_cache

import pytest

from renderers import image
from renderers.pixels.layout import FULL_WIDTH
from renderers.scene import Scene

_draw = image.png


@lru_cache(maxsize=2**12)
def _drawn(scene: Scene, theme: str, width: int) -> bytes:
    return _draw(scene, theme, width)


def _png(scene: Scene, theme: str = "dark", width: int = FULL_WIDTH) -> bytes:
    # A message that is still to be translated equals its English, whatever becomes of it.
    return _drawn(scene.translated(), theme, width)


@pytest.fixture
def drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reuse a picture that was drawn before of the same scene."""
    monkeypatch.setattr(image, "png", _png)
