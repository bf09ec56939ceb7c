"""Fixtures as in ``tests/discord_flow``: every message is remembered, and unexpected failures fail the test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.discord_flow.conftest import failures_expected, no_unexpected_failures, remembered, told_at_once
from tests.lifecycle.harness import Harness
from tests.support.without_grace import without_grace

__all__ = ["failures_expected", "no_unexpected_failures", "remembered", "told_at_once", "without_grace"]


@pytest.fixture
def harness(tmp_path: Path, empty_database: Path) -> Iterator[Harness]:
    """A bot above the network, with a clock that stands still until it is moved."""
    made = Harness(empty_database, tmp_path)
    made.start()
    yield made
    made.close()
