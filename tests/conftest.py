"""The real bot in a simulated Discord, on a real database file, for every test that asks for a ``sim``."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

import tests.support.compiled_once
import tests.support.kept_bytecode
import tests.support.settling  # noqa: F401 - all for their effect

MEMORY, ENOUGH = Path("/dev/shm"), 2**30
# Every commit waits until the disk has it. In tests only processes die, no machine does: where there is room for their
# files in memory, they wait for nothing.
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

pytest_plugins = (
    "tests.skips",
    "tests.support.collected",
    "tests.support.described_requests",
    "tests.support.empty_database",
    "tests.support.kept_bytecode",
    "tests.support.drawn_once",
    "tests.support.next_version",
    "tests.support.simulated_discord",
    "tests.support.elsewhere",
    "tests.support.postgresql",
)

# Property tests take the time they take: a busy machine is no reason to fail.
_unhurried = hypothesis_settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.register_profile("quick", _unhurried, max_examples=15)
hypothesis_settings.register_profile("slow", _unhurried, max_examples=100)


def pytest_configure(config: pytest.Config) -> None:
    """Try few examples of a property in the quick run, and many in the slow one, which has all of them, too."""
    hypothesis_settings.load_profile("slow" if config.option.slow else "quick")


@pytest.fixture(autouse=True)
def no_swallowed_errors(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test in which discord.py swallowed an error raised by a control."""
    yield
    swallowed = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    swallowed = [record for record in swallowed if record.name.startswith("discord.ui")]
    assert not swallowed, swallowed[0].getMessage()
