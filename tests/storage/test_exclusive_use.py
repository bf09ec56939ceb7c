"""The uses of a database that exclude each other: a bot, commands beside it, a copy or replacement of all of it."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from bot.storage import exclusive_use
from bot.storage.database import Database
from bot.storage.errors import ImpossibleSetting, StorageError
from bot.storage.exclusive_use import Use
from bot.storage.migrations import known_revisions, revisions, upgrade
from tests.support.postgresql import needs_postgresql

TOGETHER = {(Use.BOT, Use.BESIDE), (Use.BESIDE, Use.BOT), (Use.BESIDE, Use.BESIDE)}
SAID = {
    Use.ALONE: "is being copied or restored by another command",
    Use.BOT: "^Another bot is running",
    Use.BESIDE: "is being changed by another command",
}


async def check_uses(address: str, first: Use, second: Use, *, together: bool) -> None:
    """Check whether a second use is allowed, what the refusal says, and that the use is allowed once the first ends."""
    one, other = Database(address), Database(address)
    try:
        await one.open()
        await one.lock(first)
        if not together:
            with pytest.raises(StorageError, match=SAID[first]):
                await other.lock(second)
            await one.close()
        await other.lock(second)
    finally:
        await one.close()
        await other.close()


@pytest.mark.parametrize(("first", "second"), list(product(Use, Use)))
async def test_a_file_is_for_one_bot_and_commands_beside_it_or_for_one_command_alone(
    tmp_path: Path, first: Use, second: Use
) -> None:
    address = f"sqlite+aiosqlite:///{tmp_path / 'tavoliere.db'}"
    await check_uses(address, first, second, together=(first, second) in TOGETHER)


async def test_a_file_that_is_mounted_without_its_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a \\ folder"
    folder.mkdir()
    file, other = folder / "tavoliere.db", folder / "other.db"
    escaped = str(file).replace("\\", "\\134").replace(" ", "\\040")
    mounts = tmp_path / "mountinfo"
    mounts.write_text(
        f"22 1 8:1 / / rw - ext4 /dev/sda1 rw\n36 22 8:1 /t.db {escaped} rw shared:1 - ext4 /dev/sda1 rw\n"
    )
    monkeypatch.setattr(exclusive_use, "MOUNTS", mounts)
    with pytest.raises(ImpossibleSetting, match="mount the folder that the database is in"):
        await Database(f"sqlite+aiosqlite:///{file}").open()
    database = Database(f"sqlite+aiosqlite:///{other}")
    await database.open()
    await database.close()


EARLIER = max(known_revisions())
"""The newest revision of this version; it is an old one in a test that uses ``next_version``."""


async def revision(database: Database) -> str | None:
    """Return the revision of a database."""
    async with database.read() as tx:
        return (await tx.run_sync(revisions))[0]


async def check_migration(address: str, first: Use, second: Use | None, *, together: bool) -> None:
    """Check whether a database of an earlier version opens while it is used, and that a refusal changes nothing."""
    one, other = Database(address), Database(address)
    try:
        async with one.direct.connect() as connection:
            await connection.run_sync(upgrade, EARLIER)
        old = await revision(one)
        await one.lock(first)
        if together:
            await other.open(second)
        else:
            with pytest.raises(StorageError, match=f"in use: stop what uses it first|{SAID[first]}"):
                await other.open(second)
        assert (await revision(one) == old) is not together
        await one.close()
        await other.open(second if other._kept is None else None)
        assert await revision(other) != old
    finally:
        await one.close()
        await other.close()


@pytest.mark.usefixtures("next_version")
@pytest.mark.parametrize(("first", "second"), list(product(Use, [*Use, None])))
async def test_a_file_is_migrated_beside_commands_but_not_under_its_bot_or_while_it_is_replaced(
    tmp_path: Path, first: Use, second: Use | None
) -> None:
    together = first is Use.BESIDE and second is not Use.ALONE
    await check_migration(f"sqlite+aiosqlite:///{tmp_path / 'tavoliere.db'}", first, second, together=together)


@pytest.mark.slow
@pytest.mark.usefixtures("next_version")
@needs_postgresql
@pytest.mark.parametrize("second", [Use.BESIDE, None])
@pytest.mark.parametrize("first", [Use.ALONE, Use.BESIDE])
async def test_on_postgresql_nothing_is_migrated_while_it_is_copied_or_replaced(
    server: str, first: Use, second: Use | None
) -> None:
    await check_migration(server, first, second, together=first is Use.BESIDE)


@needs_postgresql
@pytest.mark.parametrize(("first", "second"), list(product((Use.ALONE, Use.BESIDE), repeat=2)))
async def test_on_postgresql_commands_keep_off_one_that_needs_all_of_the_database(
    server: str, first: Use, second: Use
) -> None:
    await check_uses(server, first, second, together=first is second is Use.BESIDE)
