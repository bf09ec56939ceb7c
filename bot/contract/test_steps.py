"""The contract of moves that are built choice by choice (``Position.steps``). Names no game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import TypeVar

import pytest

from bot.contract.cases import Case, legal, samples
from bot.games.game import IllegalMove, Move, Position, Step

CALLS = 250
"""Levels of choice looked at in one position before the rest is left to descents at random."""
DEEPEST = 40

T = TypeVar("T")
Level = tuple[tuple[str, ...], Sequence[Step]]


class Tree:
    """The choices of a position: all of them if they are few, else as many as the bounds allow."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.levels: dict[tuple[str, ...], Sequence[Step]] = {}
        waiting: list[tuple[str, ...]] = [()]
        while waiting and len(self.levels) < CALLS:
            prefix = waiting.pop()
            self.levels[prefix] = position.steps(prefix)
            waiting += [(*prefix, step.key) for step in self.levels[prefix]]
        self.whole = not waiting
        # Where all levels are too many, ten ways down at random.
        for seed in range(0 if self.whole else 10):
            random, prefix = Random(seed), ()
            while len(prefix) < DEEPEST:
                if prefix not in self.levels:
                    self.levels[prefix] = position.steps(prefix)
                if not self.levels[prefix]:
                    break
                prefix = (*prefix, random.choice(self.levels[prefix]).key)

    def moves(self) -> set[Move]:
        return {step.move for level in self.levels.values() for step in level if step.move is not None}

    def choices(self) -> Iterator[tuple[tuple[str, ...], Step]]:
        return ((prefix, step) for prefix, level in self.levels.items() for step in level)


@cache
def trees(case: Case) -> tuple[Tree, ...]:
    return tuple(Tree(ply.position) for ply in spread(samples(case), 6))


def spread(items: Sequence[T], count: int) -> Sequence[T]:
    return items[:: max(1, len(items) // count)]


def test_steps_lead_to_every_legal_move_and_to_nothing_else(case: Case) -> None:
    for tree in trees(case):
        moves, complete = legal(tree.position)
        if complete:
            assert tree.moves() <= set(moves)
        if tree.whole:
            assert tree.moves() == set(moves)


def test_a_legal_move_is_reached_by_spelling_its_text(case: Case) -> None:
    for ply in spread(samples(case), 6):
        moves, _ = legal(ply.position)
        for move in Random(1).sample(moves, min(len(moves), 6)):
            assert spelled(ply.position, move)


def spelled(position: Position, move: Move) -> bool:
    """Tell whether choices whose keys spell the text of ``move`` lead to it."""
    text = str(move)
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        prefix = waiting.pop()
        for step in position.steps(prefix):
            if step.move == move:
                return True
            if text.startswith("".join((*prefix, step.key))):
                waiting.append((*prefix, step.key))
    return False


def test_the_keys_of_a_complete_move_are_read_as_that_move(case: Case) -> None:
    for tree in trees(case):
        for prefix, step in tree.choices():
            if step.move is not None:
                assert tree.position.parse("".join((*prefix, step.key))) == step.move


def test_a_choice_that_leads_nowhere_is_refused_with_a_reason(case: Case) -> None:
    for tree in trees(case):
        for prefix, step in spread([*tree.choices()], 60):
            path = (*prefix, step.key)
            if step.move is None and not tree.position.steps(path):
                with pytest.raises(IllegalMove, match=r"."):
                    tree.position.parse("".join(path))


def test_choices_fit_a_select_menu(case: Case) -> None:
    for tree in trees(case):
        for level in tree.levels.values():
            assert len({step.key for step in level}) == len(level)
            assert len({step.label for step in level}) == len(level)
            for step in level:
                assert 0 < len(step.key) <= 100
                assert 0 < len(step.label) <= 80
                assert step.label.isprintable()


def test_a_choice_highlights_a_place_on_the_board(case: Case) -> None:
    for tree in trees(case):
        places = case.game.scene(tree.position).places()
        for _, step in tree.choices():
            assert step.square is None or step.square in places


def test_nothing_continues_a_prefix_nobody_was_offered(case: Case) -> None:
    for ply in samples(case):
        for prefix in (("no such key",), ("",), ("", ""), ("a1", "-z9"), ("x" * 4000,)):
            assert list(ply.position.steps(prefix)) == []


def test_there_is_no_choice_once_the_game_is_over(case: Case) -> None:
    assert list(samples(case)[-1].position.steps()) == []
