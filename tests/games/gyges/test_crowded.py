"""Positions with the most to search, found by climbing: their moves are counted and compared with a digest.

``fixtures/crowded.txt`` has a line for each: number of legal moves, digest of their texts, position. The second
implementation (``naive``) walks those of the magazine's rules here again; those of the published rules, where it would
take too long, are as an earlier engine found them. The last position is smaller: routes to one piece come up
there in another order than that of their texts.
"""

from __future__ import annotations

from hashlib import sha256

import pytest

from bot.games.cancellation import ComputationCancelled, run_while
from bot.games.gyges import GYGES
from bot.games.gyges.rules import GygesPosition
from tests.games.gyges.crowded import LINES
from tests.games.gyges.naive import legal
from tests.games.gyges.positions import pieces, texts
from tests.support.sampled import sampled


@pytest.mark.parametrize("line", LINES)
def test_a_crowded_position_has_the_moves_it_had(line: str) -> None:
    count, digest, encoded = line.split(maxsplit=2)
    found = sorted(texts(GYGES.decode(encoded)))
    assert len(found) == int(count)
    assert sha256(" ".join(found).encode()).hexdigest()[:12] == digest


@pytest.mark.parametrize("line", sampled([line for line in LINES if "fogliaccio" in line], every=3))
def test_the_second_implementation_finds_the_same(line: str) -> None:
    position = GYGES.decode(line.split(maxsplit=2)[2])
    assert set(legal(pieces(position), 0, "fogliaccio", None)) == texts(position)


@pytest.mark.parametrize("line", LINES)
def test_a_move_is_built_in_a_crowded_position_too(line: str) -> None:
    position = GYGES.decode(line.split(maxsplit=2)[2])
    (first, *_) = position.steps()
    (second, *_) = position.steps((first.key,))
    assert second.move is not None or position.steps((first.key, second.key))


def turned_left_to_right(encoded: str) -> GygesPosition:
    """Return the mirror image, which has as many moves and was not met in the tests above, so nothing is remembered."""
    ruleset, ranks, *counters = encoded.split()
    position = GYGES.decode(" ".join([ruleset, "/".join(rank[::-1] for rank in ranks.split("/")), *counters]))
    assert isinstance(position, GygesPosition)
    return position


@pytest.mark.parametrize("line", LINES)
def test_a_search_can_be_given_up_half_way(line: str) -> None:
    position = turned_left_to_right(line.split(maxsplit=2)[2])
    asked = iter([True, True])
    with pytest.raises(ComputationCancelled):
        run_while(lambda: next(asked, False), position.legal_moves)
    assert len(position.legal_moves()) == int(line.split(maxsplit=1)[0])
