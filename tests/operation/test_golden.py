"""Golden games are written beside a game's source, and never into an installed copy of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bot.contract import golden


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the golden games of a game lie in."""
    monkeypatch.setattr(golden, "folder", lambda _game: tmp_path / "some_game" / "golden")
    return tmp_path


def write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["golden", "write", "tic-tac-toe", "short", "--moves", "b2 a2 a1 b1 c3"])
    golden.main()


def test_a_game_is_written_into_the_folder_of_the_source(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(monkeypatch)
    assert "result: won by 1: three in a row" in (place / "some_game/golden/short.txt").read_text(encoding="utf-8")


def test_a_game_is_not_written_where_packages_are_installed(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(golden, "get_path", lambda _name: str(place))
    with pytest.raises(SystemExit):
        write(monkeypatch)
    assert "Install the folder of its source with `pip install -e`, and write them there." in capsys.readouterr().err
    assert list(place.iterdir()) == []
