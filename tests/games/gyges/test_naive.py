"""The rules agree with a second implementation, written from the text alone: every list of moves, every result."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from bot.contract import golden
from bot.games.gyges import GYGES
from bot.games.gyges.board import NAMES, PLACES, arrange, pieces_of
from bot.games.gyges.rules import RULESETS, GygesPosition
from bot.games.gyges.rulesets import Situation
from tests.games.gyges.naive import ARRANGEMENTS, SQUARES, Board, NaiveGame, arranged, legal
from tests.games.gyges.positions import after, pieces, texts

Player = Callable[[GygesPosition, NaiveGame, Random], str]


def at_random(position: GygesPosition, naive: NaiveGame, random: Random) -> str:
    return str(random.choice(position.legal_moves()))


def reluctantly(position: GygesPosition, naive: NaiveGame, random: Random) -> str:
    """Choose a move that does not end the game if there is one, so that games grow long."""
    moves = [move for move in position.legal_moves() if "N" not in move and "S" not in move]
    return str(random.choice(moves or position.legal_moves()))


def to_and_fro(position: GygesPosition, naive: NaiveGame, random: Random) -> str:
    """Often move the last piece back to where it came from, so that positions come again."""
    back = "-".join(reversed(naive.moves[-2].split("-"))) if len(naive.moves) > 20 else ""
    return back if back in texts(position) else reluctantly(position, naive, random)


def agree(position: GygesPosition, naive: NaiveGame) -> None:
    assert pieces(position) == naive.board
    moves = [str(move) for move in position.legal_moves()]
    assert sorted(moves) == sorted(naive.legal)
    result = position.result
    assert naive.over == (None if result is None else (set(result.winners), result.reason))


def play_out(ruleset: str, player: Player, seed: int, longest: int = 200) -> str:
    """Play a game on both boards and return how it ended, or "" if it was still going on after ``longest`` plies."""
    random = Random(seed)
    south, north = random.choice(ARRANGEMENTS), random.choice(ARRANGEMENTS)
    position, naive = (
        after(GYGES.start(ruleset=ruleset), f"{south} {north}"),
        NaiveGame(ruleset, arranged(south, north)),
    )
    agree(position, naive)
    while position.result is None and len(naive.moves) < longest:
        text = player(position, naive, random)
        position = position.play(position.parse(text))
        naive.play(text)
        agree(position, naive)
    return position.result.reason if position.result else ""


@pytest.mark.parametrize(
    ("ruleset", "seeds"),
    [
        ("fogliaccio", range(3)),
        pytest.param("fogliaccio", range(3, 30), marks=pytest.mark.slow),
        pytest.param("classic", range(10), marks=pytest.mark.slow),
    ],
)
def test_games_at_random_agree_and_end_in_goals(ruleset: str, seeds: range) -> None:
    assert {"a piece in goal N", "a piece in goal S"} & {play_out(ruleset, at_random, seed) for seed in seeds}


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "games"), [("fogliaccio", 4), ("classic", 3)])
def test_long_games_agree_and_end_with_the_200th_ply(ruleset: str, games: int) -> None:
    assert "200 turns after the set-up" in {play_out(ruleset, reluctantly, seed) for seed in range(games)}


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "games"), [("fogliaccio", 25), ("classic", 10)])
def test_games_that_go_to_and_fro_agree_and_end_by_repetition(ruleset: str, games: int) -> None:
    assert "third repetition" in {play_out(ruleset, to_and_fro, seed) for seed in range(games)}


def scattered(random: Random) -> Board:
    """Put the twelve pieces anywhere, often close together."""
    near = random.sample(SQUARES, random.choice((12, 14, 18, 24, 36)))
    board = dict(zip(random.sample(near, 12), (1, 2, 3) * 4, strict=True))
    return board if len({square[1] for square in board}) > 1 else scattered(random)


def packed(board: Board) -> int:
    return arrange((PLACES[name], value) for name, value in board.items())


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("seed", range(5))
def test_scattered_pieces_agree_with_and_without_a_barred_arrangement(ruleset: str, seed: int) -> None:
    random, rules = Random(seed), RULESETS[ruleset]
    for _ in range(80):
        board, seat = scattered(random), random.randrange(2)
        at = Situation(packed(board), seat)
        turns = rules.all_turns(at)
        assert (sorted(map(str, turns)) or ["pass"]) == sorted(legal(board, seat, ruleset, None))
        if turns and (route := random.choice(turns).route):
            barred = rules.after(at.pieces, route)
            before = {NAMES[place]: value for place, value in pieces_of(barred)}
            fewer = rules.all_turns(Situation(at.pieces, seat, barred))
            assert (sorted(map(str, fewer)) or ["pass"]) == sorted(legal(board, seat, ruleset, before))


@pytest.mark.parametrize("file", golden.files("gyges"), ids=lambda file: file.stem)
def test_recorded_games_agree(file: Path) -> None:
    case, _, (south, north, *moves) = golden.game_in(file.read_text(encoding="utf-8"))
    ruleset = case.variant.key
    position, naive = (
        after(GYGES.start(ruleset=ruleset), f"{south} {north}"),
        NaiveGame(ruleset, arranged(south, north)),
    )
    for text in moves:
        agree(position, naive)
        position = position.play(position.parse(text))
        naive.play(text)
    agree(position, naive)
    assert naive.over is not None
