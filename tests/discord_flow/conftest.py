"""Fixtures of every test in Discord: they remember each message as it was posted, and fail on unexpected failures."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest
from simcord.backend import Backend

from bot.matches.model.policies import news
from bot.telemetry import metrics


@pytest.fixture(autouse=True)
def as_described(described_requests: None) -> None:
    """Hold every request to the description of Discord's request bodies."""


@pytest.fixture(autouse=True)
def remembered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep a copy of every message under ``backend.posted``, in the order they were posted.

    When a message is edited or deleted, the simulation forgets the people it has notified. A message of the bot may
    notify only people that it names, and no role.
    """
    commit = Backend.commit_message
    strayed: list[str] = []

    def commit_and_remember(backend: Any, message: Any, **options: Any) -> Any:
        committed = commit(backend, message, **options)
        backend.posted = [*getattr(backend, "posted", []), deepcopy(committed)]
        if committed.author_id == backend.bot_user.id:
            strayed.extend(_astray(committed))
        return committed

    monkeypatch.setattr(Backend, "commit_message", commit_and_remember)
    yield
    assert not strayed, strayed[0]


def _astray(message: Any) -> Iterator[str]:
    """Yield what is wrong with the list of people that a message notifies."""
    if message.mention_everyone or message.ping_role_ids:
        yield f"everybody, or a role, is notified: {message}"
    said = f"{message.content}{message.components}"
    for person in message.ping_user_ids:
        if f"<@{person}>" not in said:
            yield f"{person} is notified, but not named: {message}"


@pytest.fixture(autouse=True)
def told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have people told of every turn, though in tests all of them move within seconds of each other."""
    monkeypatch.setattr(news, "JUST_NOW", timedelta(0))
    monkeypatch.setattr(news, "HERE", timedelta(0))


def failures() -> dict[str, float]:
    """Return how many unexpected failures there were, by kind."""
    found = {}
    for counter in (metrics.OUTBOX_MESSAGES, metrics.ANSWERS):
        for sample in next(iter(counter.collect())).samples:
            if sample.labels["outcome"] == "failed" and sample.name.endswith("_total"):
                found[sample.labels.get("kind") or f"answer to {sample.labels['command']}"] = sample.value
    return found


@pytest.fixture(autouse=True)
def no_unexpected_failures(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test in which an outbox message or an answer failed unexpectedly, even if the bot recovered.

    A test that causes failures says so with ``@pytest.mark.usefixtures("failures_expected")``.
    """
    before = failures()
    yield
    if "failures_expected" not in request.fixturenames:
        assert failures() == before


@pytest.fixture
def failures_expected() -> None:
    """Let unexpected failures pass."""
