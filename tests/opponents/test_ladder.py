"""The ladder: games between levels and baselines, their intervals, and the command that plays them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from bot.contract.cases import CASES, Case, playout
from bot.games import GAMES
from bot.games.search import SearchState, Token
from bot.games.yonmoque.baseline import by_alpha_beta
from bot.opponents.__main__ import app
from bot.opponents.ladder.matches import (
    LadderPairing,
    LadderRound,
    LadderStanding,
    pairings,
    play_games,
)
from bot.opponents.ladder.report import standings_on, with_standings
from bot.opponents.ladder.yardsticks import as_novice, at_random, carefully
from bot.opponents.levels import levels_of
from bot.opponents.thinking import state_of
from tests.games.yonmoque.positions import board

PAIRING = LadderPairing("rectangles", "4x4", "careful", "random", 0.6)


def test_a_round_is_the_same_whenever_it_is_played() -> None:
    rounds = [LadderRound(PAIRING, number) for number in range(12)]
    assert [one.score() for one in rounds] == [one.score() for one in rounds]


def test_rounds_played_in_other_processes_have_the_same_scores() -> None:
    rounds = [LadderRound(PAIRING, number) for number in range(6)]
    assert dict(play_games(rounds, jobs=2)) == dict(play_games(rounds, jobs=1))


def test_somebody_careful_beats_somebody_at_random() -> None:
    assert sum(LadderRound(PAIRING, number).score() for number in range(40)) > 30


def test_the_interval_is_wilsons() -> None:
    low, high = LadderStanding(PAIRING, 100, 80).interval
    assert low == pytest.approx(0.7112, abs=1e-4)
    assert high == pytest.approx(0.8666, abs=1e-4)


def test_a_promise_is_kept_if_the_whole_interval_is_in_its_range() -> None:
    step = LadderPairing("redo", "standard", "level 2", "level 1", 0.6, 0.9)
    assert LadderStanding(PAIRING, 200, 140).kept
    assert not LadderStanding(PAIRING, 20, 14).kept
    assert LadderStanding(step, 200, 140).kept
    assert not LadderStanding(step, 200, 125).kept
    assert not LadderStanding(step, 200, 178).kept


def test_a_careful_player_takes_a_win_and_neither_blunders_nor_lets_one_through() -> None:
    won = board("..... ..... bbb.b www.. .....")
    for seed in range(5):
        after = won.play(carefully(won, Random(seed)))
        assert after.result is not None
        assert after.result.winners == {0}
    start = GAMES["rectangles"].start(dots=4)
    assert str(carefully(start, Random(1))) != "stuck"


def _lets_a_win_through(state: SearchState, token: Token) -> bool:
    state.make(token)
    lets = state.win_in_one() is not None
    state.unmake()
    return lets


def test_a_player_at_random_plays_anything() -> None:
    position = GAMES["yonmoque"].start()
    assert len({at_random(position, Random(seed)) for seed in range(200)}) == 25


def test_plain_alpha_beta_finds_a_win() -> None:
    won = board("..... ..... bbb.b www.. .....")
    assert won.play(by_alpha_beta(won, Random(1))).result is not None
    with pytest.raises(TypeError):
        by_alpha_beta(GAMES["redo"].start(), Random(1))


def test_every_variant_for_two_is_on_the_ladder() -> None:
    for game in GAMES.values():
        for variant in game.variants:
            promised = pairings(game.key, variant.key)
            assert [p.second for p in promised if p.first == "level 1"] == ["random", "novice"]
            assert {p.first for p in promised} == {f"level {n}" for n in levels_of(game)}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_watchful_novice_lets_no_win_in_one_through_that_can_be_stopped(case: Case) -> None:
    for seed in range(3):
        for ply in playout(case, seed)[-6:-1]:
            state = state_of(ply.position)
            if state.win_in_one() is not None or all(_lets_a_win_through(state, token) for token in state.tokens()):
                continue
            state.make(state.token(as_novice(ply.position, Random(seed), 1.0)))
            assert state.winners() is not None or state.win_in_one() is None


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_blind_novice_plays_what_is_most_obvious(case: Case) -> None:
    for seed in range(3):
        position = playout(case, seed)[-3].position
        state = state_of(position)
        if state.win_in_one() is None:
            token = state.token(as_novice(position, Random(seed), 0.0))
            assert state.obvious(token) == max(map(state.obvious, state.tokens()))


def test_the_command_prints_a_row_a_pairing() -> None:
    arguments = ["ladder", "--game", "rectangles", "--variant", "4x4", "--player", "level 1", "--others", "4"]
    result = CliRunner().invoke(app, [*arguments, "--jobs", "1"])
    assert result.exit_code == 0, result.output
    rows = [line for line in result.stdout.splitlines() if line.startswith("| rectangles")]
    assert [row.split(" | ")[3] for row in rows] == ["random", "novice"]
    assert all(" | 4 | " in row for row in rows)


def test_rows_are_added_to_a_page_piece_by_piece(tmp_path: Path) -> None:
    page = tmp_path / "figures.md"
    before = "# Figures\n\nBefore.\n\n| Other | table |\n| --- | --- |\n| chess-standard | 2 | a | b | 20 | 400 | 1 |\n"
    page.write_text(before, encoding="utf-8")
    common = ["ladder", "--game", "rectangles", "--variant", "4x4", "--jobs", "1", "--page", str(page)]

    def row(against: str, others: int, *more: str) -> LadderStanding:
        result = CliRunner().invoke(app, [*common, "--against", against, "--others", f"{others}", *more])
        assert result.exit_code == 0, result.output
        found = standings_on(page.read_text(encoding="utf-8"))
        return next(s for p, s in found.items() if (p.first, p.second) == ("level 1", against))

    whole = row("random", 6)
    assert row("random", 4).games == 4
    assert row("random", 6, "--more") == whole == row("random", 5, "--more")
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"{before}\n| Game |")
    assert with_standings(text, []) == text


def test_the_command_says_which_game_there_is_not() -> None:
    result = CliRunner().invoke(app, ["ladder", "--game", "chess"])
    assert result.exit_code == 2
    assert "there is no chess" in result.output
