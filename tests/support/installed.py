"""Interactions as they come from where a person's own installation of the bot leads, which the simulation lacks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from simcord.http import client

from tests.support.simulated_discord import SimulatedDiscord

GROUP, FOREIGN, COMMANDS_ALONE = "group", "foreign server", "server with the commands alone"
ELSEWHERE = 99
"""The id of a server that does not have the bot."""


@contextmanager
def asking_from(sim: SimulatedDiscord, where: str) -> Iterator[None]:
    """Have interactions come from a group, or from a server that does not have the bot."""
    backends = type(sim.env.backend)  # of which a crash test stores the object
    emit = backends.emit

    def emit_from(backend: Any, event: str, payload: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        if event == "INTERACTION_CREATE" and "member" in payload:
            user = payload["member"]["user"]
            if where == GROUP:
                del payload["guild_id"], payload["member"], payload["guild_locale"]
                payload |= {"user": user, "context": 2}
                payload["channel"] = {"id": payload["channel_id"], "type": 3, "name": "Friends", "recipients": []}
            else:
                payload["guild_id"] = str(ELSEWHERE)
            owners = {"0": str(ELSEWHERE)} if where == COMMANDS_ALONE else {"1": user["id"]}
            payload["authorizing_integration_owners"] = owners
        return emit(backend, event, payload, *args, **kwargs)

    with patch.object(backends, "emit", emit_from):
        yield


def _path(url: str) -> str:
    """Return the path of a call as aiohttp sends it, with a plain at sign in ``@original``."""
    return _path_of(url).replace("%40", "@")


_path_of = client._path_of
client._path_of = _path
