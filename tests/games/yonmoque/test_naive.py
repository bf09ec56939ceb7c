"""The rules agree with a second implementation, written from the text alone, in hundreds of games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from bot.contract import golden
from bot.games.yonmoque.board import NAMES
from bot.games.yonmoque.rules import YonmoquePosition
from tests.games.yonmoque.naive import NaiveGame
from tests.games.yonmoque.positions import texts

Player = Callable[[YonmoquePosition, list[str], Random], str]


def at_random(position: YonmoquePosition, played: list[str], random: Random) -> str:
    return str(random.choice(position.legal_moves()))


def reluctantly(position: YonmoquePosition, played: list[str], random: Random) -> str:
    """Choose a turn that does not end the game if there is one, so that games grow long and crowded."""
    turns = [turn for turn in position.legal_moves() if position.play(turn).result is None]
    return str(random.choice(turns or position.legal_moves()))


def to_and_fro(position: YonmoquePosition, played: list[str], random: Random) -> str:
    """Often move the last piece back to where it came from, so that positions come again."""
    back = "-".join(reversed(played[-2].split("-"))) if len(played) > 4 else ""
    return back if back in texts(position) and random.random() < 0.9 else reluctantly(position, played, random)


def agree(position: YonmoquePosition, naive: NaiveGame) -> None:
    assert texts(position) == naive.legal()
    board = {NAMES[at]: seat for seat in (0, 1) for at in range(25) if position.pieces[seat] >> at & 1}
    assert board == naive.board
    assert position.hands == (naive.hands[0], naive.hands[1])
    result = position.result
    assert naive.over == (None if result is None else (set(result.winners), result.reason))


def play_out(player: Player, seed: int) -> str:
    """Play a game on both boards and return how it ended, or "" if it was still going on after 120 plies."""
    random, played = Random(seed), list[str]()
    position, naive = YonmoquePosition(), NaiveGame()
    agree(position, naive)
    while position.result is None and len(played) < 120:
        played.append(player(position, played, random))
        position = position.play(position.parse(played[-1]))
        naive.play(played[-1])
        agree(position, naive)
    return position.result.reason if position.result else ""


def test_games_at_random_agree_and_end_by_four_and_five() -> None:
    assert {play_out(at_random, seed) for seed in range(40)} >= {"four in a row", "five in a row"}


@pytest.mark.slow
def test_long_games_agree() -> None:
    assert "" in {play_out(reluctantly, seed) for seed in range(12)}


def test_games_that_go_to_and_fro_agree_and_end_by_repetition() -> None:
    assert "third repetition" in {play_out(to_and_fro, seed) for seed in range(25)}


@pytest.mark.parametrize("file", golden.files("yonmoque"), ids=lambda file: file.stem)
def test_recorded_games_agree(file: Path) -> None:
    position, naive = YonmoquePosition(), NaiveGame()
    for text in golden.game_in(file.read_text(encoding="utf-8"))[2]:
        position = position.play(position.parse(text))
        naive.play(text)
        agree(position, naive)
    assert naive.over is not None
