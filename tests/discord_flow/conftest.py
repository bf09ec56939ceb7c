"""Remembers every message as it was posted: the simulation forgets on an edit, or a deletion, whom it notified."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from simcord.backend import Backend


@pytest.fixture(autouse=True)
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep a copy of every message under ``backend.posted``, in the order they were posted."""
    commit = Backend.commit_message

    def commit_and_remember(backend: Any, message: Any, **options: Any) -> Any:
        committed = commit(backend, message, **options)
        backend.posted = [*getattr(backend, "posted", []), deepcopy(committed)]
        return committed

    monkeypatch.setattr(Backend, "commit_message", commit_and_remember)
