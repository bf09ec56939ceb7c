"""A bot as it runs in a container: its token in a file, its figures for other machines, a proxy before Discord."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio
from aiohttp import web

from tests.operation.conftest import Start
from tests.support.processes.health_page import page
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import begun, played
from tests.support.processes.processes import bot

pytestmark = pytest.mark.slow

PASSED_ON = ("Authorization", "Content-Type", "User-Agent")


@dataclass
class Proxy:
    """Passes every call on to a Discord, and notes it."""

    discord: Loopback
    calls: list[str] = field(default_factory=list)
    address: str = ""

    async def serve(self, request: web.Request) -> web.Response:
        self.calls.append(f"{request.method} {request.path.removeprefix('/api/v10')}")
        headers = {name: request.headers[name] for name in PASSED_ON if name in request.headers}
        url = f"http://{self.discord.address}{request.path_qs}"
        async with (
            aiohttp.ClientSession(auto_decompress=False) as session,
            session.request(request.method, url, headers=headers, data=await request.read()) as answer,
        ):
            kept = {"Content-Type": answer.headers["Content-Type"]} if "Content-Type" in answer.headers else {}
            return web.Response(status=answer.status, body=await answer.read(), headers=kept)


@pytest_asyncio.fixture
async def proxy(discord: Loopback) -> AsyncIterator[Proxy]:
    """A proxy before the loopback Discord."""
    proxy, app = Proxy(discord), web.Application(client_max_size=30_000_000)
    app.router.add_route("*", "/{path:.*}", proxy.serve)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    proxy.address = f"127.0.0.1:{runner.addresses[0][1]}"
    yield proxy
    await runner.cleanup()


async def test_every_call_goes_through_the_proxy_answers_to_interactions_too(
    discord: Loopback, start: Start, proxy: Proxy, port: int, tmp_path: Path
) -> None:
    direct: list[str] = []

    async def admit(call: str) -> None:
        direct.append(call)

    discord.admit = admit  # type: ignore[method-assign]
    secret = tmp_path / "token"
    secret.write_text(f"{TOKEN}\n", encoding="utf-8")
    running = await start(
        discord_token="",
        discord_token_file=secret,
        discord_api_url=f"http://{proxy.address}/api/v10/",
        metrics_port=port,
        metrics_host="::1",
    )
    await running.ready()
    thread = await begun(discord)
    await played(discord, thread, "a1")
    calls = [call for call in direct if call != "GET /gateway"]
    assert sorted(calls) == sorted(call for call in proxy.calls if call != "GET /gateway/bot")
    assert {call.split("/")[1] for call in calls} >= {"interactions", "webhooks", "channels", "users", "applications"}
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
