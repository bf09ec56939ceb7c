"""Changes of servers that could not be stored are stored later, and unknown servers are left alone until they are
known.
"""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from bot.cogs import guild_events
from bot.cogs.guild_events import GuildEvents
from bot.matches.service_context import plain_idle


class Departures:
    """A service of servers that cannot store changes at first."""

    def __init__(self) -> None:
        self.compared: list[set[int]] = []
        self.returned: list[int] = []
        self.most_at_once = 0
        self._at_once = 0

    async def bot_left(self, _guild_id: int, *, removed: bool) -> None:
        """Fail."""
        raise OSError("the database is away")

    async def bot_returned(self, guild_id: int) -> None:
        """Note which servers are back, and how many are seen to at the same time."""
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        await asyncio.sleep(0)
        self._at_once -= 1
        self.returned.append(guild_id)

    async def revive_dropped(self, _guild_id: int, _may_post: Any) -> None:
        """Find no dropped message."""

    async def compare(self, present: set[int], _out_of_reach: set[int]) -> None:
        """Note what is compared."""
        self.compared.append(present)


@pytest.mark.parametrize("ready", [True, False])
async def test_servers_are_compared_only_when_all_of_them_are_known(
    monkeypatch: pytest.MonkeyPatch, ready: bool
) -> None:
    monkeypatch.setattr(guild_events, "AFTER_FAILURE", 0.0)
    server: Any = SimpleNamespace(id=7, unavailable=True)
    client: Any = SimpleNamespace(guilds=[SimpleNamespace(id=8, unavailable=False)], is_ready=lambda: ready)
    services: Any = SimpleNamespace(departures=Departures())
    cog = GuildEvents(client, services, lambda: plain_idle)
    await cog.on_guild_gone(server)
    assert cog._catching_up is not None
    await asyncio.wait_for(cog._catching_up, 30)
    assert services.departures.compared == ([{8}] if ready else [])


async def test_servers_that_come_back_at_once_are_seen_to_one_by_one() -> None:
    services: Any = SimpleNamespace(departures=Departures())
    client: Any = SimpleNamespace()
    cog = GuildEvents(client, services, lambda: plain_idle)
    servers: list[Any] = [SimpleNamespace(id=number, unavailable=False) for number in range(20)]
    await asyncio.gather(*map(cog.on_guild_back, servers))
    assert services.departures.returned == list(range(20))
    assert services.departures.most_at_once == 1


async def test_a_bot_that_closes_finishes_the_change_that_is_being_stored_and_begins_no_other() -> None:
    stored, entered, go_on = list[int](), asyncio.Event(), asyncio.Event()

    async def bot_returned(guild_id: int) -> None:
        entered.set()
        await go_on.wait()
        stored.append(guild_id)

    departures: Any = SimpleNamespace(bot_returned=bot_returned, revive_dropped=Departures().revive_dropped)
    cog = GuildEvents(SimpleNamespace(), SimpleNamespace(departures=departures), lambda: plain_idle)  # type: ignore[arg-type]
    listening = [asyncio.create_task(cog.on_guild_back(SimpleNamespace(id=number))) for number in range(3)]  # type: ignore[arg-type]
    await entered.wait()
    unloading = asyncio.create_task(cog.cog_unload())
    await asyncio.sleep(0)
    assert not unloading.done()
    go_on.set()
    await unloading
    assert stored == [0]
    await asyncio.gather(*listening)
    assert stored == [0]
