"""Thousands of plies of random games, compared with the second implementation in ``reference``."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from bot.games.game import Position
from bot.games.redtangle import REDTANGLE
from bot.games.redtangle.notation import write_board
from bot.games.redtangle.pieces import EQUIPMENT
from bot.games.redtangle.rules import RedtanglePosition
from tests.games.redtangle import reference

COLOURS = ("white", "black")


def rotated(owner: str, kind: int, random: Random) -> reference.Stone:
    stone = reference.stone(owner, str(kind) if kind in (0, 4) else f"{kind}N")
    return random.choice(sorted(stone.rotations(), key=lambda lying: lying.sides))


def after_set_ups(random: Random) -> tuple[reference.Match, Position]:
    board: reference.Board = {}
    position: Position = REDTANGLE.start()
    for owner in COLOURS:
        stones = [rotated(owner, kind, random) for kind in random.sample(EQUIPMENT, len(EQUIPMENT))]
        position = position.play(position.parse(",".join(stone.text() for stone in stones)))
        board |= zip(reference.ORDER[owner], stones, strict=True)
    return reference.Match(board, "white", is_stalemate), position


def scattered(random: Random, pieces: int) -> tuple[reference.Match, Position]:
    board: reference.Board = {}
    for owner in COLOURS:
        for kind in random.sample(EQUIPMENT, random.randint(1, pieces)):
            free = [
                (file, rank)
                for file in range(1, 9)
                for rank in range(1, 9)
                if (file, rank) not in board and (file, rank) not in reference.RED[reference.other(owner)]
            ]
            board[random.choice(free)] = rotated(owner, kind, random)
    mover = random.choice(COLOURS)
    return reference.Match(board, mover, is_stalemate), REDTANGLE.decode(reference.written(board, mover))


@cache
def solved(white: str, black: str) -> dict[reference.State, str]:
    return reference.solve(white, black)


def is_quickly_solved(match: reference.Match) -> bool:
    return len(match.board) != 2 or all(len(stone.rotations()) == 1 for stone in match.board.values())


def is_stalemate(state: reference.State) -> bool:
    return state not in solved(state[1].text(), state[3].text())


@pytest.mark.timeout(120)
@pytest.mark.parametrize("seeds", [range(24), pytest.param(range(24, 240), marks=pytest.mark.slow)])
def test_every_board_list_of_moves_and_result_agrees_with_the_second_implementation(seeds: range) -> None:
    plies, ends = 0, Counter[str]()
    for seed in seeds:
        random = Random(seed)
        match, position = after_set_ups(random) if seed % 6 == 0 else scattered(random, 1 + seed % 8)
        random = Random(seed)
        while is_quickly_solved(match):
            if isinstance(position, RedtanglePosition):
                assert write_board(position.board) == reference.written(match.board, match.mover).split()[0]
            winners = match.winners()
            result = position.result
            assert (result and {COLOURS[seat] for seat in result.winners}) == winners, position.encode()
            if result:
                ends[result.reason] += 1
                break
            legal = sorted(reference.moves(match.board, match.mover))
            assert sorted(map(str, position.legal_moves())) == legal, position.encode()
            jumps = [text for text in legal if "x" in text]
            text = random.choice(jumps if jumps and random.random() < 0.5 else legal)
            match.play(text)
            position = position.play(position.parse(text))
            plies += 1
    assert plies > 15 * len(seeds)
    assert sum(ends.values()) > len(seeds) / 2
    assert len(ends) >= (5 if len(seeds) > 100 else 3), ends
