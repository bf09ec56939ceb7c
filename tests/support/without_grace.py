"""Losses on time at once: for tests that are about them, and not about the day away that may come before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.matches.model.policies import clocks


@pytest.fixture(autouse=True, scope="module")
def without_grace() -> Iterator[None]:
    """Give no grace in this process, to tests in files and folders that import this fixture."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clocks, "MOST_GRACES", 0)
        yield
