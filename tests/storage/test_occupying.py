"""Who may use a database at the same time: a bot, commands beside it, and one that copies or replaces all of it."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from bot.storage.database import Database
from bot.storage.errors import StorageError
from bot.storage.occupying import Use
from tests.support.postgresql import needs_postgresql

TOGETHER = {(Use.BOT, Use.BESIDE), (Use.BESIDE, Use.BOT), (Use.BESIDE, Use.BESIDE)}
SAID = {
    Use.ALONE: "is being copied or restored by another command",
    Use.BOT: "^Another bot is running",
    Use.BESIDE: "is being changed by another command",
}


async def check_uses(address: str, first: Use, second: Use, *, together: bool) -> None:
    """Check whether a database can be put to a second use, what is said if not, and that it can once the first ends."""
    one, other = Database(address), Database(address)
    try:
        await one.open()
        await one.occupy(first)
        if not together:
            with pytest.raises(StorageError, match=SAID[first]):
                await other.occupy(second)
            await one.close()
        await other.occupy(second)
    finally:
        await one.close()
        await other.close()


@pytest.mark.parametrize(("first", "second"), list(product(Use, Use)))
async def test_a_file_is_for_one_bot_and_commands_beside_it_or_for_one_command_alone(
    tmp_path: Path, first: Use, second: Use
) -> None:
    address = f"sqlite+aiosqlite:///{tmp_path / 'tavoliere.db'}"
    await check_uses(address, first, second, together=(first, second) in TOGETHER)


@needs_postgresql
@pytest.mark.parametrize(("first", "second"), list(product((Use.ALONE, Use.BESIDE), repeat=2)))
async def test_on_postgresql_commands_keep_off_one_that_needs_all_of_the_database(
    server: str, first: Use, second: Use
) -> None:
    await check_uses(server, first, second, together=first is second is Use.BESIDE)
