"""Holds every request of the bot to the description of Discord's request bodies.

With ``TAVOLIERE_REQUESTS`` in the environment, all requests are also written to that folder, a line of JSON each.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field, TypeAdapter, ValidationError
from simcord.http import router

from tests.support.command_bodies import Command, EntryPoint
from tests.support.message_bodies import (
    Body,
    Callback,
    ChannelChange,
    DirectMessages,
    Message,
    Thread,
    ThreadAlone,
    unresolved_pictures,
)

FOLDER = os.environ.get("TAVOLIERE_REQUESTS")

_COMMANDS: TypeAdapter[Any] = TypeAdapter(
    Annotated[list[Annotated[Command | EntryPoint, Field(discriminator="type")]], Field(max_length=100)]
)
ROUTES: Sequence[tuple[str, str, TypeAdapter[Any] | type[Body] | None]] = (
    ("PUT", "/applications/{application_id}/commands", _COMMANDS),
    ("GET", "/applications/{application_id}/commands", None),
    ("GET", "/channels/{channel_id}", None),
    ("PATCH", "/channels/{channel_id}", ChannelChange),
    ("DELETE", "/channels/{channel_id}", None),
    ("GET", "/channels/{channel_id}/messages", None),
    ("POST", "/channels/{channel_id}/messages", Message),
    ("GET", "/channels/{channel_id}/messages/{message_id}", None),
    ("PATCH", "/channels/{channel_id}/messages/{message_id}", Message),
    ("DELETE", "/channels/{channel_id}/messages/{message_id}", None),
    ("POST", "/channels/{channel_id}/messages/{message_id}/threads", Thread),
    ("POST", "/channels/{channel_id}/threads", ThreadAlone),
    ("PUT", "/channels/{channel_id}/thread-members/{user_id}", None),
    ("GET", "/guilds/{guild_id}/members/{user_id}", None),
    ("POST", "/interactions/{interaction_id}/{interaction_token}/callback", Callback),
    ("GET", "/oauth2/applications/@me", None),
    ("POST", "/users/@me/channels", DirectMessages),
    ("GET", "/users/@me", None),
    ("GET", "/users/{user_id}", None),
    ("POST", "/webhooks/{webhook_id}/{webhook_token}", Message),
    ("GET", "/webhooks/{webhook_id}/{webhook_token}/messages/@original", None),
    ("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/@original", Message),
    ("DELETE", "/webhooks/{webhook_id}/{webhook_token}/messages/@original", None),
)
"""The routes that the bot uses, as Discord's description names them, and the bodies sent there."""
_PATTERNS = [
    (method, re.compile(re.sub(r"\{\w+\}", lambda name: "[^/]+" if "token" in name[0] else "[0-9]+", path)), path, body)
    for method, path, body in ROUTES
]


def route_of(method: str, path: str) -> tuple[str, TypeAdapter[Any] | type[Body] | None] | None:
    """Return the route of a request with the body described for it, or None for a route that is not described."""
    return next(
        ((path_of, body) for verb, pattern, path_of, body in _PATTERNS if verb == method and pattern.fullmatch(path)),
        None,
    )


def problems(method: str, path: str, body: Any, files: Sequence[str] = ()) -> list[str]:
    """Return what Discord would not take in a request; ``files`` are the names of the files sent along."""
    route = route_of(method, path)
    if route is None:
        return [f"{method} {path}: not described"]
    described, where = route[1], f"{method} {route[0]}"
    if described is None:
        return [] if body is None else [f"{where}: a body"]
    try:
        described.validate_python(body) if isinstance(described, TypeAdapter) else described.model_validate(body)
    except ValidationError as error:
        return [f"{where}: {'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
    message = body.get("data") if described is Callback else body if described is Message else None
    return [f"{where}: {one}" for one in unresolved_pictures(message or {}, files)] if message or files else []


@pytest.fixture
def described_requests() -> Iterator[None]:
    """Fail a test in which the bot sends what Discord would not take."""
    found: list[str] = []
    dispatch = router.dispatch

    def dispatch_and_check(backend: Any, method: str, path: str, **options: Any) -> Any:
        body, files = options.get("json"), [file.filename for file in options.get("files") or ()]
        found.extend(problems(method, path, body, files))
        if FOLDER is not None and body is not None and (route := route_of(method, path)) is not None:
            line = json.dumps([method, route[0], body])
            with (Path(FOLDER) / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        return dispatch(backend, method, path, **options)

    # A patch of its own: those of a test are undone first.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(router, "dispatch", dispatch_and_check)
        yield
    assert not found, "\n".join(dict.fromkeys(found))
