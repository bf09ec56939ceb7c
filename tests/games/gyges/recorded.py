"""The recorded games of Gygès."""

from __future__ import annotations

from tests.games import golden

GOLDEN = golden.files("gyges")
