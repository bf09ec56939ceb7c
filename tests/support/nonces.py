"""Nonces as in Discord, which the simulation ignores: a second message with the same nonce is the first one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Dispatch = Callable[..., Any]


def minding_nonces(dispatch: Dispatch) -> Dispatch:
    """Return a ``simcord.http.router.dispatch`` that answers a message sent again with the one posted before."""
    answers: dict[str, Any] = {}

    def dispatch_once(backend: Any, method: str, path: str, **options: Any) -> Any:
        body = options.get("json")
        nonce = body.get("nonce") if isinstance(body, dict) and body.get("enforce_nonce") else None
        if method != "POST" or nonce is None:
            return dispatch(backend, method, path, **options)
        if nonce not in answers:
            answers[nonce] = dispatch(backend, method, path, **options)
        return answers[nonce]

    return dispatch_once
