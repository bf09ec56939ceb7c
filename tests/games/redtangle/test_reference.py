"""Thousands of plies of random games, compared with the second implementation in ``reference``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from bot.games.game import Position
from bot.games.redtangle import REDTANGLE
from bot.games.redtangle.pieces import EQUIPMENT
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


def games() -> Iterator[tuple[int, reference.Match, Position]]:
    for seed in range(240):
        random = Random(seed)
        yield (seed, *(after_set_ups(random) if seed % 6 == 0 else scattered(random, 1 + seed % 8)))


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_every_list_of_moves_and_every_result_agrees_with_the_second_implementation() -> None:
    plies, ends = 0, Counter[str]()
    for seed, match, first in games():
        random, position = Random(seed), first
        while is_quickly_solved(match):
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
    assert plies > 4_000
    assert sum(ends.values()) > 150
    assert len(ends) >= 5, ends
