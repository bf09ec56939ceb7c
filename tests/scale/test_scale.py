"""Real bots and thinkers on one Discord and one database, of which everything breaks: people notice nothing of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scale.run import Plan, lived
from tests.support.postgresql import needs_postgresql

pytestmark = [needs_postgresql, pytest.mark.slow]

EVERY = ("kill", "kill_another", "freeze", "cut", "hang_up", "restart", "update", "stall", "replace")
SMALL = Plan(
    seed=1,
    bots=2,
    thinkers=2,
    shards=2,
    lease=4.0,
    rooms=2,
    channels=3,
    people=10,
    matches=20,
    computers=3,
    plies=3,
    between=(1.0, 3.0),
    troubles=9,
    most=1500.0,
)


@pytest.mark.timeout(1800)
async def test_whatever_breaks_every_move_is_stored_and_every_board_posted_once(tmp_path: Path) -> None:
    problems, happened = await lived(SMALL, tmp_path)
    assert problems == []
    assert happened == dict.fromkeys(EVERY, 1)
