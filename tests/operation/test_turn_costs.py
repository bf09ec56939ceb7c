"""A turn between two people asks the database for little, whichever it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.postgresql import needs_postgresql
from tests.support.processes.turn_steps import FIND, LOOK, NEXT, POST, RETIRE, STORE, most, steps_of_turns

SQLITE = {FIND: (1, 1), STORE: (6, 1), NEXT: (3, 1), LOOK: (0, 0), POST: (7, 2), RETIRE: (1, 1)}
POSTGRESQL = {FIND: (1, 1), STORE: (9, 1), NEXT: (3, 1), LOOK: (0, 0), POST: (8, 2), RETIRE: (2, 1)}
"""At most so many statements in so many transactions, by the step."""


def check(found: dict[str, tuple[int, int]], allowed: dict[str, tuple[int, int]]) -> None:
    beyond = {step: counts for step, counts in found.items() if any(map(int.__gt__, counts, allowed[step]))}
    assert not beyond, f"{beyond} of {found}"


async def test_a_turn_asks_sqlite_for_little(tmp_path: Path, empty_database: Path) -> None:
    file = shutil.copy(empty_database, tmp_path)
    check(most(await steps_of_turns(f"sqlite+aiosqlite:///{file}")), SQLITE)


@pytest.mark.slow
@needs_postgresql
@pytest.mark.timeout(120)
async def test_a_turn_asks_postgresql_for_little(server: str) -> None:
    check(most(await steps_of_turns(server)), POSTGRESQL)
