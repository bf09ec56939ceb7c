"""Collecting puzzles from games of computer players and from records: the same games give the same puzzles."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.games import GAMES
from bot.games.puzzles import Task, TaskKind, file_of, read
from bot.games.puzzles import puzzles as known_puzzles
from bot.opponents import __main__ as commands
from bot.opponents.puzzles.collecting import PER_TASK, Collection, enough
from bot.opponents.puzzles.games import game_of_record, played_in_all, self_played
from bot.opponents.puzzles.proof import prove

GAME = GAMES["rectangles"]
VARIANT = GAME.variant("6x6")
GAME_WON_IN_THREE = 4
"""The number of a game of Yonmoque in which there is a win in three moves."""
AT = "2026-01-01T00:00:00+00:00"
RECORD = f"""[Game "Yonmoque"]
[Variant "standard"]
[Player "Blue, 123, Alice"]
[Player "White, 456, Bob "the fox""]

1. Blue a1 {{{AT}}}
2. White a5 {{{AT}}}
3. Blue takes-back {{{AT}}}
4. Blue c3 {{{AT}}}
"""


def test_the_same_games_give_the_same_puzzles_all_of_them_proven() -> None:
    one, other = Collection(GAME, VARIANT), Collection(GAME, VARIANT)
    for collection in (one, other):
        list(collection.fill(played_in_all(GAME, VARIANT, [], 8)))
    assert one.puzzles == other.puzzles
    assert len(one.puzzles) > 4
    assert all(prove(puzzle) >= 0 for puzzle in one.puzzles)
    assert self_played(GAME, VARIANT, 1) != self_played(GAME, VARIANT, 2)


def test_the_levels_of_those_who_play_for_puzzles_can_be_chosen() -> None:
    game = GAMES["yonmoque"]
    (weak,), (strong,) = (played_in_all(game, game.variants[0], [], games=1, among=levels) for levels in ((1,), (3,)))
    assert weak != strong
    assert strong == self_played(game, game.variants[0], 0, (3, 3))


def test_nothing_is_collected_twice_nor_more_than_is_wanted_of_a_task() -> None:
    collection = Collection(GAME, VARIANT)
    games = [self_played(GAME, VARIANT, 1)] * 3
    assert len([one for one in collection.fill(games) if one is not None]) <= 3
    assert len({(one.position, one.task) for one in collection.puzzles}) == len(collection.puzzles)
    task = collection.puzzles[0].task
    assert collection.wants(task)
    collection.puzzles *= 30
    assert not collection.wants(task)
    assert collection.complete


@pytest.mark.slow
def test_of_one_task_others_are_not_looked_for_however_many_there_are() -> None:
    game, deep = GAMES["yonmoque"], Task(TaskKind.WIN, 3)
    known = [one for one in known_puzzles(game) if one.task != deep]
    collection = Collection(game, game.variants[0], known, sought=deep)
    assert len(known) >= enough(game)
    assert not collection.complete
    assert not collection.wants(Task(TaskKind.WIN, 2))
    list(collection.fill(played_in_all(game, game.variants[0], [], games=1, first=GAME_WON_IN_THREE)))
    new = collection.puzzles[-1]
    assert new.task == deep
    assert prove(new) > 0
    collection.puzzles += [new] * PER_TASK
    assert collection.complete
    assert not collection.wants(deep)


def test_of_a_record_the_moves_are_read_up_to_what_is_none_on_the_board() -> None:
    game, variant, positions = game_of_record(RECORD)
    assert (game.key, variant.key, len(positions)) == ("yonmoque", "standard", 3)
    assert game_of_record(RECORD.replace("+00:00}", "+00:00} (mistake, better: b2)"))[2] == positions
    with pytest.raises(ValueError, match="no record"):
        game_of_record(RECORD.replace("Yonmoque", "Chess"))
    with pytest.raises(ValueError, match="no record"):
        game_of_record(RECORD.replace('[Player "White', '[Spectator "White'))


def test_the_command_writes_what_it_finds_without_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "file_of", lambda game: tmp_path / file_of(game).name)
    (tmp_path / "record.txt").write_text(RECORD)
    (tmp_path / "three.txt").write_text(RECORD.replace("\n\n", '\n[Player "Red, 789, Carol"]\n\n'))
    options = ["--game", "rectangles", "--variant", "4x4", "--games", "9", "--fresh", "--level", "2"]
    result = CliRunner().invoke(commands.app, ["puzzles", *map(str, tmp_path.glob("*.txt")), *options])
    assert result.exit_code == 0, result.output
    assert "three.txt is passed over: this is no record of a match between two" in result.output
    text = (tmp_path / "puzzles.txt").read_text()
    found = [one for one in read(text, GAME) if one.variant == "4x4"]
    assert 0 < len(found) < len([one for one in known_puzzles(GAME) if one.variant == "4x4"])
    # Only that variant is begun anew.
    assert {one.variant for one in read(text, GAME)} == {one.variant for one in known_puzzles(GAME)}
    assert "Alice" not in text
    wrong = CliRunner().invoke(commands.app, ["puzzles", "--game", "rectangles", "--task", "chess"])
    assert "win, hold or find" in wrong.output
    for option in ("--game", "--variant"):
        assert "there is no chess" in CliRunner().invoke(commands.app, ["puzzles", option, "chess"]).output
