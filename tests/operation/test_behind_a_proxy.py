"""A bot as it runs in a container: its token in a file, its figures for other machines, a proxy before Discord."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from aiohttp import web

from tests.operation.conftest import Start
from tests.support.processes.health_page import page
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import begun, played
from tests.support.processes.processes import bot

pytestmark = pytest.mark.slow


class Noting(Loopback):
    """A Discord that notes each call, and the host that it was for."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, str]] = []

    async def _call(self, request: web.Request) -> web.StreamResponse:
        self.calls.append((request.match_info["path"].split("/")[0], request.host.partition(":")[0]))
        return await super()._call(request)


@pytest_asyncio.fixture
async def discord() -> AsyncIterator[Noting]:
    loopback = Noting()
    await loopback.open()
    yield loopback
    await loopback.close()


async def test_every_call_goes_through_the_proxy_answers_to_interactions_too(
    discord: Noting, start: Start, port: int, tmp_path: Path
) -> None:
    secret = tmp_path / "token"
    secret.write_text(f"{TOKEN}\n", encoding="utf-8")
    running = await start(
        discord_token="",
        discord_token_file=secret,
        # The bot is led to 127.0.0.1: a call by another name goes where the setting says.
        discord_api_url=f"http://localhost:{discord.address.partition(':')[2]}/api/v10/",
        metrics_port=port,
        metrics_host="::1",
    )
    await running.ready()
    await played(discord, await begun(discord), "a1")
    assert {host for _, host in discord.calls} == {"localhost"}
    assert {path for path, _ in discord.calls} >= {"interactions", "webhooks", "channels", "users", "applications"}
    assert TOKEN not in running.log
    # The figures are where they are to be, and nowhere else.
    assert (await page(port, "health", "[::1]"))[0] == 200
    status, text = await page(port, "metrics", "[::1]")
    assert status == 200
    assert 'state="active"} 1.0' in text


async def test_a_token_file_that_is_not_there_and_an_address_that_is_none_are_named(tmp_path: Path) -> None:
    told = await bot(tmp_path, "run", discord_token_file=tmp_path / "nowhere")
    assert told.code == 2
    assert told.text.startswith("DISCORD_TOKEN_FILE is ")
    assert told.text.endswith("that file cannot be read: No such file or directory.")
    told = await bot(tmp_path, "run", discord_api_url="proxy:8080")
    assert told.text == "DISCORD_API_URL is 'proxy:8080', but must be an address that begins with http:// or https://."
