"""Archived and locked threads as in Discord. The simulation by itself lets every request through.

A post unarchives a thread; in an archived thread nothing can be edited; a locked one refuses everything.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from simcord.backend import Backend
from simcord.backend.errors import BackendError
from simcord.http import router

from tests.support.simulated_discord import SimulatedDiscord

ARCHIVED, LOCKED = 50083, 160005
_CHANNEL = re.compile(r"/channels/(\d+)(/messages(?:/\d+)?)?")


@pytest.fixture
def archives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have archived threads behave as in Discord."""
    dispatch = router.dispatch

    def strict(backend: Backend, method: str, path: str, **options: Any) -> Any:
        asked = _CHANNEL.fullmatch(path)
        place = None if asked is None else backend.channels.get(int(asked[1]))
        meta = None if place is None or asked is None else place.thread_metadata
        if asked is None or place is None or meta is None or method not in ("POST", "PATCH"):
            return dispatch(backend, method, path, **options)
        if meta.locked:
            raise BackendError(400, LOCKED, "This thread is locked")
        if asked[2] is None and (options.get("json") or {}) == {"archived": False}:
            meta.archived = False  # people who may write in a thread may unarchive it
            return dispatch(backend, "GET", path, **options | {"json": None})
        if method == "PATCH" and meta.archived:
            raise BackendError(400, ARCHIVED, "Thread is archived")
        meta.archived = False
        return dispatch(backend, method, path, **options)

    monkeypatch.setattr(router, "dispatch", strict)


def archive(sim: SimulatedDiscord, thread: int, *, locked: bool = False) -> None:
    """Archive a thread, as Discord does after a week of silence, or lock it, as a moderator can."""
    metadata = {"archived": True, "locked": locked}
    sim.env.backend.edit_channel(thread, {}, thread_metadata=metadata)


def is_archived(sim: SimulatedDiscord, thread: int) -> bool:
    """Return whether a thread is archived."""
    meta = sim.env.backend.get_channel(thread).thread_metadata
    assert meta is not None
    return meta.archived
