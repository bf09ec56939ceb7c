"""The page while its database is away, or silent: a sentence in the reader's language, soon, and counted."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio
from prometheus_client import REGISTRY
from sqlalchemy import event
from structlog.testing import capture_logs

from bot.storage import patience
from bot.storage.database import Database
from bot.storage.patience import VISITOR, Patience
from tests.matches.conftest import ALICE
from tests.support.cutting_relay import Cut, CuttingRelay, cutting_relay
from tests.support.postgresql import needs_postgresql
from tests.web.browser import Browser
from tests.web.served import Served, served_on

pytestmark = needs_postgresql
LONGEST = 8.0
"""Seconds in which people are told even on a busy machine; a quiet one takes as long as ``VISITOR`` says."""


@pytest_asyncio.fixture
async def relayed(server: str) -> AsyncIterator[tuple[CuttingRelay, Served]]:
    """A page whose database is behind a relay."""
    async with cutting_relay(server) as (relay, address):
        database = Database(address)
        await database.open()
        await database.close()
        async with served_on(address) as page:
            try:
                yield relay, page
            finally:
                relay.flowing.set()


async def signed_in(page: Served) -> tuple[Browser, int]:
    match = await page.crowd.begin()
    return await page.browser().sign_in(ALICE, match), match


def counted() -> float:
    """Return how many answers said that the storage failed."""
    return sum(
        sample.value
        for metric in REGISTRY.collect()
        for sample in metric.samples
        if sample.name == "tavoliere_answers_total" and sample.labels.get("outcome") == "unavailable"
    )


@pytest.mark.parametrize(
    "silent", [pytest.param(True, id="silent", marks=pytest.mark.slow), pytest.param(False, id="away")]
)
async def test_every_request_is_answered_soon_with_a_sentence(
    relayed: tuple[CuttingRelay, Served], caplog: pytest.LogCaptureFixture, silent: bool
) -> None:
    assert max(VISITOR.connection or 60, VISITOR.transaction or 60) < 2.5, "people are told within three seconds"
    relay, page = relayed
    alice, match = await signed_in(page)
    link = await alice.link(ALICE, match)
    if silent:
        relay.flowing.clear()
    else:
        relay.go_away()
    german = {"Accept-Language": "de"}
    move = {"keys": ["a1"], "ply": 0, "request": str(uuid4())}
    asked: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", f"/match/{match}", {}),
        ("GET", f"/api/match/{match}", {}),
        ("GET", f"/api/match/{match}/picture?ply=0", {}),
        ("POST", f"/api/match/{match}/move", {"json": move}),
        ("GET", f"/open/{link}", {}),
        ("POST", "/leave", {"data": b""}),
    ]
    for method, path, options in asked:
        before, began = counted(), time.monotonic()
        with capture_logs() as log:
            answer = await alice.request(method, path, headers=german, **options)
        assert time.monotonic() - began < LONGEST, path
        assert answer.status == 503, path
        text = await answer.text()
        assert "in ein paar Minuten noch einmal" in text, (path, text)
        assert counted() == before + 1, path
        assert [(entry["event"], "exc_info" in entry) for entry in log] == [("storage unavailable", False)], path
        assert "Content-Security-Policy" in answer.headers
    assert "Traceback" not in caplog.text


@pytest.mark.slow
async def test_a_repetition_that_cannot_be_looked_up_leaves_open_whether_it_was_played(
    relayed: tuple[CuttingRelay, Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    relay, page = relayed
    alice, match = await signed_in(page)
    move = {"keys": ["a1"], "request": str(uuid4())}

    def cut(_connection: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        if statement.startswith("INSERT INTO moves"):
            relay.next_cut = Cut.AFTER_COMMIT

    event.listen(page.crowd.database.engine.sync_engine, "before_cursor_execute", cut)
    path = f"/api/match/{match}/move"
    first = await (await alice.post(path, {**move, "ply": 0})).json()
    assert first["came"] == "unknown", first
    relay.silent_before = b"page_requests"
    monkeypatch.setattr(patience, "PERSON", Patience(2.0, 2.0))
    again = await (await alice.post(path, {**move, "ply": 0})).json()
    assert again["came"] == "unknown", again
    assert "whether" in again["words"]
    relay.flowing.set()
    assert (await (await alice.post(path, {**move, "ply": 0})).json())["came"] == "repeated"
    assert (await page.crowd.match(match)).ply == 1
