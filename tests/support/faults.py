"""Calls to Discord that succeed and are answered with an error; the simulation cannot do that by itself."""

from __future__ import annotations

import fnmatch
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import aiohttp
import pytest
from simcord.backend.errors import BackendError
from simcord.http import router


@contextmanager
def done_but_denied(method: str, path: str, *, status: int = 500, code: int = 0, times: int = 1) -> Iterator[list[str]]:
    """Carry matching calls out and then fail them, ``times`` times; yield the paths of these calls."""
    dispatch = router.dispatch
    denied: list[str] = []

    def dispatch_and_deny(backend: Any, called: str, at: str, **options: Any) -> Any:
        answer = dispatch(backend, called, at, **options)
        if called == method and fnmatch.fnmatch(at, path) and len(denied) < times:
            denied.append(at)
            raise BackendError(status, code, "Internal Server Error, too late")
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(router, "dispatch", dispatch_and_deny)
        yield denied


@contextmanager
def cut_off(path: str, *, done: bool = False, times: int = sys.maxsize) -> Iterator[list[str]]:
    """Let the connection break at matching calls, before or after they are carried out; yield the paths of these."""
    dispatch = router.dispatch
    cut: list[str] = []

    def dispatch_unless_cut_off(backend: Any, called: str, at: str, **options: Any) -> Any:
        if not fnmatch.fnmatch(at, path) or len(cut) == times:
            return dispatch(backend, called, at, **options)
        cut.append(at)
        if done:
            dispatch(backend, called, at, **options)
        raise aiohttp.ServerDisconnectedError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(router, "dispatch", dispatch_unless_cut_off)
        yield cut
