"""The files of the page: asked for once, all at a time, and never of two versions."""

from __future__ import annotations

import re

from bot.web.pages import VERSION
from tests.matches.conftest import ALICE
from tests.web.served import Served, served

__all__ = ["served"]


async def test_a_browser_asks_for_every_module_at_once_and_keeps_them(served: Served) -> None:
    match = await served.crowd.begin()
    alice = await served.browser().sign_in(ALICE, match)
    page = await (await alice.get(f"/match/{match}")).text()
    preloaded = set(re.findall(r'<link rel="modulepreload" href="([^"]+)"[^>]*>', page))
    imported = {f"/static/{VERSION}/page.js"}
    for address in sorted(preloaded):
        answer = await alice.get(address)
        assert (answer.status, answer.content_type) == (200, "text/javascript")
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["Content-Encoding"] == "gzip"
        found = re.findall(r'(?:^(?:import|export) .*from |import\()"\./([^"]+)"', await answer.text(), re.MULTILINE)
        imported |= {f"/static/{VERSION}/{name}" for name in found}
    assert imported == preloaded
    assert f'<script type="module" src="/static/{VERSION}/page.js"></script>' in page
    first = set(re.findall(r'<link rel="modulepreload" href="([^"]+)">', page))
    assert first == {f"/static/{VERSION}/page.js"}


async def test_files_of_another_version_are_not_kept_as_its_own(served: Served) -> None:
    answer = await served.browser().get("/static/0123456789abcdef/page.js")
    assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-store")
    assert (await served.browser().get(f"/static/{VERSION}/page.html")).status == 404
    assert (await served.browser().get(f"/static/{VERSION}/..%2fpages.py")).status == 404
