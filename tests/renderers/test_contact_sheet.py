"""The contact sheet: it shows each game in its middle and at its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderers.pixels.theme import THEMES
from tests.renderers import contact_sheet


@pytest.mark.parametrize("game", contact_sheet.GAMES)
def test_each_game_is_shown_in_its_middle_and_at_its_end(game: str) -> None:
    middle, end = contact_sheet.both(game)
    assert any(tray.to_move for tray in middle.trays)
    assert any(tray.outcome for tray in end.trays)


@pytest.mark.slow
def test_the_command_draws_a_sheet_for_each_theme_on_each_background(tmp_path: Path) -> None:
    contact_sheet.main([str(tmp_path), "yonmoque"])
    wanted = {f"{theme}-in-{background}.png" for theme in THEMES for background in contact_sheet.DISCORD}
    assert {file.name for file in tmp_path.iterdir()} == wanted


def test_the_command_refuses_a_game_there_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        contact_sheet.main([str(tmp_path), "chess"])
    assert "no game 'chess'" in capsys.readouterr().err
