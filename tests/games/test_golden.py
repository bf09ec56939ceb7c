"""Whole games stand as they were recorded: a change of a rule shows up here as a difference of text."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.games import GAMES
from tests.games import golden


@pytest.mark.parametrize("file", golden.files(), ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_a_recorded_game_is_played_as_it_was(file: Path) -> None:
    recorded = file.read_text(encoding="utf-8")
    assert golden.rewrite(recorded).splitlines() == recorded.splitlines()


@pytest.mark.parametrize("key", GAMES)
def test_a_recorded_game_stands_in_the_folder_of_its_game_and_is_complete(key: str) -> None:
    for file in golden.files(key):
        recorded = file.read_text(encoding="utf-8")
        assert recorded.startswith(f"game: {key}\n")
        assert "result: none yet" not in recorded


@pytest.mark.parametrize("key", GAMES)
def test_a_game_has_a_short_one_to_be_played_on_the_demo_page(key: str) -> None:
    case, _, moves = golden.game_in((golden.folder(GAMES[key]) / "demo.txt").read_text(encoding="utf-8"))
    assert len(moves) <= 12
    assert case.players <= 3


VARIANTS = [(key, variant.key) for key, game in GAMES.items() for variant in game.variants]


@pytest.mark.parametrize(("key", "variant"), VARIANTS)
def test_every_variant_of_a_game_has_five_recorded_games(key: str, variant: str) -> None:
    recorded = [file.read_text(encoding="utf-8") for file in golden.files(key)]
    assert sum(f"\nvariant: {variant}\n" in text for text in recorded) >= 5
