"""The recorded games of Gygès."""

from __future__ import annotations

from bot.contract import golden

GOLDEN = golden.files("gyges")
