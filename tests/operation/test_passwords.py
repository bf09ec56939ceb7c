"""A PostgreSQL server that wants a password, which may be in a file or in the environment instead of an address."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.operation import WRONG_SETTINGS
from tests.support.crowds.filling import fill, servers
from tests.support.postgresql import needs_postgresql, running_server
from tests.support.processes.loopback import TOKEN
from tests.support.processes.processes import bot

pytestmark = [needs_postgresql, pytest.mark.slow]


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a server that wants a password, which is not in it."""
    with running_server(password="hush-hush") as address:
        yield address


async def test_the_password_is_taken_from_a_file_or_the_environment(tmp_path: Path, server: str) -> None:
    fill(tmp_path / "old.db", servers(1, 4), running=2, finished=2, now=datetime.now(UTC))
    refused = await bot(tmp_path, "copy", "old.db", server, pgpassword="something else")
    assert refused.code == 1
    assert "password authentication failed" in refused.text
    started = await bot(tmp_path, "run", database_url=server, discord_token=TOKEN, pgpassword="something else")
    assert started.code == WRONG_SETTINGS
    copied = await bot(tmp_path, "copy", "old.db", server, pgpassword="hush-hush")
    assert copied.code == 0, copied.text
    (tmp_path / "secret").write_text("hush-hush\n")
    settings = {"database_url": server, "database_password_file": tmp_path / "secret", "discord_token": TOKEN}
    checked = await bot(tmp_path, "check", **settings)
    assert checked.code == 0, checked.text
    for command in ("backup", "restore"):
        done = await bot(tmp_path, command, "today.dump", **settings)
        assert done.code == 0, done.text
    wrong = await bot(tmp_path, "check", **settings | {"database_password_file": "nowhere"})
    told = "DATABASE_PASSWORD_FILE is 'nowhere', but that file cannot be read: No such file or directory."
    assert (wrong.code, wrong.text) == (2, told)
    (tmp_path / "secret").write_text("something else")
    for asked in (("check",), ("backup", "again.dump")):
        told = (await bot(tmp_path, *asked, **settings)).text
        assert "password authentication failed" in told
        assert "something else" not in told
