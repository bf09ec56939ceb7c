"""What every test in Discord relies on: every message remembered as it was posted, and no failure passed over."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from simcord.backend import Backend

from bot import metrics


@pytest.fixture(autouse=True)
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep a copy of every message under ``backend.posted``, in the order they were posted.

    The simulation forgets on an edit, or a deletion, whom a message has notified.
    """
    commit = Backend.commit_message

    def commit_and_remember(backend: Any, message: Any, **options: Any) -> Any:
        committed = commit(backend, message, **options)
        backend.posted = [*getattr(backend, "posted", []), deepcopy(committed)]
        return committed

    monkeypatch.setattr(Backend, "commit_message", commit_and_remember)


def failures() -> dict[str, float]:
    """Return how often something failed in a way nobody expects, by what it was."""
    found = {}
    for counter in (metrics.ERRANDS, metrics.ANSWERS):
        for sample in next(iter(counter.collect())).samples:
            if sample.labels["outcome"] == "failed" and sample.name.endswith("_total"):
                found[sample.labels.get("kind", "answer")] = sample.value
    return found


@pytest.fixture(autouse=True)
def no_unexpected_failures(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test in which an errand or an answer failed unexpectedly, though the bot got over it.

    A test that brings that about by itself says so with ``@pytest.mark.usefixtures("failures_expected")``.
    """
    before = failures()
    yield
    if "failures_expected" not in request.fixturenames:
        assert failures() == before


@pytest.fixture
def failures_expected() -> None:
    """Let unexpected failures pass."""
