"""Life in a server is watched as the flow in Discord is: every message remembered, no failure passed over."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.discord_flow.conftest import failures_expected, no_unexpected_failures, remembered
from tests.life.world import World, empty_database

__all__ = ["failures_expected", "no_unexpected_failures", "remembered"]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A bot above the network, with a clock that stands still until it is moved."""
    with ThreadPoolExecutor(1) as executor:
        made = World(empty_database(tmp_path), tmp_path, executor)
        made.start()
        yield made
        made.close()
