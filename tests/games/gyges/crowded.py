"""Positions of Gygès in which a turn has many routes."""

from __future__ import annotations

from pathlib import Path

LINES = (Path(__file__).parent / "fixtures" / "crowded.txt").read_text(encoding="utf-8").splitlines()
