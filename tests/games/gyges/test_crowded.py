"""Positions with the most to search, found by climbing: their moves are counted and compared with a digest.

``fixtures/crowded.txt`` has a line for each: number of legal moves, digest of their texts, position. The second
implementation (``naive``) walked every route of them and came to the same; the quickest of them it walks here again.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from bot.games.gyges import GYGES
from bot.games.patience import GivenUp, run_while
from tests.games.gyges.naive import legal
from tests.games.gyges.positions import pieces, texts

LINES = (Path(__file__).parent / "fixtures" / "crowded.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", LINES)
def test_a_crowded_position_has_the_moves_it_had(line: str) -> None:
    count, digest, encoded = line.split(maxsplit=2)
    found = sorted(texts(GYGES.decode(encoded)))
    assert len(found) == int(count)
    assert sha256(" ".join(found).encode()).hexdigest()[:12] == digest


@pytest.mark.parametrize("line", [line for line in LINES if "fogliaccio" in line])
def test_the_second_implementation_finds_the_same(line: str) -> None:
    position = GYGES.decode(line.split(maxsplit=2)[2])
    assert set(legal(pieces(position), 0, "fogliaccio", None)) == texts(position)


@pytest.mark.parametrize("line", LINES)
def test_a_move_is_built_in_a_crowded_position_too(line: str) -> None:
    position = GYGES.decode(line.split(maxsplit=2)[2])
    (first, *_) = position.steps()
    (second, *_) = position.steps((first.key,))
    assert second.move is not None or position.steps((first.key, second.key))


@pytest.mark.parametrize("line", LINES)
def test_a_search_can_be_given_up_half_way(line: str) -> None:
    position = GYGES.decode(line.split(maxsplit=2)[2])
    asked = iter([True, True])
    with pytest.raises(GivenUp):
        run_while(lambda: next(asked, False), position.legal_moves)
    assert len(position.legal_moves()) == int(line.split(maxsplit=1)[0])
