"""The engine of Redo and the slow one of ``reference`` play the same games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest

from bot.games.game import Position
from bot.games.redo.notation import write_board
from bot.games.redo.rules import RedoPosition
from tests.games.redo.boards import REDO
from tests.games.redo.reference import Reference, apply, conversion_reachable, legal

Style = Callable[[Reference, Sequence[str]], Sequence[str]]


def converted(game: Reference, text: str) -> int:
    return len(apply(game.pieces, game.side, text)[1])


def anything(game: Reference, texts: Sequence[str]) -> Sequence[str]:
    return texts


def greedy(game: Reference, texts: Sequence[str]) -> Sequence[str]:
    most = max(converted(game, text) for text in texts)
    return [text for text in texts if converted(game, text) == most]


def shy(game: Reference, texts: Sequence[str]) -> Sequence[str]:
    return [text for text in texts if not converted(game, text) and "+" not in text] or texts


def discs_first(game: Reference, texts: Sequence[str]) -> Sequence[str]:
    plain = [text for text in texts if "+" not in text]
    return [text for text in plain if game.pieces.get(text[:2]) == game.side] or plain or texts


def towers_first(game: Reference, texts: Sequence[str]) -> Sequence[str]:
    return [text for text in texts if "+" in text] or texts


def agree(game: Reference, position: Position) -> bool:
    """Check that both engines say the same of a position; tell whether the game is over."""
    assert isinstance(position, RedoPosition)
    # ``encode`` would list every earlier arrangement, too, again at each ply.
    assert write_board(position.pieces, position.towers) == game.board()
    end, result = game.end(), position.result
    if result is not None and result.reason.startswith("no conversion"):
        # With towers that roam there is too much to try; then at least nothing of what was tried is a conversion.
        assert not conversion_reachable(game.pieces, game.side, most=5000)
    else:
        assert (result is None) == (end is None)
        assert result is None or result.reason.startswith(str(end))
    assert result is None or result.winners == game.winners()
    return result is not None


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 30), marks=pytest.mark.slow)])
@pytest.mark.parametrize("style", [anything, greedy, shy, discs_first, towers_first])
def test_legal_moves_and_results_agree_over_whole_games(style: Style, seeds: range) -> None:
    for seed in seeds:
        random, game, position = Random(seed), Reference(), REDO.start()
        while not agree(game, position):
            texts = sorted(str(move) for move in position.legal_moves())
            assert texts == sorted(legal(game.pieces, game.side))
            text = random.choice(style(game, texts) if random.random() < 0.9 else texts)
            game.play(text)
            position = position.play(position.parse(text))
