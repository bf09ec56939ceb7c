"""The bot on PostgreSQL with the role that ``docs/scaling.md`` describes, and no more rights than that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from bot.storage.database import Database
from tests.operation.conftest import Start
from tests.support.postgresql import needs_postgresql, running_server
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import FINISHED, begun, played
from tests.support.processes.processes import ROOT, bot

pytestmark = [needs_postgresql, pytest.mark.slow]

ROLE = "SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication FROM pg_roles WHERE rolname = current_user"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server of our own, whose superuser is not the bot."""
    with running_server("postgres") as address:
        yield address


async def executed(address: str, *statements: str) -> list[object]:
    """Carry out statements one by one, and return the first value each gives."""
    engine = create_async_engine(address, isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            results = [await connection.execute(text(statement)) for statement in statements]
            return [result.scalar() if result.returns_rows else None for result in results]
    finally:
        await engine.dispose()


async def test_the_role_that_is_described_is_enough_and_may_do_nothing_else(
    discord: Loopback, start: Start, tmp_path: Path, server: str
) -> None:
    (described,) = re.findall(r"```sql\n(.*?)```", (ROOT / "docs" / "scaling.md").read_text("utf-8"), re.DOTALL)
    await executed(server, *filter(None, map(str.strip, described.split(";"))), "CREATE ROLE stranger LOGIN")
    home = make_url(server).set(username="tavoliere", database="tavoliere")
    settings = {"database_url": home.render_as_string(hide_password=False)}
    running = await (await start(**settings)).ready()
    thread = await begun(discord)
    await played(discord, thread, *FINISHED)
    assert (await bot(tmp_path, "backup", "today.dump", **settings)).code == 0
    assert await running.end() == 0
    checked = await bot(tmp_path, "check", discord_token=TOKEN, **settings)
    assert checked.code == 0, checked.text
    assert (await bot(tmp_path, "export", "records", **settings)).text == "1 match written to records."
    restored = await bot(tmp_path, "restore", "today.dump", **settings)
    assert restored.code == 0, restored.text
    copied = await bot(tmp_path, "copy", settings["database_url"], "new.db")
    assert copied.code == 0, copied.text
    assert await executed(settings["database_url"], ROLE) == [False]
    with pytest.raises(DBAPIError, match="permission denied"):
        await executed(home.set(username="stranger").render_as_string(), "SELECT 1")


@pytest.mark.parametrize(
    ("rights", "said"),
    [
        ((), "permission denied"),
        (("GRANT SELECT ON ALL TABLES IN SCHEMA public TO lesser",), "the role lesser does not own the table "),
        (
            ("GRANT owner TO lesser", "ALTER ROLE lesser SET default_transaction_read_only = on"),
            "the role lesser can only read it (default_transaction_read_only)",
        ),
    ],
)
async def test_check_tells_what_a_role_may_not_do(
    tmp_path: Path, server: str, rights: tuple[str, ...], said: str
) -> None:
    begin = ("DROP DATABASE IF EXISTS boards", "DROP ROLE IF EXISTS lesser", "DROP ROLE IF EXISTS owner")
    await executed(
        server, *begin, "CREATE ROLE owner LOGIN", "CREATE ROLE lesser LOGIN", "CREATE DATABASE boards OWNER owner"
    )
    home = make_url(server).set(database="boards")
    owned, lesser = (home.set(username=name).render_as_string(hide_password=False) for name in ("owner", "lesser"))
    nothing = await bot(tmp_path, "check", discord_token=TOKEN, database_url=lesser)
    assert (nothing.code, "database: the role lesser may not make tables in it" in nothing.text) == (1, True)
    database = Database(owned)
    await database.open()
    await database.close()
    await executed(home.render_as_string(hide_password=False), *rights)
    checked = await bot(tmp_path, "check", discord_token=TOKEN, database_url=lesser)
    assert (checked.code, said in checked.text) == (1, True), checked.text
    fine = await bot(tmp_path, "check", discord_token=TOKEN, database_url=owned)
    assert fine.code == 0, fine.text


async def test_the_database_of_another_program_is_refused_and_left_as_it_is(tmp_path: Path, server: str) -> None:
    await executed(server, "CREATE DATABASE shop")
    shop = make_url(server).set(database="shop").render_as_string(hide_password=False)
    await executed(shop, "CREATE TABLE orders (number int)")
    for command in ("check", "status", "barred"):
        refused = await bot(tmp_path, command, database_url=shop, discord_token=TOKEN)
        assert refused.code == 1, refused.text
        assert "he database shop on 127.0.0.1 belongs to another program." in refused.text
    ours = make_url(server).set(database="ours").render_as_string(hide_password=False)
    await executed(server, "CREATE DATABASE ours")
    assert (await bot(tmp_path, "barred", database_url=ours)).code == 0
    assert (await bot(tmp_path, "backup", "today.dump", database_url=ours)).code == 0
    refused = await bot(tmp_path, "restore", "today.dump", database_url=shop)
    said = "the database shop on 127.0.0.1 belongs to another program; name an empty one."
    assert refused.text == f"Nothing was restored: {said}"
    tables = "SELECT string_agg(tablename, ' ') FROM pg_tables WHERE schemaname = 'public'"
    assert await executed(shop, tables) == ["orders"]
