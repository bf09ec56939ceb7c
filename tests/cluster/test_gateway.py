"""Asking Discord how to connect: what keeps a process from it is named for what it is."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from bot.calls import NotCalled
from bot.cluster import gateway
from bot.cluster.gateway import Gateway, SessionLimits, warnings
from bot.storage import transactions
from bot.storage.errors import DatabaseAway
from bot.storage.transactions import retry_until_stored

NEW = {"remaining": 900, "reset_after": 1000, "max_concurrency": 1}


class Http:
    """Calls to Discord, of which the first ones fail."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)

    async def get_bot_gateway(self) -> tuple[int, str, dict[str, int]]:
        if self.errors:
            raise self.errors.pop(0)
        return 3, "", NEW


@pytest.mark.parametrize(
    ("error", "event"),
    [
        (NotCalled("Discord has refused too many calls"), "Discord not asked how to connect, tried again soon"),
        (OSError("no route"), "Discord does not say how to connect, tried again soon"),
    ],
)
async def test_a_call_that_is_held_back_is_told_from_a_discord_that_is_away(
    monkeypatch: pytest.MonkeyPatch, error: Exception, event: str
) -> None:
    monkeypatch.setattr(gateway, "ASKED_AGAIN", 0.0)
    http: Any = Http(error)
    with capture_logs() as logs:
        assert (await Gateway(http).learn()).shards == 3
    assert [line["event"] for line in logs] == [event]


ODD: tuple[Any, ...] = ("<html>", None, [], {}, {"shards": 3, "url": "", "session_start_limit": {"remaining": "many"}})


async def test_an_answer_that_is_not_discords_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "ASKED_AGAIN", 0.0)
    answers = [{"shards": 3, "url": "", "session_start_limit": NEW}, *ODD]

    async def request(*_: object) -> Any:
        return answers.pop()

    http: Any = SimpleNamespace(request=request)
    http.get_bot_gateway = partial(discord.http.HTTPClient.get_bot_gateway, http)
    with capture_logs() as logs:
        assert (await Gateway(http).learn()).shards == 3
    assert [line["event"] for line in logs] == ["Discord does not say how to connect, tried again soon"] * len(ODD)


@pytest.mark.parametrize("error", [DatabaseAway("The database is gone."), OperationalError("", {}, OSError())])
async def test_a_database_that_is_away_is_named_and_waited_for(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(transactions, "WHILE_AWAY", 0.0)
    attempts = [error, error]

    async def store() -> str:
        await asyncio.sleep(0)
        if attempts:
            raise attempts.pop()
        return "stored"

    with capture_logs() as logs:
        assert await retry_until_stored(store) == "stored"
    assert [line["event"] for line in logs] == ["database away, tried again soon"]


async def test_full_shards_and_few_connections_are_warned_of_with_what_to_do() -> None:
    new = SessionLimits(9, 900, timedelta(0), 1)
    assert warnings(1999, 2, new) == []
    (full,) = warnings(2000, 2, new)
    assert full.startswith("a shard has 2000 servers, and Discord connects none with more than 2500: restart the bot")
    assert full.endswith("(SHARDS left out; now 2, Discord recommends 9)")
    (few,) = warnings(10, 2, SessionLimits(2, 49, timedelta(0), 1))
    assert few.startswith("only 49 connections to Discord left today: find out what used them")


async def test_connections_are_begun_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "IDENTIFIES_APART", 0.2)
    http: Any = None
    one, clock = Gateway(http), asyncio.get_running_loop().time
    began = clock()
    await asyncio.gather(*(one.wait_to_identify(shard) for shard in range(4)))
    assert clock() - began >= 0.6
